"""Tool calls that a model writes into its text where its server does not parse them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...base.events import (
    Notice,
    ReplyEvent,
    ReplyFinished,
    StepReset,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallStarted,
)
from ...base.messages import dump
from .call_forms import BARE, FENCE, FORMS, CallForm, WrittenCall, looks_like_calls, read_calls
from .loose_types import as_list, as_object, as_text
from .reply_filter import ReplyFilter
from .tool_calls import NewCallId

_BY_MARK = {form.opens: form for form in FORMS}
_OPENER = re.compile("|".join(map(re.escape, sorted(_BY_MARK, key=len, reverse=True))))
_LONGEST_OPENER = max(map(len, _BY_MARK))
_BEGINNING = re.compile(
    "|".join(
        re.escape(opener[:size]) + r"\Z" for opener in _BY_MARK for size in range(len(opener) - 1, 0, -1)
    )
)
_BARE = re.compile(r"\s*(?:\{|\[\s*(?:\{|[\w.]+\())")
_MAY_BE_BARE = re.compile(r"\s*\[\s*[\w.]*\Z")
_FENCED = re.compile(FENCE.opens + r"([\w-]*)\s+(\S)")
_CODE_OF_CALLS = ("", "json", "tool_call", "tool_calls", "tool_code")
"""The languages of a fence that holds calls, and not code to be read."""
_MOST_HELD = 262_144
_LEAST_OF_CALL = 7
"""The fewest characters of a call: less is only a fence or a mark."""

UNREAD = Notice(
    "call-unread",
    "The model wrote a tool call that cannot be read, so it was not made: its server passes calls on as text. Ask "
    "again, or have the server read them: llama.cpp with --jinja, vLLM with --enable-auto-tool-choice and the "
    "--tool-call-parser of this model, Ollama and LM Studio with a build of the model whose template has tools.",
)


class InlineCalls(ReplyFilter):
    """Passes a reply through and converts the calls that are written at its end.

    Text that may become a call is held back. It is a call if it can be read as one and nothing but further calls
    follows. Of the forms that prose and code may have, too, only what names offered tools with arguments that they
    accept is a call, and nothing if `certain_only`. Anything else is passed on as text, but for what is certainly a
    call and cannot be read, of which the user is told.
    """

    def __init__(
        self, tools: Iterable[Mapping[str, Any]], new_id: NewCallId, *, certain_only: bool = False
    ) -> None:
        functions = [as_object(tool.get("function")) for tool in tools]
        self._schemas = {as_text(each.get("name")): as_object(each.get("parameters")) for each in functions}
        self._new_id = new_id
        self._certain_only = certain_only
        self._begin()

    def _begin(self) -> None:
        self._ready: list[str] = []
        self._has_text = False
        self._last = ""
        self._is_in_code = False
        self._found: list[WrittenCall] = []
        self._has_unread = False
        self._found_text = ""
        self._held = ""
        self._form: CallForm | None = None
        self._searched = 0

    def feed(self, event: ReplyEvent) -> list[ReplyEvent]:
        """Return the events that can be shown after `event`."""
        if isinstance(event, StepReset):
            self._begin()
        if isinstance(event, ReplyFinished):
            return self._end(event)
        if not (isinstance(event, TextDelta) and self._schemas):
            return [event]
        self._held += event.text
        while self._form or self._find_opener():
            end = self._end_of_call()
            if end is None:
                break
            self._close(end)
        return self._events()

    def _end(self, reply: ReplyFinished) -> list[ReplyEvent]:
        self._close_all(is_cut=reply.reason in (None, "length"))
        calls = tuple(
            ToolCall(self._new_id(), name, dump(arguments), provider_id="") for name, arguments in self._found
        )
        events = self._events()
        if self._has_unread and reply.reason == "stop":
            events.append(UNREAD)
        for call in calls:
            events += [ToolCallStarted(call.call_id, call.name), ToolCallDelta(call.call_id, call.arguments)]
        reason = "tool-calls" if calls and reply.reason == "stop" else reply.reason
        return [*events, replace(reply, reason=reason, calls=(*reply.calls, *calls))]

    def _find_opener(self) -> bool:
        """Return whether a call may begin in the held text; the text before it is passed on."""
        if self._is_in_code:
            return self._leave_code()
        start, form = self._opener()
        self._say(self._held[:start])
        self._held = self._held[start:]
        self._form = form
        self._searched = len(form.opens) if form else 0
        return form is not None

    def _opener(self) -> tuple[int, CallForm | None]:
        """Return where the first form opens in the held text, or where one may be about to."""
        if not (self._has_text or self._found or self._certain_only):
            if _BARE.match(self._held):
                return len(self._held) - len(self._held.lstrip()), BARE
            if _MAY_BE_BARE.match(self._held):
                return 0, None
        for match in _OPENER.finditer(self._held):
            before = self._held[match.start() - 1] if match.start() else self._last
            if match[0] == FENCE.opens or before != "`":
                return match.start(), _BY_MARK[match[0]]
        return len(self._held) - _partial_opener(self._held), None

    def _leave_code(self) -> bool:
        """Pass on the code of a fence; return whether it ended."""
        end = self._held.find(FENCE.closes)
        cut = end + len(FENCE.closes) if end >= 0 else len(self._held) - _partial_fence(self._held)
        self._say(self._held[:cut])
        self._held = self._held[cut:]
        self._is_in_code = end < 0
        return end >= 0 and self._find_opener()

    def _end_of_call(self) -> int | None:
        """Return the end of the call in the held text; None while it is incomplete."""
        assert self._form is not None
        if len(self._held) > _MOST_HELD:
            return len(self._held)
        if self._form is FENCE and (begun := _FENCED.match(self._held)) and not self._may_be_call(begun):
            self._is_in_code = True
            return begun.start(2)
        closer = self._form.closes
        position = self._held.find(closer, self._searched) if closer else -1
        if position >= 0:
            return position + len(closer)
        self._searched = max(self._searched, len(self._held) - len(closer))
        return None

    def _may_be_call(self, begun: re.Match[str]) -> bool:
        if self._certain_only or begun[1].lower() not in _CODE_OF_CALLS:
            return False
        return begun[1].lower() == "tool_code" or begun[2] in "{["

    def _close_all(self, *, is_cut: bool) -> None:
        if self._form:
            self._close(len(self._held), is_cut=is_cut and bool(self._form.closes))
        self._say(self._held)
        self._held = ""

    def _close(self, end: int, *, is_cut: bool = False) -> None:
        written, self._held = self._held[:end], self._held[end:]
        form, self._form = self._form, None
        calls = [] if is_cut else self._calls_in(written, form)
        is_unread = not calls and form is not None and form.is_certain and looks_like_calls(written)
        if calls or is_unread:
            self._found += calls
            self._found_text += written
            self._has_unread = self._has_unread or is_unread
        else:
            self._say(written)

    def _calls_in(self, written: str, form: CallForm | None) -> list[WrittenCall]:
        if not (form and _LEAST_OF_CALL <= len(written) <= _MOST_HELD):
            return []
        try:
            calls = read_calls(written, self._schemas)
        except ValueError:
            return []
        return calls if form.is_certain or all(map(self._is_valid, calls)) else []

    def _is_valid(self, call: WrittenCall) -> bool:
        name, arguments = call
        schema = self._schemas.get(name)
        if schema is None:
            return False
        properties, required = as_object(schema.get("properties")), as_list(schema.get("required"))
        return arguments.keys() <= properties.keys() and all(each in arguments for each in required)

    def _say(self, text: str) -> None:
        """Pass on text outside calls. If it is not blank, the calls before it were not at the end, and are text."""
        if not text:
            return
        if (self._found or self._has_unread) and not text.strip():
            self._found_text += text
            return
        self._ready.append(self._found_text)
        self._found, self._found_text, self._has_unread = [], "", False
        self._has_text = self._has_text or bool(text.strip())
        self._last = text[-1]
        self._ready.append(text)

    def _events(self) -> list[ReplyEvent]:
        text = "".join(self._ready)
        self._ready = []
        return [TextDelta(text)] if text else []


def _partial_opener(text: str) -> int:
    """Return the length of the longest suffix of `text` that may begin an opener."""
    match = _BEGINNING.search(text, max(0, len(text) - _LONGEST_OPENER + 1))
    return len(match[0]) if match else 0


def _partial_fence(text: str) -> int:
    return min(len(text) - len(text.rstrip("`")), len(FENCE.closes) - 1)
