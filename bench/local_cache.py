"""What a local server's prompt cache saves over a thread: under our context engine, and under the documented rules."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from statistics import mean, median

from bench.agentic_thread import agentic_thread
from bench.context.documented_rules import DocumentedRules
from bench.context.fixed_part import SLIM
from bench.context.our_plan import OurPlan
from bench.context.policy import Sent
from bench.llama_server import Prompt, first_token, running
from bench.percentiles import percentile
from bench.report import Figure, Report
from dev.component import ensure
from dev.demonstration_model.models import DEMONSTRATION_MODELS
from dev.demonstration_model.service import fetch
from dev.places import VOCABULARY
from dev.vocabulary import TOKEN_VOCABULARY
from engine.context.budget import Budget
from engine.llm.tokenizer import Tokenizer

MODEL = "small"
WINDOW = DEMONSTRATION_MODELS["1.5b"].window
RESERVE = WINDOW // 4


@dataclass
class Thread:
    """What the requests of one thread were found to be, in their order."""

    prompts: list[Prompt] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    compactions: int = 0

    def add(self, server: str, sent: Sent) -> None:
        """Ask the server, and keep what it says."""
        prompt, took = first_token(server, {"model": "any", "messages": sent.messages, "tools": SLIM.tools})
        self.prompts.append(prompt)
        self.milliseconds.append(took)
        self.compactions += sent.has_compacted

    @property
    def cached_percent(self) -> float:
        cached = sum(prompt.cached for prompt in self.prompts)
        return 100 * cached / sum(prompt.tokens for prompt in self.prompts)


def measure() -> Report:
    ensure(TOKEN_VOCABULARY)
    os.environ["TIKTOKEN_CACHE_DIR"] = str(VOCABULARY)
    fetch(MODEL)
    ours, documented = _threads()
    return Report(
        name="local-cache",
        title="The prompt cache of a local server",
        how=(
            f"One generated thread of {len(ours.prompts)} requests (wishes, rounds of tool calls, answers), planned "
            f"twice for a window of {WINDOW:,} tokens, which is the demonstration model's. Its results are short, so "
            "that the documented rules, which cap none, stay within it. Both have the fixed part of small windows, "
            f"about 1,200 tokens. Each has a fresh llama.cpp server over {DEMONSTRATION_MODELS[MODEL].label}, started "
            "as `make run` starts it, with the demonstration model's chat template; they are asked in turn, one token "
            "each, so that what disturbs one disturbs the other. Cached and read tokens are the server's own account. "
            "Answers come from the thread and not from the model, so either server reads them once. Other programs "
            "lengthen times: compare the medians."
        ),
        figures=figures(ours, documented),
        table=table({"plan()": ours, "documented rules": documented}),
    )


def figures(ours: Thread, documented: Thread) -> list[Figure]:
    share, their_share = ours.cached_percent, documented.cached_percent
    wait, their_wait = median(ours.milliseconds), median(documented.milliseconds)
    return [
        Figure(
            "cached share of the prompts",
            f"{share:.1f} %",
            f"> {their_share:.1f} %, the documented rules'",
            share > their_share,
        ),
        Figure(
            "time to the first token, median",
            f"{wait:,.0f} ms",
            f"≤ half of {their_wait:,.0f} ms",
            wait <= their_wait / 2,
        ),
    ]


COLUMNS = (
    "policy",
    "cached",
    "read per request",
    "prompt per request",
    "largest prompt",
    "first token, median",
    "p95",
    "first request",
    "compactions",
)


def table(threads: dict[str, Thread]) -> str:
    head = f"| {' | '.join(COLUMNS)} |\n|---|{'--:|' * (len(COLUMNS) - 1)}"
    return "\n".join(
        [head, *(f"| {' | '.join([name, *_cells(thread)])} |" for name, thread in threads.items())]
    )


def _cells(thread: Thread) -> list[str]:
    prompts, times = thread.prompts, thread.milliseconds
    return [
        f"{thread.cached_percent:.1f} %",
        f"{mean(prompt.evaluated for prompt in prompts):,.0f}",
        f"{mean(prompt.tokens for prompt in prompts):,.0f}",
        f"{max(prompt.tokens for prompt in prompts):,}",
        f"{median(times):,.0f} ms",
        f"{percentile(times, 95):,.0f} ms",
        f"{times[0]:,.0f} ms",
        f"{thread.compactions}",
    ]


def _threads() -> tuple[Thread, Thread]:
    tokenizer = Tokenizer()
    asyncio.run(tokenizer.load())
    our_plan, rules = OurPlan(SLIM, Budget(WINDOW, RESERVE), "slim", tokenizer.count), DocumentedRules(SLIM)
    ours, documented = Thread(), Thread()
    with running(MODEL) as our_server, running(MODEL) as their_server:
        for conversation in agentic_thread().requests():
            ours.add(our_server, our_plan.request(conversation))
            our_plan.learn(ours.prompts[-1].tokens)
            documented.add(their_server, rules.request(conversation))
    return ours, documented
