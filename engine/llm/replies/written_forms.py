"""The forms in which the chat templates of open models have a tool call written.

`<tool_call>` is that of Hermes and Qwen, `[TOOL_CALLS]` of Mistral, `<|python_tag|>` of Llama, `<function=…>` of Llama
and Qwen Coder, `<invoke name="…">` of MiniMax, `<arg_key>` of GLM; others write a JSON object, fenced or alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...text.portable_json import portable, strict_json
from .loose_types import as_list, as_object, as_text
from .tool_calls import parse_arguments

BARE = "{"
"""What a reply begins with that is nothing but a JSON object."""
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
"""What ends a call that begins so; where nothing does, it goes on to the end of the reply."""

WrittenCall = tuple[str, dict[str, Any]]
"""The name of a tool and its arguments."""

_FRAME = r"</?(?:minimax:)?tool_call>|\[/?TOOL_CALLS\]|<\|python_tag\|>|```(?:[\w-]*(?=\s))?"
_BETWEEN = re.compile(rf"(?:[\s;,]|{_FRAME})*")
_NAMED_OBJECT = re.compile(r"\s*([\w.-]+)\s*(?:\[CALL_ID\]\s*[\w-]+\s*)?(?:\[ARGS\])?\s*(?=\{)")
_XML_CALL = re.compile(
    r"<(?:function=|invoke\s+name=)[\"']?([\w.-]+)[\"']?\s*>(.*?)(?:</(?:function|invoke)>|$)", re.DOTALL
)
_XML_ARGUMENT = re.compile(
    r"<parameter(?:=|\s+name=)[\"']?([\w.-]+)[\"']?\s*>\n?(.*?)\n?</parameter>", re.DOTALL
)
_GLM_CALL = re.compile(r"\s*([\w.-]+)\s*(?=<arg_key>)")
_GLM_ARGUMENT = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_DECODER = json.JSONDecoder()


def calls_in(written: str, parameters: Mapping[str, Mapping[str, Any]]) -> list[WrittenCall]:
    """All calls that a text between an opener and its closer makes; none where any part of it is no valid call.

    `parameters` are the JSON schemas of the tools that are offered, by name.
    """
    try:
        calls = list(_read(written, parameters))
    except (ValueError, RecursionError):
        return []
    return calls if all(_is_valid(call, parameters) for call in calls) else []


def _read(written: str, parameters: Mapping[str, Mapping[str, Any]]) -> Iterator[WrittenCall]:
    if "<function=" in written or "<invoke " in written:
        for match in _XML_CALL.finditer(written):
            yield match[1], _xml_arguments(match[2], parameters.get(match[1], {}))
        _refuse(_XML_CALL.sub("", written))
        return
    position = _after_frame(written, 0)
    if match := _GLM_CALL.match(written, position):
        pairs = _GLM_ARGUMENT.findall(written, match.end())
        yield match[1], _typed(pairs, parameters.get(match[1], {}))
        _refuse(_GLM_ARGUMENT.sub("", written[match.end() :]))
        return
    while position < len(written):
        named = _NAMED_OBJECT.match(written, position)
        value, position = _DECODER.raw_decode(written, named.end() if named else position)
        if named:
            yield named[1], _arguments(value)
        else:
            for each in as_list(value) or [value]:
                yield _call_of(as_object(each))
        position = _after_frame(written, position)


def _after_frame(written: str, position: int) -> int:
    between = _BETWEEN.match(written, position)
    return between.end() if between else position


def _call_of(value: Mapping[str, Any]) -> WrittenCall:
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
    _refuse(_XML_ARGUMENT.sub("", body))
    return _typed(_XML_ARGUMENT.findall(body), parameters)


def _typed(pairs: list[tuple[str, str]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Texts as the values that the schema asks for."""
    properties = as_object(parameters.get("properties"))
    return {name.strip(): _value(text, as_object(properties.get(name.strip()))) for name, text in pairs}


def _value(text: str, schema: Mapping[str, Any]) -> Any:
    if schema.get("type") == "string":
        return text
    try:
        return portable(strict_json(text))
    except (ValueError, RecursionError):
        return text


def _refuse(rest: str) -> None:
    """Raise where something is left over beside the calls."""
    if _BETWEEN.sub("", rest):
        raise ValueError("more than calls")


def _is_valid(call: WrittenCall, parameters: Mapping[str, Mapping[str, Any]]) -> bool:
    name, arguments = call
    schema = parameters.get(name)
    if schema is None:
        return False
    properties, required = as_object(schema.get("properties")), as_list(schema.get("required"))
    return arguments.keys() <= properties.keys() and all(each in arguments for each in required)
