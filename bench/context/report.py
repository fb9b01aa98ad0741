"""Many conversations in windows of several sizes, and what becomes of all that was said in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import Pool
from statistics import median

from bench.report import Figure, Report, at_most
from engine.context.budget import Budget, reply_reserve
from engine.context.frame import SystemForm
from engine.context.tokens import count_text

from .conversations import TURNS, Conversation, conversation
from .fixed_part import FULL, SLIM, FixedPart
from .measure import Totals, totals_of
from .planner import Planner
from .wishes import LANGUAGES, wishful_conversation

CONVERSATIONS, WISHFUL_CONVERSATIONS = 24, len(LANGUAGES)
PROCESSES = 2


@dataclass(frozen=True)
class Setting:
    """A window, and what of it is worked in. `working` None leaves that to the product's own default."""

    name: str
    window: int
    fixed: FixedPart = FULL
    form: SystemForm = "full"
    working: int | None = None

    def totals_of(self, spoken: Conversation) -> Totals:
        budget = Budget(self.window, reply_reserve(self.window), self.working)
        count = lru_cache(maxsize=20_000)(count_text)
        planner = Planner(self.fixed, budget, self.form, count)
        return totals_of(spoken, planner, self.fixed, room=budget.window - budget.reserve)


SMALL = Setting("8k", 8_192, SLIM, "slim")
MIDDLE = Setting("32k", 32_000)
WIDER = Setting("48k working set", 128_000, working=48_000)
LARGE = Setting("128k", 128_000)
SETTINGS = (SMALL, MIDDLE, WIDER, LARGE)

WISHFUL = ((SMALL, 40, 85), (MIDDLE, 40, 100), (MIDDLE, 250, 80))
"""Where the wishes of long threads are looked for: window, turns, and the share of them that is to be present."""

Rows = Mapping[str, Totals]


def measure() -> Report:
    with Pool(PROCESSES) as pool:
        found = _sums(pool.imap_unordered(rows_of, range(CONVERSATIONS)))
        wishes = _sums(pool.imap_unordered(wishful_rows_of, range(WISHFUL_CONVERSATIONS)))
    return Report(
        name="context",
        title="Requests of long conversations",
        how=(
            f"{CONVERSATIONS} generated conversations of {TURNS} turns, {found[MIDDLE.name].requests:,} requests in "
            "all, each about 135,000 tokens before anything is left out. Results are as long as those of the tools: "
            "workflows of up to 75 nodes in compact form, node information, model lists, runs; each gets the room that "
            "the product would give it. Planted in them: wishes in user messages and decisions in answers, each a "
            "sentence at a random place among others, and facts that stand only in a tool result, at a random depth of "
            "it. All are looked for in every later request, word for word. A character is estimated at 0.3 tokens, "
            "more if it is a digit or not ASCII; cached is the longest common prefix with the thread's previous "
            "request, tools first. The fixed part is 4,000 tokens of tools and 3,000 of rules, at 8k about 1,000 and "
            "750. Times are processor time. No model is called: this says what a model is shown, not what it makes of "
            f"it. The second table is of {WISHFUL_CONVERSATIONS} other conversations, in English, German, Chinese and "
            "Finnish, with messages of 10 to 3,000 words and a wish at a random place in six of ten, a tenth of them "
            "an earlier one with another number; all that still hold are looked for word for word in each request."
        ),
        figures=[*figures(found), *wish_figures(wishes)],
        table=f"{table(found)}\n\n{wish_table(wishes)}",
    )


def rows_of(seed: int) -> Rows:
    spoken = conversation(seed)
    return {setting.name: setting.totals_of(spoken) for setting in SETTINGS}


def wishful_rows_of(seed: int) -> Rows:
    """What is left of the wishes of one person who writes at length."""
    return {
        f"{setting.name} | {turns}": setting.totals_of(wishful_conversation(seed, turns))
        for setting, turns, _ in WISHFUL
    }


def _sums(parts: Iterable[Rows]) -> Rows:
    found: dict[str, Totals] = {}
    for part in parts:
        for name, totals in part.items():
            found[name] = found.get(name, Totals()) + totals
    return found


def figures(found: Rows) -> list[Figure]:
    middle, wider = found[MIDDLE.name], found[WIDER.name]
    return [
        _at_least("32k: cached share of what is sent", middle.cached_percent, 93),
        at_most("32k: cost per request, cached tokens at a tenth", middle.cost, 3_300, "tokens", 0),
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
        at_most("all windows: requests over the window", _sum(found, "overflows"), 0, "", 0),
        at_most("all windows: requests with broken pairs", _sum(found, "broken_pairs"), 0, "", 0),
        at_most("32k: planning a request, median", median(middle.steady_milliseconds), 2, "ms", 2),
        at_most("the same where it compacts, median", median(middle.compaction_milliseconds), 30, "ms"),
    ]


def wish_figures(wishes: Rows) -> list[Figure]:
    return [
        _at_least(
            f"{setting.name}: wishes present over {turns} turns",
            _share(totals.goals, totals.goals_asked),
            goal,
        )
        for setting, turns, goal in WISHFUL
        for totals in [wishes[f"{setting.name} | {turns}"]]
    ]


def table(found: Rows) -> str:
    columns = (
        *("sent per request", "largest", "cached", "cost at 0.1", "goals", "decisions", "facts present"),
        *("facts reachable", "compactions per 100", "plan ms, steady", "plan ms, compacting"),
    )
    head = f"| window | {' | '.join(columns)} |\n|---|{'--:|' * len(columns)}"
    return "\n".join([head, *(f"| {name} | {' | '.join(_cells(found[name]))} |" for name in found)])


def _cells(totals: Totals) -> list[str]:
    return [
        f"{totals.sent / totals.requests:,.0f}",
        f"{totals.largest:,}",
        f"{totals.cached_percent:.1f} %",
        f"{totals.cost:,.0f}",
        f"{_share(totals.goals, totals.goals_asked):.1f} %",
        f"{_share(totals.decisions, totals.decisions_asked):.1f} %",
        f"{_share(totals.facts, totals.facts_asked):.1f} %",
        f"{_share(totals.facts_reachable, totals.facts_asked):.1f} %",
        f"{totals.percent(totals.compactions):.1f}",
        f"{median(totals.steady_milliseconds):.2f}",
        f"{median(totals.compaction_milliseconds):.2f}",
    ]


def wish_table(wishes: Rows) -> str:
    head = "| window | turns | requests | wishes present | cached | compactions per 100 |\n|---|--:|--:|--:|--:|--:|"
    rows = [
        f"| {name} | {totals.requests:,} | {_share(totals.goals, totals.goals_asked):.1f} % "
        f"| {totals.cached_percent:.1f} % | {totals.percent(totals.compactions):.1f} |"
        for name, totals in wishes.items()
    ]
    return "\n".join([head, *rows])


def _sum(found: Rows, name: str) -> int:
    return sum(getattr(totals, name) for totals in found.values())


def _share(value: float, asked: int) -> float:
    return 100 * value / asked


def _at_least(what: str, measured: float, goal: float) -> Figure:
    return Figure(what, f"{measured:.2f} %", goal=f"≥ {goal:g} %", reached=measured >= goal)
