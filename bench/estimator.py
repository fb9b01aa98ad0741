"""How near the token counts come to a local model's own, and whether their upper bound holds."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

from bench.estimator_requests import STEPS, Request, requests
from bench.llama_server import post, running
from bench.report import Figure, Report
from dev.component import ensure
from dev.demonstration_model.models import DEMONSTRATION_MODELS
from dev.demonstration_model.service import fetch
from dev.places import MODELS, VOCABULARY
from dev.vocabulary import TOKEN_VOCABULARY
from engine.context.calibration import Calibration
from engine.context.tokens import count_messages_tokens, count_text, count_tools_tokens
from engine.llm.tokenizer import Tokenizer

LEARNED = 5
CHECKED = (0, STEPS, 2 * STEPS)


@dataclass(frozen=True)
class Trial:
    """A request after the fifth: how far the calibrated count was off, and by how much the bound fell short."""

    error: float
    shortfall: float
    margin: float
    begins_thread: bool


def measure() -> Report:
    ensure(TOKEN_VOCABULARY)
    os.environ["TIKTOKEN_CACHE_DIR"] = str(VOCABULARY)
    tokenizer = Tokenizer()
    asyncio.run(tokenizer.load())
    asked = requests()
    figures: list[Figure] = []
    fetch("small")
    for name, model in DEMONSTRATION_MODELS.items():
        if (MODELS / model.file).exists():
            true = own_counts(name, asked)
            label = model.label.split(" (")[0]
            figures += _figures(f"{label}, o200k", trials(asked, true, tokenizer.count), is_goal=True)
            figures += _figures(f"{label}, no vocabulary", trials(asked, true, count_text), is_goal=False)
    return Report(
        name="estimator",
        title="Token counts beside a model's own",
        how=(
            f"{len(asked)} requests in {len(asked) // STEPS} threads (chat, edits with calls and results, code, "
            "Chinese and Japanese, emoji, workflow JSON full of numbers, ten languages), one thread after the other, "
            "all with the same seven tools. The model's own count is the length of its rendered prompt in its own "
            f"tokens, which for {len(CHECKED)} requests was compared with the `prompt_tokens` of a real reply. Each "
            f"request is estimated before its count is learned; figures are of those after the first {LEARNED}. The "
            "first request of a thread meets another kind of content than the calibration has just learned, and is "
            "short."
        ),
        figures=figures,
    )


def trials(asked: list[Request], true: list[int], count: Callable[[str], int]) -> list[Trial]:
    calibration, made = Calibration(), []
    for number, (request, tokens) in enumerate(zip(asked, true, strict=True)):
        messages: Any = request.messages
        estimated = count_messages_tokens(messages, count) + count_tools_tokens(request.tools, count)
        made.append(
            Trial(
                error=abs(estimated * calibration.ratio - tokens) / tokens,
                shortfall=tokens / (estimated * calibration.factor) - 1,
                margin=calibration.margin,
                begins_thread=number % STEPS == 0,
            )
        )
        calibration = calibration.observe(estimated, tokens)
    return made[LEARNED:]


def _figures(name: str, made: list[Trial], *, is_goal: bool) -> list[Figure]:
    error = median(trial.error for trial in made)
    within = [trial for trial in made if not trial.begins_thread]
    first = [trial for trial in made if trial.begins_thread]
    goal, never = ("≤ 5 %", "0") if is_goal else ("", "")
    holds = all(trial.shortfall <= 0 for trial in within)
    return [
        Figure(f"{name}: median error", f"{error:.1%}", goal, error <= 0.05 if is_goal else None),
        Figure(f"{name}: bound too low within a thread", _too_low(within), never, holds if is_goal else None),
        Figure(f"{name}: bound too low at a thread's first request", _too_low(first)),
        Figure(f"{name}: mean margin", f"{mean(trial.margin for trial in made):.1%}"),
    ]


def _too_low(made: list[Trial]) -> str:
    short = [trial.shortfall for trial in made if trial.shortfall > 0]
    return f"{len(short)} of {len(made)}" + (f", by {max(short):.1%} at most" if short else "")


def own_counts(name: str, asked: list[Request]) -> list[int]:
    with running(name, niceness=10) as url:
        counts = [_own_count(url, request) for request in asked]
        for number in CHECKED:
            reply = post(f"{url}/v1/chat/completions", {**_body(asked[number]), "max_tokens": 1})
            if reply["usage"]["prompt_tokens"] != counts[number]:
                raise RuntimeError(
                    f"{name} counted {counts[number]} tokens in request {number} and reported {reply['usage']}."
                )
    return counts


def _own_count(url: str, request: Request) -> int:
    prompt = post(f"{url}/apply-template", _body(request))["prompt"]
    return len(
        post(f"{url}/tokenize", {"content": prompt, "add_special": True, "parse_special": True})["tokens"]
    )


def _body(request: Request) -> dict[str, Any]:
    return {"model": "any", "messages": request.messages, "tools": request.tools}
