"""How many random cases each property is tried with: a tenth on other Pythons, fifty times as many at night.

Every property test of the suite has this profile, so that none depends on how busy the machine is, and a run tries the
same cases each time; only at night they are others.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings

USUAL = 100
INVARIANTS = {
    "single requests": 1_440,
    "growing threads": 140,
    "requests planned again": 120,
    "requests after a refusal": 140,
    "histories that begin with a result": 100,
    "threads through everything": 60,
    "turns that fail": 20,
}
"""The invariants of the context engine (docs/architecture.md): over 2,000 in every run, over 100,000 at night."""
TIMES = float(os.environ.get("PROPERTY_CASES_TIMES", "1"))

_CHECKS = (
    *(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example),
    HealthCheck.function_scoped_fixture,
)


def load_profile() -> None:
    """Let it hold for each property test that names no count of its own."""
    settings.register_profile(
        "ours",
        max_examples=_times(USUAL),
        deadline=None,
        derandomize=TIMES <= 1,
        suppress_health_check=_CHECKS,
    )
    settings.load_profile("ours")


def cases(count: int | str, **options: Any) -> settings:
    """The same profile with another count, or with that of an invariant."""
    usual = count if isinstance(count, int) else INVARIANTS[count]
    return settings(max_examples=_times(usual), **options)


def _times(count: int) -> int:
    return max(1, round(count * TIMES))
