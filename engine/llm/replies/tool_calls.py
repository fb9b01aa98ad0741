"""Tool calls assembled from the fragments of a stream, with ids of our own.

Those of providers repeat, are empty, or are too long.
"""

from __future__ import annotations

import json
import re
import secrets
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...base.events import ToolCall, ToolCallDelta, ToolCallStarted
from ...base.text.portable_text import ValidUnicodeStream, portable, strict_json, valid_unicode
from .loose_types import as_object, as_text
from .reply_limits import MOST_CALLS, ReplyTooLarge

_DECODER = json.JSONDecoder()
_MAX_DEPTH = 100
_LONGEST_NAME = 200
"""The longest name in characters: no tool's is longer, and unknown names are compared with known ones."""
_LONGEST_ID = 1_000
_DOUBLED_QUOTE = re.compile(r'(?<=[{\[,:\s])""(?=[^\s,:}\]])|(?<=[^\s{\[,:])""(?=\s*[,:}\]])')
_GOES_ON = frozenset(",:{[")
"""JSON punctuation that something has to follow, mostly what precedes a `{`."""

NewCallId = Callable[[], str]
_ALPHABET = string.ascii_letters + string.digits


@dataclass
class _OpenCall:
    call_id: str
    index: int | None
    provider_id: str = ""
    name: str = ""
    parts: list[str] = field(default_factory=list)
    extra_content: dict[str, Any] | None = None
    is_announced: bool = False
    pieces: ValidUnicodeStream = field(default_factory=ValidUnicodeStream)

    @property
    def arguments(self) -> str:
        """The arguments so far, joined on demand: joining with each fragment would take long."""
        if len(self.parts) > 1:
            self.parts = ["".join(self.parts)]
        return self.parts[0] if self.parts else ""

    @property
    def is_complete(self) -> bool:
        last = next((part.rstrip()[-1:] for part in reversed(self.parts) if part.strip()), "")
        return last not in _GOES_ON and _is_complete(self.arguments)


class ToolCallAssembler:
    """Assembles the fragments of `delta.tool_calls` into calls.

    `index` is not a key: old Ollama and Gemini leave it out, newer Ollama sends 0 for every call. A new call starts
    with (a) an unseen index, (b) a known index with a different id, (c) no index but a new id or another name, or
    (d) a new `{` after arguments that are already complete. Anything else continues the newest call with that index,
    or the newest call at all.

    Raises:
        ReplyTooLarge: there are more calls than any model makes at once.
    """

    def __init__(self, new_id: NewCallId) -> None:
        self._new_id = new_id
        self._calls: list[_OpenCall] = []

    def feed(self, fragments: Iterable[Any]) -> list[ToolCallStarted | ToolCallDelta]:
        return [event for fragment in fragments for event in self._feed_one(as_object(fragment))]

    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(
            ToolCall(
                call.call_id,
                call.name,
                _mend(call.arguments + call.pieces.finish()),
                call.provider_id,
                call.extra_content,
            )
            for call in self._calls
            if call.name
        )

    def _feed_one(self, fragment: Mapping[str, Any]) -> list[ToolCallStarted | ToolCallDelta]:
        function = as_object(fragment.get("function"))
        provider_id = valid_unicode(as_text(fragment.get("id")) or as_text(function.get("id")))
        provider_id = provider_id if len(provider_id) <= _LONGEST_ID else ""
        name = _name(as_text(function.get("name")))
        arguments = _arguments_text(function.get("arguments"))
        call = self._call_for(fragment.get("index"), provider_id, name, arguments)
        call.provider_id = call.provider_id or provider_id
        call.name = call.name or name
        arguments = call.pieces.feed(arguments)
        call.parts += [arguments] if arguments else []
        call.extra_content = portable(as_object(fragment.get("extra_content"))) or call.extra_content
        if call.is_announced:
            return [ToolCallDelta(call.call_id, arguments)] if arguments else []
        if not call.name:
            return []
        call.is_announced = True
        start: list[ToolCallStarted | ToolCallDelta] = [ToolCallStarted(call.call_id, call.name)]
        return [*start, ToolCallDelta(call.call_id, call.arguments)] if call.arguments else start

    def _call_for(self, index: Any, provider_id: str, name: str, arguments: str) -> _OpenCall:
        index = index if isinstance(index, int) else None
        candidates = [call for call in self._calls if index is None or call.index == index]
        call = candidates[-1] if candidates else None
        if call is not None and not self._starts_new(call, index, provider_id, name, arguments):
            return call
        if len(self._calls) == MOST_CALLS:
            raise ReplyTooLarge(f"more than {MOST_CALLS} tool calls in one reply")
        new_call = _OpenCall(self._new_id(), index)
        self._calls.append(new_call)
        return new_call

    @staticmethod
    def _starts_new(call: _OpenCall, index: int | None, provider_id: str, name: str, arguments: str) -> bool:
        if provider_id and call.provider_id and provider_id != call.provider_id:
            # Some proxies give each fragment of a call a new id, so only a fragment with a name opens a call.
            return bool(name) or not _is_open(call)
        if index is None and name and call.name and name != call.name:
            return True
        return arguments.lstrip().startswith("{") and call.is_complete


def _name(text: str) -> str:
    """Return a tool's name without the marks that vLLM leaves on those of gpt-oss: `addNode<|channel|>commentary`."""
    return valid_unicode(text).partition("<|")[0][:_LONGEST_NAME]


def _mend(arguments: str) -> str:
    """Return the arguments with the last brace that vLLM loses while it streams, or with the quotes once that it sends
    twice, where only that makes them a JSON object.
    """
    if parse_arguments(arguments) is not None:
        return arguments
    for mended in (f"{arguments}}}", _DOUBLED_QUOTE.sub('"', arguments)):
        if parse_arguments(mended) is not None:
            return mended
    return arguments


def _arguments_text(arguments: Any) -> str:
    """Return the arguments as text: some proxies send the object itself."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _is_complete(arguments: str) -> bool:
    try:
        _, end = _DECODER.raw_decode(arguments.strip())
    except (ValueError, RecursionError):
        return False
    return end == len(arguments.strip())


def _is_open(call: _OpenCall) -> bool:
    return bool(call.arguments.strip()) and not call.is_complete


def parse_arguments(text: str) -> dict[str, Any] | None:
    """Return the arguments as an object, or None where they are none.

    Empty text and `null` mean no arguments, one layer of double encoding is removed, and a lone surrogate is
    replaced. Anything else, such as NaN or lists within a hundred lists, is left unrepaired: a guess would run
    something that the model did not ask for.
    """
    try:
        value = strict_json(text) if text.strip() else {}
        if isinstance(value, str):
            value = strict_json(value)
    except (ValueError, RecursionError):
        return None
    if value is None:
        return {}
    return portable(value) if isinstance(value, dict) and not _is_deep(value) else None


def _is_deep(value: Any) -> bool:
    """Return whether values are nested so deeply that recursion over them might overflow the stack."""
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (
                outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ()
            )
        ]
        if not level:
            return False
    return True


def new_call_id() -> str:
    """Return nine letters and digits, the one form that Mistral accepts, and every other provider too."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(9))
