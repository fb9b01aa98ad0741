"""The system message of a thread: kept as it was composed, and composed anew when the thread is condensed."""

from __future__ import annotations

from ...context.frame import SystemForm, SystemMessage, SystemRoom
from ...store.threads import Thread, ThreadStore
from .system_messages import StoredSystemMessages
from .words import Words


class ThreadSystemMessage:
    """The system message of one thread."""

    def __init__(
        self, threads: ThreadStore, words: Words, thread_id: str, thread: Thread, room: SystemRoom
    ) -> None:
        self._threads = threads
        self._words = words
        self._thread_id = thread_id
        self._forms = StoredSystemMessages(thread.system_forms)
        self._persona = thread.persona
        self._room = room
        self._renewed: tuple[SystemForm, SystemMessage] | None = None

    async def kept(self, form: SystemForm) -> SystemMessage:
        """The same bytes in every request until something is condensed, whatever has been installed or written."""
        if (kept := self._forms.get(form)) is not None:
            return kept
        message = await self._compose(form)
        await self._threads.keep_system_forms(self._thread_id, self._forms.keep(form, message))
        return message

    async def peek(self, form: SystemForm) -> SystemMessage:
        """Return the same message, and keep nothing: a look at a thread must not freeze its system message."""
        return self._forms.get(form) or await self._compose(form)

    async def renewed(self, form: SystemForm) -> SystemMessage:
        """As it would be composed now. Nothing is written down."""
        if self._renewed is None or self._renewed[0] != form:
            self._renewed = form, await self._compose(form)
        return self._renewed[1]

    async def keep(self, text: str) -> None:
        """Let the message that was composed anew hold from now on, where this is its text. Other forms will follow."""
        if self._renewed is None or self._renewed[1].text != text:
            return
        self._forms = StoredSystemMessages({})
        await self._threads.keep_system_forms(self._thread_id, self._forms.keep(*self._renewed))

    async def _compose(self, form: SystemForm) -> SystemMessage:
        return await self._words.system_message(form, self._room, self._persona)
