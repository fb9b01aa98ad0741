"""The Stop button, wherever the turn is: a response of this or another process, or a tool that a tab runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .response_streams import ResponseStreams
from .turn_locks import TurnLocks
from .turn_tabs import TurnTabs

STOP_EVENT = "comfyui-assistant.stop"
"""The websocket event for the tab that runs a tool of the turn: `{thread, answer?}`."""

TellTab = Callable[[str, str, Mapping[str, Any]], None]


class Stops:
    """Stops turns, in this process or another one."""

    def __init__(
        self, response_streams: ResponseStreams, tabs: TurnTabs, tell_tab: TellTab, *, turn_locks: TurnLocks
    ) -> None:
        self._response_streams = response_streams
        self._tabs = tabs
        self._tell_tab = tell_tab
        self._turn_locks = turn_locks

    async def stop(self, thread_id: str, *, response: str | None = None, answer: str | None = None) -> bool:
        """Stop the response of this id, or the turn in the message `answer`, or any in the thread.

        Return whether something was stopped. Unless a response is named, the tab that makes the turn's calls is told,
        and another process that has the turn stops it within seconds.
        """
        if await self._stop_here(thread_id, response, answer):
            return True
        return response is None and await self._turn_locks.stop_elsewhere(thread_id, answer or "")

    async def stop_for_another_process(self, thread_id: str, answer: str) -> None:
        """Stop what a user at another process wants stopped: this answer, or any for ""."""
        if answer in ("", self._tabs.answer(thread_id)):
            self._tabs.stop(thread_id)
        await self._stop_here(thread_id, None, answer or None)

    async def _stop_here(self, thread_id: str, response: str | None, answer: str | None) -> bool:
        if response is None and (socket := self._tabs.socket(thread_id)) is not None:
            self._tell_tab(
                socket, STOP_EVENT, {"thread": thread_id, **({"answer": answer} if answer else {})}
            )
        return await self._response_streams.stop(thread_id, response, answer=answer)
