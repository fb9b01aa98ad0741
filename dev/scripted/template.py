"""Values from earlier tool results inside a scenario: `{{ result.addNode[0].data.id }}`.

An expression is one of

- `result.<tool>[<n>]` and then any number of `.<key>` and `[<n>]`: the nth result of that tool since the
  user's message (negative counts from the end, `[0]` may be left out), parsed as JSON;
- `user`: the text of the user's message that began the turn;
- `step`: how many replies the model gave in this turn.

A string that is nothing but one expression becomes the value itself, so that a number stays a number.
There are no operators, no calls and no defaults.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_EXPRESSION = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")
_RESULT = re.compile(
    r"result\.(?P<tool>[A-Za-z_][\w-]*)(?:\[(?P<number>-?\d+)\])?(?P<path>(?:\.[\w-]+|\[-?\d+\])*)"
)
_PATH_STEP = re.compile(r"\.([\w-]+)|\[(-?\d+)\]")


class TemplateError(ValueError):
    """An expression that the request has no value for."""


class Values:
    """What expressions can refer to in one request."""

    def __init__(self, *, results: Mapping[str, Sequence[str]], user: str, step: int) -> None:
        self._results = results
        self._names: dict[str, Any] = {"user": user, "step": step}

    def fill(self, template: Any) -> Any:
        """The template with each expression replaced, in strings at any depth of lists and mappings."""
        if isinstance(template, str):
            return self._fill_text(template)
        if isinstance(template, Mapping):
            return {key: self.fill(value) for key, value in template.items()}
        if isinstance(template, list):
            return [self.fill(value) for value in template]
        return template

    def _fill_text(self, text: str) -> Any:
        if whole := _EXPRESSION.fullmatch(text):
            return self._value(whole[1])
        return _EXPRESSION.sub(lambda match: _as_text(self._value(match[1])), text)

    def _value(self, expression: str) -> Any:
        if expression in self._names:
            return self._names[expression]
        match = _RESULT.fullmatch(expression)
        if match is None:
            raise TemplateError(
                f"{{{{ {expression} }}}} is no expression; expected result.<tool>[<n>].<key>, user or step"
            )
        contents = self._results.get(match["tool"], ())
        number = int(match["number"] or 0)
        try:
            value = _parsed(contents[number])
            for key, index in _PATH_STEP.findall(match["path"]):
                value = value[key] if key else value[int(index)]
        except (KeyError, IndexError, TypeError, ValueError) as error:
            had = {tool: list(results) for tool, results in self._results.items()}
            raise TemplateError(
                f"{{{{ {expression} }}}} has no value in this request; its tool results are {json.dumps(had)[:600]}"
            ) from error
        return value


def _parsed(content: str) -> Any:
    """The JSON of a tool result, with or without a label around it."""
    try:
        return json.loads(content)
    except ValueError:
        start, end = content.find("{"), content.rfind("}")
        return json.loads(content[start : end + 1])


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
