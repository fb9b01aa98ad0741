"""Work beside the requests: expired threads, the daily backup, and preparation of the first message."""

from __future__ import annotations

import asyncio
import logging

from .engine.base.caller import acting_for
from .engine.base.errors import AssistantError
from .engine.base.event_loop.background import BackgroundWork
from .engine.chat.thread_context.live_options import LiveOptions
from .engine.comfy.scan import EnvironmentScanner
from .engine.llm.tokenizer import Tokenizer
from .engine.store.retention import Retention
from .engine.store.threads import ThreadStore

logger = logging.getLogger(__name__)

_HOUR = 3_600.0


class Housekeeping:
    def __init__(
        self,
        background: BackgroundWork,
        live_options: LiveOptions,
        *,
        retention: Retention,
        threads: ThreadStore,
        tokenizer: Tokenizer,
        environment: EnvironmentScanner,
    ) -> None:
        self._background = background
        self._live_options = live_options
        self._retention = retention
        self._threads = threads
        self._tokenizer = tokenizer
        self._environment = environment

    def begin(self) -> None:
        """Tidy up and back up now, then every hour."""
        self._background.begin("tidying up old threads", self._tidy_for_ever())

    def make_ready(self) -> None:
        """Load what the first message needs: openai, the database, the vocabulary, the environment."""
        self._background.begin("warming up", self._warm_up())

    async def tidy(self) -> None:
        """Announce the threads that expire within a week, and remove those that have expired, by each owner's
        settings.
        """
        try:
            for user in await self._retention.owners():
                with acting_for(user):
                    days = (await self._live_options.current()).retention_days
                    await self._retention.announce(days)
                    await self._retention.apply(days)
        except AssistantError as error:
            logger.warning("old threads were not tidied up: %s %s", error.message, error.hint)

    async def _tidy_for_ever(self) -> None:
        while True:
            await self.tidy()
            await self._back_up()
            await asyncio.sleep(_HOUR)

    async def _back_up(self) -> None:
        try:
            await self._threads.back_up()
        except AssistantError as error:
            logger.warning("the chats were not backed up: %s %s", error.message, error.hint)

    async def _warm_up(self) -> None:
        await asyncio.to_thread(__import__, "openai")
        await self._threads.list()
        await self._tokenizer.load()
        await self._environment.snapshot()
