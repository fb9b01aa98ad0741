"""From a model's own counts to an upper bound of the next one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

_LOWEST, _HIGHEST = 0.5, 3.0
_NEWEST_SHARE = 0.75
"""Requests of one thread resemble each other, so the newest tells most."""
_NEWEST_SURPRISE_SHARE = 0.1
_FIRST_MARGIN, _LEAST_MARGIN, _MOST_MARGIN = 0.15, 0.05, 0.5
_SPREADS, _SHORTFALLS = 3.0, 1.25
_FORGETTING = 0.95
_CLAUDE = re.compile(
    r"claude-(?:[a-z]+-)?(?P<major>\d{1,2})(?:[.-](?P<minor>\d{1,2})(?!\d))?(?!\d)", re.IGNORECASE
)


@dataclass(frozen=True)
class Calibration:
    """What the requests to one model have taught about estimates for it.

    `ratio` is reported by estimated tokens, `n` the number of requests seen. `spread` is the mean distance of a
    request from the ratio before it, and `shortfall` the largest by which one went over it, slowly forgotten; both as
    shares.
    """

    ratio: float = 1.0
    n: int = 0
    spread: float = 0.0
    shortfall: float = 0.0

    @property
    def margin(self) -> float:
        """The share that is added on top: 15 % before the first request, 5 % at the least."""
        first_share = _FIRST_MARGIN / (1 + self.n) ** 0.5
        share = max(first_share, _SPREADS * self.spread, _SHORTFALLS * self.shortfall)
        return min(_MOST_MARGIN, max(_LEAST_MARGIN, share))

    @property
    def factor(self) -> float:
        """What an estimate is multiplied by to get an upper bound."""
        return self.ratio * (1 + self.margin)

    def observe(self, estimate: int, input_tokens: int) -> Calibration:
        """Learn from one request: its estimate as counted, and the input that the provider reported, cached included.

        A request that the server has cut silently teaches nothing and must not be given.
        """
        if estimate <= 0 or input_tokens <= 0:
            return self
        ratio = _clamp(input_tokens / estimate)
        share = max(_NEWEST_SHARE, 1 / (self.n + 1))
        # Against the ratio from before: how far off the next request may be as well.
        surprise = ratio / self.ratio - 1 if self.n else 0.0
        return Calibration(
            ratio=_clamp(self.ratio + share * (ratio - self.ratio)),
            n=self.n + 1,
            spread=self.spread
            + max(_NEWEST_SURPRISE_SHARE, 1 / max(1, self.n)) * (abs(surprise) - self.spread),
            shortfall=max(self.shortfall * _FORGETTING, surprise),
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Calibration | None:
        """What `as_json` gave; None for anything else."""
        if not isinstance(value, Mapping):
            return None
        ratio, n, spread, shortfall = (
            _number(value.get(name)) for name in ("ratio", "n", "spread", "shortfall")
        )
        if not (_LOWEST <= ratio <= _HIGHEST and 0 <= n < 1e9 and 0 <= spread < 10 and 0 <= shortfall < 10):
            return None
        return cls(ratio, int(n), spread, shortfall)


def first_calibration(model: str) -> Calibration:
    """What is known before the first request: Claude's tokens are smaller than OpenAI's, from 4.7 on much smaller."""
    match = _CLAUDE.search(model)
    if match is None:
        return Calibration(ratio=1.25 if "claude" in model.lower() else 1.0)
    version = (int(match["major"]), int(match["minor"] or 0))
    return Calibration(ratio=1.6 if version >= (4, 7) else 1.25)


def _clamp(ratio: float) -> float:
    return min(_HIGHEST, max(_LOWEST, ratio))


def _number(value: object) -> float:
    """The number, or NaN, with which every comparison fails."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else float("nan")
