"""Whether a chat request is well formed, by the rules of the server that a scenario imitates."""

from __future__ import annotations

import json

from .dialect_rules import DIALECT_RULES
from .openai_rules import openai_rule
from .refusal import Body, Refusal, Rule

RULES: dict[str, Rule] = {"openai": openai_rule, **DIALECT_RULES}


def parse_body(content: bytes) -> Body | Refusal:
    try:
        body = json.loads(content, parse_constant=_no_such_number)
    except RecursionError:
        return Refusal("The request body is nested too deeply to be read.")
    except ValueError as error:
        return Refusal(f"We could not parse the JSON body of your request: {error}.")
    return body if isinstance(body, dict) else Refusal("The request body is not a JSON object.")


def first_refusal(body: Body, rules: list[str]) -> Refusal | None:
    """What the server complains about first; `openai` holds for every scenario."""
    for name in ("openai", *rules):
        for refusal in RULES[name](body):
            return refusal
    return None


def _no_such_number(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")
