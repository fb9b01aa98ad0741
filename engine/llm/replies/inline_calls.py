"""Tool calls that a model writes into its text where its server does not parse them.

Chat templates of open models have forms of their own: `<tool_call>` is that of Hermes and Qwen, `[TOOL_CALLS]` of
Mistral, `<|python_tag|>` of Llama, `<function=…>` of Llama and Qwen Coder, `<invoke name="…">` of MiniMax, `<arg_key>`
of GLM; others write a JSON object, fenced or alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
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
from ...base.text.portable_text import portable, strict_json
from .loose_types import as_list, as_object, as_text
from .tool_calls import NewCallId, parse_arguments

BARE = "{"
"""The beginning of a reply that is only a JSON object."""
FENCE = "```"
CLOSERS = {
    "<tool_call>": "</tool_call>",
    "<minimax:tool_call>": "</minimax:tool_call>",
    "[TOOL_CALLS]": "",
    "<|python_tag|>": "",
    "<function=": "</function>",
    "<invoke ": "</invoke>",
    FENCE: FENCE,
}
"""The end of a call by its beginning; "" for a call that goes on to the end of the reply."""

InlineCall = tuple[str, dict[str, Any]]
"""The name of a tool and its arguments."""

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

_FRAME = r"</?(?:minimax:)?tool_call>|\[/?TOOL_CALLS\]|<\|python_tag\|>|```(?:[\w-]*(?=\s))?"
_BETWEEN = re.compile(rf"(?:[\s;,]|{_FRAME})*")
_NAMED_OBJECT = re.compile(r"\s*([\w.-]+)(?:\s*\[CALL_ID\]\s*[\w-]+)?(?:\s*\[ARGS\])?\s*(?=\{)")
_XML_CALL = re.compile(
    r"<(?:function=|invoke\s+name=)[\"']?([\w.-]+)[\"']?\s*>(.*?)(?:</(?:function|invoke)>|$)", re.DOTALL
)
_XML_ARGUMENT = re.compile(
    r"<parameter(?:=|\s+name=)[\"']?([\w.-]+)[\"']?\s*>\n?(.*?)\n?</parameter>", re.DOTALL
)
_GLM_CALL = re.compile(r"\s*([\w.-]+)\s*(?=<arg_key>)")
_GLM_ARGUMENT = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_DECODER = json.JSONDecoder()


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


def calls_in(written: str, parameters: Mapping[str, Mapping[str, Any]]) -> list[InlineCall]:
    """Return all calls in a text from an opener to its closer; none where any part of it is not a valid call.

    `parameters` are the JSON schemas of the offered tools by name.
    """
    calls: list[InlineCall] = []
    try:
        for call in _read(written, parameters):
            if not _is_valid(call, parameters):
                return []
            calls.append(call)
    except (ValueError, RecursionError):
        return []
    return calls


def _read(written: str, parameters: Mapping[str, Mapping[str, Any]]) -> Iterator[InlineCall]:
    if "<function=" in written or "<invoke " in written:
        for match in _match_sequence(_XML_CALL, written):
            yield match[1], _xml_arguments(match[2], parameters.get(match[1], {}))
        return
    position = _skip_frame(written, 0)
    if match := _GLM_CALL.match(written, position):
        pairs = _match_sequence(_GLM_ARGUMENT, written, match.end())
        yield match[1], _convert_arguments(pairs, parameters.get(match[1], {}))
        return
    while position < len(written):
        named = _NAMED_OBJECT.match(written, position)
        value, position = _DECODER.raw_decode(written, named.end() if named else position)
        if named:
            yield named[1], _arguments(value)
        else:
            for each in as_list(value) or [value]:
                yield _parse_call(as_object(each))
        position = _skip_frame(written, position)


def _skip_frame(written: str, position: int) -> int:
    between = _BETWEEN.match(written, position)
    return between.end() if between else position


def _parse_call(value: Mapping[str, Any]) -> InlineCall:
    function = as_object(value.get("function")) or value
    names = ("arguments", "parameters", "args", "input")
    arguments = next((function[name] for name in names if name in function), {})
    return as_text(function.get("name")), _arguments(arguments)


def _arguments(value: Any) -> dict[str, Any]:
    arguments = parse_arguments(value if isinstance(value, str) else json.dumps(value))
    if arguments is None:
        raise ValueError("no JSON object")
    return arguments


def _xml_arguments(body: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    if body.lstrip().startswith("{"):
        return _arguments(body.strip())
    return _convert_arguments(_match_sequence(_XML_ARGUMENT, body), parameters)


def _convert_arguments(pairs: Iterable[re.Match[str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Convert texts to the types of the schema."""
    properties = as_object(parameters.get("properties"))
    return {pair[1].strip(): _value(pair[2], as_object(properties.get(pair[1].strip()))) for pair in pairs}


def _value(text: str, schema: Mapping[str, Any]) -> Any:
    if schema.get("type") == "string":
        return text
    try:
        return portable(strict_json(text))
    except (ValueError, RecursionError):
        return text


def _match_sequence(pattern: re.Pattern[str], text: str, position: int = 0) -> Iterator[re.Match[str]]:
    """Yield the consecutive matches that the text consists of, apart from its frame. Each position is tried once.

    Raises:
        ValueError: there is something else.
    """
    position = _skip_frame(text, position)
    while position < len(text):
        match = pattern.match(text, position)
        if match is None:
            raise ValueError("more than calls")
        yield match
        position = _skip_frame(text, match.end())


def _is_valid(call: InlineCall, parameters: Mapping[str, Mapping[str, Any]]) -> bool:
    name, arguments = call
    schema = parameters.get(name)
    if schema is None:
        return False
    properties, required = as_object(schema.get("properties")), as_list(schema.get("required"))
    return arguments.keys() <= properties.keys() and all(each in arguments for each in required)
