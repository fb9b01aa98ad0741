"""The system message of a thread: stored as composed, and composed anew when the thread is condensed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...base.messages import dump
from ...context.frame import LeftOut, SystemForm, SystemMessage, SystemRoom
from ...store.threads import Thread, ThreadStore
from .words import PromptSource

_LEFT_OUT = "{form}: left out"
_RULES = "{form}: rules"
_PREFERENCES = "{form}: preferences"
_PERSONA = "{form}: persona"


class ThreadSystemMessage:
    """The system message of one thread."""

    def __init__(
        self, threads: ThreadStore, words: PromptSource, thread_id: str, thread: Thread, room: SystemRoom
    ) -> None:
        self._threads = threads
        self._words = words
        self._thread_id = thread_id
        self._forms = StoredSystemMessages(thread.system_forms)
        self._persona = thread.persona
        self._room = room
        self._renewed: tuple[SystemForm, SystemMessage] | None = None

    async def get(self, form: SystemForm) -> SystemMessage:
        """Return the stored message: the same bytes in every request until something is condensed."""
        if (kept := self._forms.get(form)) is not None:
            return kept
        message = await self._compose(form)
        await self._threads.keep_system_forms(self._thread_id, self._forms.add(form, message))
        return message

    async def peek(self, form: SystemForm) -> SystemMessage:
        """Return the same message, and store nothing: looking at a thread must not freeze its system message."""
        return self._forms.get(form) or await self._compose(form)

    async def renew(self, form: SystemForm) -> SystemMessage:
        """Return the message as it is composed now, and store nothing."""
        if self._renewed is None or self._renewed[0] != form:
            self._renewed = form, await self._compose(form)
        return self._renewed[1]

    async def store(self, text: str) -> None:
        """Store the renewed message if this is its text; other forms are composed anew when they are needed."""
        if self._renewed is None or self._renewed[1].text != text:
            return
        self._forms = StoredSystemMessages({})
        await self._threads.keep_system_forms(self._thread_id, self._forms.add(*self._renewed))

    async def _compose(self, form: SystemForm) -> SystemMessage:
        return await self._words.system_message(form, self._room, self._persona)


class StoredSystemMessages:
    """The stored texts by form; beside each, as JSON, what was left out of it and the user's words at that time."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)

    def get(self, form: SystemForm) -> SystemMessage | None:
        text = self._texts.get(form)
        if text is None:
            return None
        return SystemMessage(
            text,
            _read_left_out(self._texts.get(_LEFT_OUT.format(form=form), "[]")),
            _read_texts(self._texts.get(_RULES.format(form=form), "")),
            _read_texts(self._texts.get(_PREFERENCES.format(form=form), "")),
            persona=self._texts.get(_PERSONA.format(form=form)),
        )

    def add(self, form: SystemForm, message: SystemMessage) -> Mapping[str, str]:
        """Add a message; return all texts that are to be stored."""
        self._texts[form] = message.text
        if message.left_out:
            self._texts[_LEFT_OUT.format(form=form)] = dump([entry.as_json() for entry in message.left_out])
        if message.rules is not None:
            self._texts[_RULES.format(form=form)] = dump(list(message.rules))
        if message.preferences is not None:
            self._texts[_PREFERENCES.format(form=form)] = dump(list(message.preferences))
        if message.persona is not None:
            self._texts[_PERSONA.format(form=form)] = message.persona
        return self._texts


def _read_texts(text: str) -> tuple[str, ...] | None:
    try:
        return tuple(str(told) for told in json.loads(text))
    except (ValueError, TypeError):
        return None


def _read_left_out(text: str) -> tuple[LeftOut, ...]:
    """Read the left-out entries; none if they are unreadable, since they are only shown."""
    try:
        entries: Any = json.loads(text)
        return tuple(LeftOut(entry["source"], entry["amount"], entry["unit"]) for entry in entries)
    except (ValueError, TypeError, KeyError):
        return ()
