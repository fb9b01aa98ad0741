"""How many random cases each property is tried with: over 2,000 in every run, over 100,000 at night."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings

COUNTS = {
    "single requests": 1_440,
    "growing threads": 140,
    "requests planned again": 120,
    "requests after a refusal": 140,
    "histories that begin with a result": 100,
    "threads through everything": 60,
    "turns that fail": 20,
}
TIMES = int(os.environ.get("PROPERTY_CASES_TIMES", "1"))
"""1 in the suite, where the same cases are tried each time; more at night, with other cases each time."""

_CHECKS = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)


def profile(what: str, **options: Any) -> settings:
    return settings(
        max_examples=COUNTS[what] * TIMES,
        deadline=None,
        derandomize=TIMES == 1,
        suppress_health_check=_CHECKS,
        **options,
    )


def cases(what: str) -> Callable[[Any], Any]:
    return profile(what)
