"""Sampler names as people write them: "DPM++ 2M", "Euler a" and "UniPC" are dpmpp_2m, euler_ancestral and uni_pc."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ANCESTRAL = re.compile(r"(?<![a-z0-9])a(?![a-z0-9])")
_OTHER = re.compile(r"[\W_]+")
_SCHEDULER = re.compile(
    r"(.+?)(karras|exponential|sgmuniform|ddimuniform|simple|normal|beta|linearquadratic|kloptimal)"
)


def common_name(name: str) -> str:
    """Return the one spelling that all spellings of a name share."""
    return _OTHER.sub("", _ANCESTRAL.sub("ancestral", name.lower()).replace("+", "p"))


def sampler_and_scheduler(name: str, samplers: Iterable[str]) -> tuple[str, str] | None:
    """Split a name such as "dpm++ 2m karras" into the sampler and the scheduler, without underscores."""
    match = _SCHEDULER.fullmatch(common_name(name))
    found = [sampler for sampler in samplers if match and common_name(sampler) == match[1]]
    return (found[0], match[2]) if match and len(found) == 1 else None
