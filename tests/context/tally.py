"""What the property tests tried: the cases, how often each invariant was checked, and how often it did not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

FAULTS = {
    "I1": "overflows",
    "I2": "broken pairs",
    "I3": "lost goals",
    "I4": "other bytes of the same, a restart included",
    "I5": "requests that do not begin with the one before",
    "I6": "results that came back, condensings that did not pay",
    "I7": "results left out without a name, or not found by it",
    "I8": "threads that lost something to an error",
    "I9": "changed rules or tools",
    "I10": "data that stood where an instruction stands",
}
"""The invariants of the context engine (docs/architecture.md), each by what it looks like where it does not hold."""

CASES: Counter[str] = Counter()
"""Random cases that were tried, by what they are."""
REQUESTS: Counter[str] = Counter()
"""Planned requests that were checked, by the same."""
CHECKED: Counter[str] = Counter()
FOUND: Counter[str] = Counter()


@contextmanager
def invariant(name: str) -> Iterator[None]:
    """Counts a check of an invariant, and whether it held; its failure says which one it is."""
    CHECKED[name] += 1
    try:
        yield
    except AssertionError as failure:
        FOUND[name] += 1
        raise AssertionError(f"{name}, {FAULTS[name]}: {failure}") from failure


def summary() -> list[str]:
    """What a nightly run found, line by line."""
    cases = [f"{count:>11,} {what}" for what, count in sorted(CASES.items())]
    checks = [
        f"{name:>4} {CHECKED[name]:>11,} checks, {FOUND[name]} {fault}" for name, fault in FAULTS.items()
    ]
    total = (
        f"{CASES.total():,} cases with {REQUESTS.total():,} planned requests and {CHECKED.total():,} checks: "
        f"{FOUND.total()} did not hold"
    )
    return [*cases, *checks, total]
