"""A person's Stop, wherever the turn is: a response of this process or another one, or a tool that a page runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

from ..comfy_user import DEFAULT_USER, acting_for, current_user
from ..store.processes.process_news import ProcessNews
from .live_turns import LiveTurns
from .pages.shared_pages import SharedPages
from .pages.turn_pages import TurnPages
from .running import RunningTurns

STOP_EVENT = "comfyui-assistant.stop"
"""What the page is told over ComfyUI's websocket that runs a tool of the turn: `{thread, answer?}`."""
_PATIENCE_SECONDS = 10.0
"""For another process, which writes down what its response had."""
_LOOK_SECONDS = 0.1

TellPage = Callable[[str, str, Mapping[str, Any]], None]


class Stops:
    """`news` and `shared` are there where other processes may share the store."""

    def __init__(
        self,
        turns: LiveTurns,
        pages: TurnPages,
        tell_page: TellPage,
        *,
        running: RunningTurns,
        shared: SharedPages | None = None,
        news: ProcessNews | None = None,
    ) -> None:
        self._turns = turns
        self._pages = pages
        self._tell_page = tell_page
        self._running = running
        self._shared = shared
        self._news = news
        self._heard: set[asyncio.Task[bool]] = set()

    def listen(self) -> None:
        """From now on to the Stops of other processes: before there is a turn, there is nothing to stop."""
        if self._news is not None:
            self._news.listen(self._hear)

    async def stop(
        self,
        thread_id: str,
        *,
        response: str | None = None,
        answer: str | None = None,
        question: str | None = None,
    ) -> bool:
        """Whether a response was stopped: the one of that name, or the one in the message `answer`, else whichever
        runs. Unless a response is named, other processes are asked, and the page is told that makes the calls of the
        turn. There a Stop arrives later: `question` is the newest message where it is the person's, and another one's
        turn is not meant.
        """
        if await self._stop_here(thread_id, response, answer):
            return True
        if self._news is None or response is not None:
            return False
        return await self._stop_elsewhere(self._news, thread_id, answer, question)

    def close(self) -> None:
        if self._news is not None:
            self._news.close()

    async def _stop_here(self, thread_id: str, response: str | None, answer: str | None) -> bool:
        if response is None and (socket := self._pages.socket(thread_id)) is not None:
            self._tell_page(
                socket, STOP_EVENT, {"thread": thread_id, **({"answer": answer} if answer else {})}
            )
        return await self._turns.stop(thread_id, response, answer=answer)

    async def _stop_elsewhere(
        self, news: ProcessNews, thread_id: str, answer: str | None, question: str | None
    ) -> bool:
        was_answering = await self._running.is_elsewhere(thread_id)
        if not was_answering and not await self._has_page_elsewhere(thread_id):
            return False
        told = {"user": current_user(), "stop": thread_id, "answer": answer, "question": question}
        if not await news.tell(told):
            return False
        end = time.monotonic() + _PATIENCE_SECONDS
        while await self._running.is_elsewhere(thread_id) or await self._has_page_elsewhere(thread_id):
            if time.monotonic() > end:
                return False
            await asyncio.sleep(_LOOK_SECONDS)
        return was_answering

    async def _has_page_elsewhere(self, thread_id: str) -> bool:
        return self._shared is not None and await self._shared.is_elsewhere(thread_id)

    def _hear(self, news: Mapping[str, Any]) -> None:
        match news:
            case {
                "stop": str(thread_id),
                "user": str() | None as user,
                "answer": str() | None as answer,
                "question": str() | None as question,
            }:
                with acting_for(user or DEFAULT_USER):
                    task = asyncio.create_task(self._stop_heard(thread_id, answer, question))
                self._heard.add(task)
                task.add_done_callback(self._heard.discard)

    async def _stop_heard(self, thread_id: str, answer: str | None, question: str | None) -> bool:
        live = self._turns.running(thread_id)
        if answer is None and live is not None and question not in (None, live.question):
            return False
        if answer in (None, self._pages.answer(thread_id)):
            self._pages.stop(thread_id)
        return await self._stop_here(thread_id, None, answer)
