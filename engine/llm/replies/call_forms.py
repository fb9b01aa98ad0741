"""The forms in which models write tool calls into their text, for servers that do not parse those of a model.

Each chat template has its own marks, and between them one of a few shapes: a JSON object or a list of them, a name
before an object, tags, or calls of Python functions. The marks are those of the templates on huggingface.co.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...base.messages import dump
from ...base.text.portable_text import portable, strict_json
from .loose_types import as_list, as_object, as_text
from .tool_calls import parse_arguments

WrittenCall = tuple[str, dict[str, Any]]
"""The name of a tool and its arguments."""


@dataclass(frozen=True)
class CallForm:
    """The marks around calls. Without `closes` they go on to the end of the reply.

    Prose has no reason to hold the marks of a form that is `certain`.
    """

    opens: str
    closes: str = ""
    is_certain: bool = True


FENCE = CallForm("```", "```", is_certain=False)
BARE = CallForm("", is_certain=False)
"""The form of a reply that is nothing but calls."""

FORMS = (
    FENCE,
    CallForm("<tool_call>", "</tool_call>"),  # Hermes, Qwen, GLM, Granite 4
    CallForm("<tool_calls>", "</tool_calls>"),  # MiniMax M1, Hunyuan, Jamba
    CallForm("<minimax:tool_call>", "</minimax:tool_call>"),  # MiniMax M2
    CallForm("<seed:tool_call>", "</seed:tool_call>"),  # Seed
    CallForm("<TOOLCALL>", "</TOOLCALL>"),  # Nemotron
    CallForm("<function_calls>", "</function_calls>"),  # Claude, and models taught by it
    CallForm("<function=", "</function>"),  # Llama 3, Qwen3-Coder
    CallForm("<invoke ", "</invoke>"),
    CallForm("<｜DSML｜function_calls>", "</｜DSML｜function_calls>"),  # DeepSeek V3.2
    CallForm("<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>"),  # DeepSeek V4
    CallForm("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),  # DeepSeek V3 and R1
    CallForm("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),  # Kimi
    CallForm("<|tool_call_start|>", "<|tool_call_end|>"),  # LFM2
    CallForm("<|tool_call|>"),  # Granite 3, Phi 4
    CallForm("<|tool_call>", "<tool_call|>"),  # Gemma 4
    CallForm("<start_function_call>", "<end_function_call>"),  # FunctionGemma
    CallForm("<|START_ACTION|>", "<|END_ACTION|>"),  # Command
    CallForm("<|action_start|>", "<|action_end|>"),  # InternLM
    CallForm("<|tools_prefix|>", "<|tools_suffix|>"),  # Apertus
    CallForm("<|python_start|>", "<|python_end|>"),  # Llama 4
    CallForm("<|python_tag|>"),  # Llama 3
    CallForm("[TOOL_CALLS]"),  # Mistral
    CallForm("[TOOL_REQUEST]", "[END_TOOL_REQUEST]"),  # LM Studio, for models whose template has no tools
    CallForm("<|channel|>commentary to="),  # gpt-oss
    CallForm("<|channel|>analysis to="),
    CallForm("<|start|>assistant to="),
    CallForm("<|start|>assistant<|channel|>commentary to="),
    CallForm("<|start|>assistant<|channel|>analysis to="),
)

_INNER_MARKS = (
    r"<\|tool_call(?:_begin|_end|_argument_begin)\|>",  # Kimi
    r"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?|<｜tool▁call▁end｜>",  # DeepSeek
    r"<\|/tool_call\|>|<\|plugin\|>|\[/TOOL_CALLS\]",  # Phi 4, InternLM, Mistral
    r"<\|(?:call|eom_id|eot_id|end|im_end)\|>|<end_of_turn>",  # the end of a reply
    r"```(?:[\w-]*(?=\s|$))?",
)
_MARK = "|".join(
    (
        *(
            re.escape(mark)
            for form in FORMS
            for mark in (form.opens, form.closes)
            if mark.endswith((">", "]", " to="))
        ),
        *_INNER_MARKS,
    )
)
"""The marks around and between calls. `<function=` and `<invoke ` are part of the call that they open."""
_ANY_MARK = re.compile(_MARK)
_BETWEEN = re.compile(rf"(?:[\s;,]|{_MARK})*")
_BEFORE_ARGUMENTS = (
    r"(?:\s|\[CALL_ID\]\s*[\w-]+|\[ARGS\]|<\|tool_call_argument_begin\|>|<｜tool▁sep｜>"
    r"|<\|channel\|>commentary|<\|constrain\|>(?:json)?|(?<=\s)(?:json|code)(?=<)|<\|message\|>|```json\b)*"
)
_NAMED_OBJECT = re.compile(rf"\s*(?:call:|functions\.)?([\w.-]+)(?::\d+)?{_BEFORE_ARGUMENTS}(?=\{{)")
_TAGS = re.compile(
    r"<([^<>\s=/]*?)(?:function=|invoke\s+name=)[\"']?([\w.-]+)[\"']?\s*>(.*?)</\1(?:function|invoke)>",
    re.DOTALL,
)
_TAGGED_ARGUMENT = re.compile(
    r"<([^<>\s=/]*?)parameter(?:=|\s+name=)[\"']?(?P<name>[\w.-]+)[\"']?[^<>]*>\n?(?P<value>.*?)\n?</\1parameter>",
    re.DOTALL,
)
_NAMED_PAIRS = re.compile(r"\s*([\w.-]+)\s*(?=<arg_key>)")
_LONE_NAME = re.compile(r"\s*([\w.-]+)\s*(?=</tool_call>)")
_PAIR = re.compile(r"<arg_key>(?P<name>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>", re.DOTALL)
_PYTHON = re.compile(r"\[?\s*[\w.]+\(")
_STRING_OF_GEMMA = re.compile(r'<\|"\|>(.*?)<\|"\|>|<escape>(.*?)<escape>', re.DOTALL)
_KEY_OF_GEMMA = re.compile(r"(?<=[{,])\s*([\w-]+)\s*(?=:)")
_DECODER = json.JSONDecoder()


def read_calls(written: str, schemas: Mapping[str, Mapping[str, Any]]) -> list[WrittenCall]:
    """Return all calls in a text from the mark that opens a form to the one that closes it.

    `schemas` are the JSON schemas of the arguments of the offered tools by name: values within tags are of the types
    that they ask for.

    Raises:
        ValueError: any part of the text is not a call.
    """
    try:
        if calls := list(_read(written, schemas)):
            return calls
    except (RecursionError, SyntaxError, MemoryError) as error:
        raise ValueError("nested too deeply, or no Python") from error
    raise ValueError("no call")


def looks_like_calls(written: str) -> bool:
    """Return whether what follows the marks at the beginning of a text begins as calls do."""
    position = _skip_marks(written, 0)
    rest = written[position : position + 300].lstrip()
    starts = (_TAGS, _NAMED_OBJECT, _NAMED_PAIRS, _PYTHON)
    return rest.startswith(("{", "[{", "<function=", "<invoke ")) or any(each.match(rest) for each in starts)


def _read(written: str, schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[WrittenCall]:
    written = _with_json_of_gemma(written)
    position = _skip_marks(written, 0)
    while position < len(written):
        if tags := _TAGS.match(written, position):
            yield tags[2], _tagged_arguments(tags[3], schemas.get(tags[2], {}))
            position = tags.end()
        elif pairs := _NAMED_PAIRS.match(written, position):
            matches, position = _match_sequence(_PAIR, written, pairs.end())
            yield pairs[1], _convert_arguments(matches, schemas.get(pairs[1], {}))
        elif (lone := _LONE_NAME.match(written, position)) and lone[1] in schemas:
            yield lone[1], {}
            position = lone.end()
        elif _PYTHON.match(written, position):
            source, position = _until_mark(written, position)
            yield from _python_calls(source)
        else:
            named = _NAMED_OBJECT.match(written, position)
            value, position = _DECODER.raw_decode(written, named.end() if named else position)
            if named:
                yield named[1], _arguments(value)
            else:
                for each in as_list(value) or [value]:
                    yield _object_call(as_object(each), schemas)
        position = _skip_marks(written, position)


def _skip_marks(written: str, position: int) -> int:
    between = _BETWEEN.match(written, position)
    return between.end() if between else position


def _until_mark(written: str, position: int) -> tuple[str, int]:
    end = _ANY_MARK.search(written, position)
    stop = end.start() if end else len(written)
    return written[position:stop].strip(), stop


def _object_call(value: Mapping[str, Any], schemas: Mapping[str, Any]) -> WrittenCall:
    """Return the call in `{"name": …, "arguments": {…}}`, by whatever names, or in `{name: {…}}`."""
    if len(value) == 1 and (only := next(iter(value))) in schemas:
        return only, _arguments(value[only])
    function = as_object(value.get("function")) or value
    names = ("arguments", "parameters", "args", "input")
    arguments = next((function[name] for name in names if name in function), {})
    name = next(
        (named for key in ("name", "tool_name", "function", "tool") if (named := as_text(function.get(key)))),
        "",
    )
    if not name:
        raise ValueError("no name")
    return name.removeprefix("functions."), _arguments(arguments)


def _arguments(value: Any) -> dict[str, Any]:
    arguments = parse_arguments(value if isinstance(value, str) else json.dumps(value))
    if arguments is None:
        raise ValueError("no JSON object")
    return arguments


def _tagged_arguments(body: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if body.lstrip().startswith("{"):
        return _arguments(body.strip())
    matches, end = _match_sequence(_TAGGED_ARGUMENT, body, 0)
    if body[end:].strip():
        raise ValueError("more than arguments")
    return _convert_arguments(matches, schema)


def _match_sequence(pattern: re.Pattern[str], text: str, position: int) -> tuple[list[re.Match[str]], int]:
    """Return the consecutive matches from a position on, and their end. Each position is tried once."""
    matches: list[re.Match[str]] = []
    position = _skip_blank(text, position)
    while match := pattern.match(text, position):
        matches.append(match)
        position = _skip_blank(text, match.end())
    return matches, position


def _skip_blank(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _convert_arguments(pairs: Iterable[re.Match[str]], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Convert texts to the types of the schema."""
    properties = as_object(schema.get("properties"))
    texts = {pair["name"].strip(): pair["value"] for pair in pairs}
    return {name: _value(text, as_object(properties.get(name))) for name, text in texts.items()}


