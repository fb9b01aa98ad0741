"""How many random cases a property is tried with: few in every run, many more at night."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("PROPERTY_CASES_TIMES", "1"))
"""1 in the suite, where the same cases are tried each time; more at night, with other cases each time."""

_CHECKS = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)


def profile(count: int, **options: Any) -> settings:
    return settings(
        max_examples=count * TIMES,
        deadline=None,
        derandomize=TIMES == 1,
        suppress_health_check=_CHECKS,
        **options,
    )


def cases(count: int) -> Callable[[Any], Any]:
    return profile(count)
