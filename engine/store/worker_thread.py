"""A thread that does all work on a database, with a queue for urgent work."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

Result = TypeVar("Result")


class WorkerThread:
    """Runs work on one thread, one after the other, in the context variables of its caller."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._urgent: deque[Callable[[], None]] = deque()

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run work in its turn. Once begun, it is completed even if its caller is canceled."""
        context = copy_context()

        def carry_out() -> Result:
            self._run_urgent()
            return context.run(work)

        return await asyncio.get_running_loop().run_in_executor(self._executor, carry_out)

    async def run_next(self, work: Callable[[], Result]) -> Result:
        """Run work as soon as the running one is done, ahead of all that waits."""
        context = copy_context()
        done: Future[Result] = Future()

        def carry_out() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(context.run(work))
            except BaseException as error:
                done.set_exception(error)

        self._urgent.append(carry_out)
        self._executor.submit(self._run_urgent)
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """Wait until all work is done, then end the thread."""
        self._executor.shutdown(wait=True)

    def _run_urgent(self) -> None:
        while self._urgent:
            self._urgent.popleft()()
