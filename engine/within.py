"""Waiting for something for so long, and no longer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

Result = TypeVar("Result")


async def within(seconds: float, work: Awaitable[Result]) -> Result:
    """What comes of `work`, which is over in any case when this returns.

    `asyncio.wait_for` before Python 3.12 forgets a cancellation that comes in the same moment as the result: a Stop
    would be lost.

    Raises:
        asyncio.TimeoutError: it took longer.
    """
    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        await _cancel(task)
        raise
    if not done:
        await _cancel(task)
        raise asyncio.TimeoutError
    return task.result()


async def _cancel(task: asyncio.Future[Result]) -> None:
    task.cancel()
    await asyncio.wait({task})