def _value(text: str, schema: Mapping[str, Any]) -> Any:
    if schema.get("type") == "string":
        return text
    try:
        return portable(strict_json(text))
    except (ValueError, RecursionError):
        return text


def _python_calls(source: str) -> Iterator[WrittenCall]:
    """Yield the calls of Python functions with named arguments, each on its own or in a list."""
    for statement in ast.parse(source).body:
        expression = statement.value if isinstance(statement, ast.Expr) else None
        for call in expression.elts if isinstance(expression, ast.List) else [expression]:
            if not isinstance(call, ast.Call) or call.args or not all(each.arg for each in call.keywords):
                raise ValueError("no call with named arguments")
            name = ast.unparse(call.func).removesuffix(".call")
            yield name, _arguments({str(each.arg): ast.literal_eval(each.value) for each in call.keywords})


def _with_json_of_gemma(written: str) -> str:
    """Return the text with the objects of Gemma 4 and FunctionGemma as JSON: `{city:<|"|>Paris<|"|>}`."""
    if "call:" not in written or '"' in _STRING_OF_GEMMA.sub("", written):
        return written
    parts = _STRING_OF_GEMMA.split(written)
    outside, strings = (
        parts[::3],
        [first or second or "" for first, second in zip(parts[1::3], parts[2::3], strict=True)],
    )
    quoted = [_KEY_OF_GEMMA.sub(r'"\1"', part) for part in outside]
    texts = [*map(dump, strings), ""]
    return "".join(part + text for part, text in zip(quoted, texts, strict=True))
