"""The growth of a computation's time with its input; a bare time would depend on the machine."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMES = 8
TRIES = 3
MOST_AS_LONG = 8


def grows_in_proportion(run: Callable[[int], object], size: int) -> bool:
    """Return whether `TIMES` the size takes less than three times `TIMES` as long, in processor time, the shortest of
    some tries.

    `run` is given a size. With quadratic growth it would take `TIMES` times `TIMES` as long.
    """
    short, long = (min(_seconds(run, each) for _ in range(TRIES)) for each in (size, size * TIMES))
    return long < 3 * TIMES * short


def _seconds(run: Callable[[int], object], size: int) -> float:
    began = time.process_time()
    run(size)
    return time.process_time() - began


def takes_about_as_long(run: Callable[[], object], plain: Callable[[], object]) -> bool:
    """Return whether `run` takes at most `MOST_AS_LONG` times as long as `plain`, the same work by Python or a library.

    The times are processor times of this thread, the shortest of some tries.
    """
    return shortest(run) < MOST_AS_LONG * shortest(plain)


def shortest(run: Callable[[], object], tries: int = 5) -> float:
    """Return the shortest time of some tries, in seconds of this thread's processor time."""
    return min(_thread_seconds(run) for _ in range(tries))


def _thread_seconds(run: Callable[[], object]) -> float:
    began = time.thread_time()
    run()
    return time.thread_time() - began
