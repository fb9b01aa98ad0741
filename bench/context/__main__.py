"""`python -m bench.context`: the requests of long conversations, by our plan and by the documented rules."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import Pool
from statistics import median

from bench.report import Figure, Report, at_most
from engine.context.budget import Budget
from engine.context.frame import SystemForm
from engine.context.tokens import count_text

from .conversations import TURNS, conversation
from .documented_rules import DocumentedRules
from .fixed_part import FULL, SLIM, FixedPart
from .measure import Totals, measure
from .our_plan import OurPlan
from .policy import Policy
from .wishes import LANGUAGES, wishful_conversation

CONVERSATIONS = 200
PROCESSES = 2
LONGEST_RESERVE = 4_096


@dataclass(frozen=True)
class Setting:
    """A window, and what of it is worked in. `working` None leaves that to the product's own default."""

    name: str
    window: int
    fixed: FixedPart = FULL
    form: SystemForm = "full"
    working: int | None = None

    @property
    def reserve(self) -> int:
        return min(LONGEST_RESERVE, self.window // 4)

    @property
    def room(self) -> int:
        return self.window - self.reserve

    def budget(self) -> Budget:
        return (
            Budget(self.window, self.reserve, self.working)
            if self.working
            else Budget(self.window, self.reserve)
        )


SMALL = Setting("8k", 8_192, SLIM, "slim")
MIDDLE = Setting("32k", 32_000)
WIDER = Setting("48k working set", 128_000, working=48_000)
LARGE = Setting("128k", 128_000)
OURS, DOCUMENTED = "plan()", "documented rules"

WISHFUL = ((SMALL, 40, 85), (MIDDLE, 40, 100), (MIDDLE, 250, 80))
"""Where the wishes of long threads are looked for: window, turns, and the share of them that is to be present."""

Row = tuple[str, str]
"""The names of a setting and of a policy."""


def rows_of(seed: int, turns: int) -> dict[Row, Totals]:
    """Everything that is measured on one conversation."""
    generated = conversation(seed, turns)
    count = lru_cache(maxsize=20_000)(count_text)
    found: dict[Row, Totals] = {}

    def add(policy: Policy, name: str, fixed: FixedPart, settings: tuple[Setting, ...]) -> None:
        measured = measure(generated, policy, fixed, [setting.room for setting in settings])
        for setting, totals in zip(settings, measured, strict=True):
            found[setting.name, name] = totals

    add(DocumentedRules(SLIM), DOCUMENTED, SLIM, (SMALL,))
    add(DocumentedRules(FULL), DOCUMENTED, FULL, (MIDDLE, LARGE))
    for setting in (SMALL, MIDDLE, WIDER, LARGE):
        plan = OurPlan(setting.fixed, setting.budget(), setting.form, count)
        add(plan, OURS, setting.fixed, (setting,))
    return found


def wishes_of(seed: int) -> dict[Row, Totals]:
    """What is left of the wishes of one person who writes at length."""
    count = lru_cache(maxsize=20_000)(count_text)
    found: dict[Row, Totals] = {}
    for setting, turns, _ in WISHFUL:
        plan = OurPlan(setting.fixed, setting.budget(), setting.form, count)
        generated = wishful_conversation(seed, turns)
        (found[setting.name, str(turns)],) = measure(generated, plan, setting.fixed, [setting.room])
    return found


def _rows_of(arguments: tuple[int, int]) -> dict[Row, Totals]:
    return rows_of(*arguments)


def sums(parts: Iterable[dict[Row, Totals]]) -> dict[Row, Totals]:
    found: dict[Row, Totals] = {}
    for part in parts:
        for row, totals in part.items():
            found[row] = found.get(row, Totals()) + totals
    return found


def figures(found: dict[Row, Totals]) -> list[Figure]:
    small, middle, wider = (found[setting.name, OURS] for setting in (SMALL, MIDDLE, WIDER))
    documented = found[MIDDLE.name, DOCUMENTED]
    return [
        _at_least("32k: cached share of what is sent", middle.cached_percent, 93),
        at_most(
            "32k: cost per request, cached tokens at a tenth", middle.cost(cached=0.1), 3_300, "tokens", 0
        ),
        Figure("32k: the same under the documented rules", f"{documented.cost(cached=0.1):,.0f} tokens"),
        _at_least("32k: requests with the whole rules", middle.percent(middle.with_rules), 100),
        _at_least("32k: goals present", _share(middle.goals, middle.goals_asked), 100),
        _at_least("32k: decisions present", _share(middle.decisions, middle.decisions_asked), 65),
        _at_least("48k working set: decisions present", _share(wider.decisions, wider.decisions_asked), 90),
        _at_least(
            "32k: tool facts present or reachable by handle",
            _share(middle.facts_reachable, middle.facts_asked),
            100,
        ),
        at_most("32k: compactions per 100 requests", middle.percent(middle.compactions), 8, ""),
        at_most("8k: requests over the window", small.overflows, 0, "", 0),
        at_most("all windows: requests over the window", _of_ours(found, "overflows"), 0, "", 0),
        at_most("all windows: requests with broken pairs", _of_ours(found, "broken_pairs"), 0, "", 0),
    ]


def _wishful(conversations: int) -> int:
    """One of ten, and at least one in each of the languages."""
    return max(len(LANGUAGES), conversations // 10)


def _of_ours(found: dict[Row, Totals], name: str) -> int:
    return sum(getattr(totals, name) for (_, policy), totals in found.items() if policy == OURS)


def _share(value: float, asked: int) -> float:
    return 100 * value / asked


def wish_figures(wishes: dict[Row, Totals]) -> list[Figure]:
    return [
        _at_least(
            f"{setting.name}: wishes present over {turns} turns",
            _wishes_present(wishes, setting, turns),
            goal,
        )
        for setting, turns, goal in WISHFUL
    ]


def wish_table(wishes: dict[Row, Totals]) -> str:
    head = "| window | turns | requests | wishes present | cached | compactions per 100 |\n|---|--:|--:|--:|--:|--:|"
    rows = [
        f"| {name} | {turns} | {totals.requests:,} | {_share(totals.goals, totals.goals_asked):.1f} % "
        f"| {totals.cached_percent:.1f} % | {totals.percent(totals.compactions):.1f} |"
        for (name, turns), totals in wishes.items()
    ]
    return "\n".join([head, *rows])


def _wishes_present(wishes: dict[Row, Totals], setting: Setting, turns: int) -> float:
    totals = wishes[setting.name, str(turns)]
    return _share(totals.goals, totals.goals_asked)


def _at_least(what: str, measured: float, goal: float) -> Figure:
    return Figure(what, f"{measured:.2f} %", goal=f"≥ {goal:g} %", reached=measured >= goal)


COLUMNS = (
    "window", "policy", "sent per request", "largest", "cached", "cost at 0.1", "cost at 0.5",
    "cost, write 1.25, read 0.1", "over the window", "pairs broken", "rules", "goals", "decisions", "facts present",
    "facts reachable", "compactions per 100", "plan ms, steady", "plan ms, compacting",
)  # fmt: skip


def table(found: dict[Row, Totals]) -> str:
    head = f"| {' | '.join(COLUMNS)} |\n|---|---|{'--:|' * (len(COLUMNS) - 2)}"
    order = [setting.name for setting in (SMALL, MIDDLE, WIDER, LARGE)]
    rows = sorted(found, key=lambda row: (order.index(row[0]), row[1]))
    return "\n".join([head, *(f"| {' | '.join([*row, *_cells(found[row])])} |" for row in rows)])


def _cells(totals: Totals) -> list[str]:
    return [
        f"{totals.per_request(totals.sent):,.0f}",
        f"{totals.largest:,}",
        f"{totals.cached_percent:.1f} %",
        f"{totals.cost(cached=0.1):,.0f}",
        f"{totals.cost(cached=0.5):,.0f}",
        f"{totals.cost(cached=0.1, written=1.25):,.0f}",
        f"{totals.percent(totals.overflows):.1f} %",
        f"{totals.percent(totals.broken_pairs):.1f} %",
        f"{totals.percent(totals.with_rules):.1f} %",
        f"{_share(totals.goals, totals.goals_asked):.1f} %",
        f"{_share(totals.decisions, totals.decisions_asked):.1f} %",
        f"{_share(totals.facts, totals.facts_asked):.1f} %",
        f"{_share(totals.facts_reachable, totals.facts_asked):.1f} %",
        f"{totals.percent(totals.compactions):.1f}",
        _median(totals.steady_milliseconds),
        _median(totals.compaction_milliseconds),
    ]


def _median(values: list[float]) -> str:
    return f"{median(values):.2f}" if values and max(values) > 0 else "–"


def report(found: dict[Row, Totals], wishes: dict[Row, Totals], conversations: int, turns: int) -> Report:
    requests = found[MIDDLE.name, OURS].requests
    return Report(
        name="bench-context",
        command="make bench-context",
        title="Requests of long conversations",
        how=(
            f"{conversations} generated conversations of {turns} turns, {requests:,} requests in all, each "
            "about 135,000 tokens before anything is left out. Results are as long as those of the tools: workflows "
            "of up to 75 nodes in compact form, node information, model lists, runs; each gets the room that the "
            "product would give it. Planted in them: wishes in user messages and "
            "decisions in answers, each a sentence at a random place among others, and facts that stand only "
            "in a tool result, at a random depth of it. All are looked for in every later request, word for "
            "word. The documented rules are those of an earlier assistant: 12,000 characters of system "
            "context in the first request and a short continuation in all others, the newest 24 messages, the "
            "results of the two newest rounds. One estimate counts for both, 0.3 tokens for an ASCII "
            "character and more for digits; cached is the longest common prefix with the thread's previous "
            "request, tools first. The fixed part is 4,000 tokens of tools and 3,000 of rules, at 8k about "
            "1,000 and 750. Times are processor time. No model is called: "
            "this says what a model is shown, not what it makes of it. The second table is of "
            f"{_wishful(conversations)} other conversations, in English, German, Chinese and Finnish, with "
            "messages of 10 to 3,000 words and a wish at a random place in six of ten, a tenth of them an "
            "earlier one with another number; all that still hold are looked for word for word in each request."
        ),
        figures=[*figures(found), *wish_figures(wishes)],
        table=f"{table(found)}\n\n{wish_table(wishes)}",
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.context", description=__doc__)
    parser.add_argument("--conversations", type=int, default=CONVERSATIONS, help=f"default {CONVERSATIONS}")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"default {TURNS}")
    parser.add_argument("--first-seed", type=int, default=0, help="default 0")
    parser.add_argument(
        "--write", action="store_true", help="write docs/benchmarks.md after a smaller run too"
    )
    given = parser.parse_args(arguments)
    started = time.monotonic()
    seeds = range(given.first_seed, given.first_seed + given.conversations)
    with Pool(PROCESSES) as pool:
        found = sums(pool.imap_unordered(_rows_of, [(seed, given.turns) for seed in seeds]))
        wishes = sums(
            pool.imap_unordered(
                wishes_of, range(given.first_seed, given.first_seed + _wishful(given.conversations))
            )
        )
    is_whole = given.conversations >= CONVERSATIONS and given.turns == TURNS
    made = report(found, wishes, given.conversations, given.turns)
    print(made.as_text(), end="\n\n")
    print(f"{time.monotonic() - started:.0f} s")
    if is_whole or given.write:
        made.write()
    else:
        print(f"docs/benchmarks.md is written by a run of {CONVERSATIONS} conversations of {TURNS} turns.")
    for figure in made.missed():
        print(f"MISSED: {figure.what} is {figure.measured}, the goal is {figure.goal}", file=sys.stderr)
    return 1 if made.missed() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
