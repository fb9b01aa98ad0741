"""Tool calls that a model writes into its text where its server does not parse them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...base.events import (
    ReplyEvent,
    ReplyFinished,
    StepReset,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallStarted,
)
from ...base.messages import dump
from .call_ids import NewCallId
from .inline_call_forms import BARE, CLOSERS, FENCE, InlineCall, calls_in
from .loose_types import as_object, as_text

_OPENER = re.compile("|".join(map(re.escape, CLOSERS)))
_BARE = re.compile(r"\s*" + re.escape(BARE))
_LONGEST_OPENER = max(map(len, CLOSERS))
_BEGINNING = re.compile(
    "|".join(re.escape(opener[:size]) + r"\Z" for opener in CLOSERS for size in range(len(opener) - 1, 0, -1))
)
_FENCED = re.compile(FENCE + r"[\w-]*\s+(\S)")
_MOST_HELD = 65_536
_LEAST_OF_CALL = 7
"""The fewest characters of a call: less is only a fence or a mark."""


class InlineCalls:
    """Passes a reply through and converts the calls that are written at its end.

    Text that may become a call is held back. It is a call if all of it names offered tools with arguments that they
    accept, and nothing but further calls follows. Anything else is passed on as text.
    """

    def __init__(self, tools: Iterable[Mapping[str, Any]], new_id: NewCallId) -> None:
        functions = [as_object(tool.get("function")) for tool in tools]
        self._parameters = {
            as_text(each.get("name")): as_object(each.get("parameters")) for each in functions
        }
        self._new_id = new_id
        self._begin()

    def _begin(self) -> None:
        self._ready: list[str] = []
        self._has_text = False
        self._found: list[InlineCall] = []
        self._found_text = ""
        self._held = ""
        self._opener = ""
        self._searched = 0

    def feed(self, event: ReplyEvent) -> list[ReplyEvent]:
        """Return the events that can be shown after `event`."""
        if isinstance(event, StepReset):
            self._begin()
        if isinstance(event, ReplyFinished):
            return self._end(event)
        if isinstance(event, ToolCallStarted):
            self._close_all()
            self._give_back()
            return [*self._events(), event]
        if not (isinstance(event, TextDelta) and self._parameters):
            return [event]
        self._held += event.text
        while self._opener or self._find_opener():
            end = self._end_of_call()
            if end is None:
                break
            self._close(end)
        return self._events()

    def _end(self, reply: ReplyFinished) -> list[ReplyEvent]:
        self._close_all()
        if reply.calls:
            self._give_back()
        calls = tuple(
            ToolCall(self._new_id(), name, dump(arguments), provider_id="") for name, arguments in self._found
        )
        events = self._events()
        for call in calls:
            events += [ToolCallStarted(call.call_id, call.name), ToolCallDelta(call.call_id, call.arguments)]
        reason = "tool-calls" if calls and reply.reason == "stop" else reply.reason
        return [*events, replace(reply, reason=reason, calls=reply.calls or calls)]

    def _find_opener(self) -> bool:
        """Return whether a call may begin in the held text; the text before it is passed on."""
        bare = None if self._has_text or self._found else _BARE.match(self._held)
        match = _OPENER.search(self._held)
        if bare:
            start, self._opener = bare.end() - len(BARE), BARE
        elif match:
            start, self._opener = match.start(), match[0]
        else:
            start = len(self._held) - _partial_opener(self._held)
        self._say(self._held[:start])
        self._held = self._held[start:]
        self._searched = len(self._opener)
        return bool(self._opener)

    def _end_of_call(self) -> int | None:
        """Return the end of the call in the held text; None while it is incomplete."""
        if len(self._held) > _MOST_HELD:
            return len(self._held)
        if self._opener == FENCE and (begun := _FENCED.match(self._held)) and begun[1] not in "{[":
            return begun.start(1)
        closer = CLOSERS.get(self._opener, "")
        position = self._held.find(closer, self._searched) if closer else -1
        if position >= 0:
            return position + len(closer)
        self._searched = max(self._searched, len(self._held) - len(closer))
        return None

    def _close_all(self) -> None:
        if self._opener:
            self._close(len(self._held))
        self._say(self._held)
        self._held = ""

    def _close(self, end: int) -> None:
        written, self._held = self._held[:end], self._held[end:]
        self._opener = ""
        calls = calls_in(written, self._parameters) if _LEAST_OF_CALL <= len(written) <= _MOST_HELD else []
        if calls:
            self._found += calls
            self._found_text += written
        else:
            self._say(written)

    def _say(self, text: str) -> None:
        """Pass on text outside calls. If it is not blank, the calls before it were not at the end, and are text."""
        if not text:
            return
        if self._found and not text.strip():
            self._found_text += text
            return
        self._give_back()
        self._has_text = self._has_text or bool(text.strip())
        self._ready.append(text)

    def _give_back(self) -> None:
        self._ready.append(self._found_text)
        self._found, self._found_text = [], ""

    def _events(self) -> list[ReplyEvent]:
        text = "".join(self._ready)
        self._ready = []
        return [TextDelta(text)] if text else []


def _partial_opener(text: str) -> int:
    """Return the length of the longest suffix of `text` that may begin an opener."""
    match = _BEGINNING.search(text, max(0, len(text) - _LONGEST_OPENER + 1))
    return len(match[0]) if match else 0
