"""The text forms of tool calls in the chat templates of open models.

`<tool_call>` is that of Hermes and Qwen, `[TOOL_CALLS]` of Mistral, `<|python_tag|>` of Llama, `<function=…>` of
Llama and Qwen Coder, `<invoke name="…">` of MiniMax, `<arg_key>` of GLM; others write a JSON object, fenced or alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...base.text.portable_text import portable, strict_json
from .loose_types import as_list, as_object, as_text
from .tool_calls import parse_arguments

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
