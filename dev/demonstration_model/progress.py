"""How far a download is, for a terminal (one line that moves) or a log (a line now and then)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

_WIDTH = 28
_EIGHTHS = " ▏▎▍▌▋▊▉"
_SECONDS_BETWEEN_LINES = 5.0


class ProgressBar:
    def __init__(
        self, title: str, total: int, output: TextIO, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._title, self._total, self._output, self._clock = title, total, output, clock
        self._moves = output.isatty()
        self._began: tuple[float, int] | None = None
        self._shown_at = float("-inf")

    def __call__(self, done: int) -> None:
        now = self._clock()
        if self._began is None:
            self._began = (now, done)
        pause = 0.1 if self._moves else _SECONDS_BETWEEN_LINES
        if now - self._shown_at < pause and done < self._total:
            return
        self._shown_at = now
        line = progress_line(self._title, done, self._total, seconds_left=self._seconds_left(now, done))
        self._output.write(f"\r{line}\x1b[K" if self._moves else f"{line}\n")
        self._output.flush()

    def close(self) -> None:
        if self._moves and self._began is not None:
            self._output.write("\n")

    def _seconds_left(self, now: float, done: int) -> float | None:
        assert self._began is not None
        began, first = self._began
        if done <= first or now <= began:
            return None
        return (self._total - done) * (now - began) / (done - first)


def progress_line(title: str, done: int, total: int, *, seconds_left: float | None) -> str:
    share = min(done / total, 1.0)
    eighths = int(share * _WIDTH * 8)
    bar = "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths < _WIDTH * 8 else "")
    left = "" if seconds_left is None else f"  {int(seconds_left) // 60}:{int(seconds_left) % 60:02} left"
    return f"{title} ▕{bar:<{_WIDTH}}▏ {done / 1e6:,.0f} of {total / 1e6:,.0f} MB{left}"
