"""Claims of tabs to make the calls of a thread's turn, where tabs of other processes may claim them, too."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.messages import UIMessage, pending_calls
from ..store.threads import ThreadStore
from .response_streams import ResponseStream, ResponseStreams
from .turn_locks import TurnLocks
from .turn_tabs import TurnTabs


@dataclass(frozen=True)
class Claim:
    """The state of a thread's turn for a tab. `live` is the response that runs in this process."""

    live: ResponseStream | None = None
    is_mine: bool = False
    is_over: bool = False
    is_elsewhere: bool = False
    """Whether another process answers, or has the tab that makes the calls."""


class TabClaims:
    """Decides which tab makes the calls of a turn."""

    def __init__(
        self,
        threads: ThreadStore,
        response_streams: ResponseStreams,
        tabs: TurnTabs,
        turn_locks: TurnLocks,
    ) -> None:
        self._threads = threads
        self._response_streams = response_streams
        self._tabs = tabs
        self._turn_locks = turn_locks

    async def claim(self, thread_id: str, tab: str) -> Claim:
        """Claim the calls of the thread's turn for a tab.

        Raises:
            RequestError: `unknown_thread`.
        """
        thread = await self._threads.read(thread_id)
        newest = thread.messages[-1] if thread.messages else None
        answer = newest["id"] if newest else ""
        live = self._response_streams.running(thread_id)
        if live is None:
            calls = self._waiting_calls(thread_id, newest)
            if await self._turn_locks.is_elsewhere(thread_id):
                self._tabs.leave_elsewhere(thread_id, answer)
                return Claim(is_elsewhere=True)
            if not calls:
                return Claim(is_over=True)
            if self._tabs.is_elsewhere(thread_id):
                self._tabs.come_back(thread_id, tab, thread.workflow, calls, answer=answer)
        if not self._tabs.claim(thread_id, tab):
            return Claim(live)
        if await self._turn_locks.hold_for_tab(thread_id):
            return Claim(live, is_mine=True)
        self._tabs.leave_elsewhere(thread_id, answer)
        return Claim(live, is_elsewhere=live is None)

    def _waiting_calls(self, thread_id: str, newest: UIMessage | None) -> list[str]:
        """Return the ids of the calls that a turn without a running response waits for, unless the user stopped it."""
        if newest is None or self._tabs.is_stopped(thread_id):
            return []
        return [part["toolCallId"] for part in pending_calls(newest)]
