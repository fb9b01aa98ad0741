"""The numbers of random cases of property tests: a tenth in other Pythons, fifty times as many at night.

Every property test has this profile, so that none depends on how busy the machine is. Each run has the same cases,
and only nightly runs have others.
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
"""The cases of the context engine's invariants (docs/architecture.md): over 2,000 in every run, over 100,000 at
night.
"""
TIMES = float(os.environ.get("PROPERTY_CASES_TIMES", "1"))

_CHECKS = (
    *(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example),
    HealthCheck.function_scoped_fixture,
)


def load_profile() -> None:
    """Apply the profile to each property test without settings of its own."""
    settings.register_profile(
        "ours",
        max_examples=_times(USUAL),
        deadline=None,
        derandomize=TIMES <= 1,
        suppress_health_check=_CHECKS,
    )
    settings.load_profile("ours")


def cases(count: int | str, **options: Any) -> settings:
    """Return the profile with another number of cases, or with that of an invariant."""
    usual = count if isinstance(count, int) else INVARIANTS[count]
    return settings(max_examples=_times(usual), **options)


def _times(count: int) -> int:
    return max(1, round(count * TIMES))
