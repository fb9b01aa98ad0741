"""One thread that does all work on a database, with a way past all that waits for it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

Result = TypeVar("Result")


class OneThread:
    """Work is done in its caller's context variables, one after the other."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._urgent: deque[Callable[[], None]] = deque()

    async def do(self, work: Callable[[], Result]) -> Result:
        """Work that has begun is carried out, also where its caller is cancelled."""
        context = copy_context()

        def carry_out() -> Result:
            self._do_what_is_urgent()
            return context.run(work)

        return await asyncio.get_running_loop().run_in_executor(self._executor, carry_out)

    async def do_next(self, work: Callable[[], Result]) -> Result:
        """Ahead of all that waits: it begins when what is running is done, however much there is to do."""
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
        self._executor.submit(self._do_what_is_urgent)
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """Returns when all work is done."""
        self._executor.shutdown(wait=True)

    def _do_what_is_urgent(self) -> None:
        while self._urgent:
            self._urgent.popleft()()
