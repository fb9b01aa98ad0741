"""What a model is shown in one request: its tools, what the person says now, and the results of this turn so far."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dev.scripted.position import text_of


@dataclass(frozen=True)
class Result:
    tool: str
    arguments: dict[str, Any]
    text: str

    @property
    def parsed(self) -> dict[str, Any]:
        """The JSON object that it is; empty where it is none, for instance because something was cut out of it."""
        try:
            value = json.loads(self.text[self.text.find("{") : self.text.rfind("}") + 1])
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def ok(self) -> bool:
        return '"ok":true' in self.text[:200].replace(" ", "")

    @property
    def data(self) -> dict[str, Any]:
        data = self.parsed.get("data")
        return data if isinstance(data, dict) else {}

    @property
    def lines(self) -> str:
        """The workflow that it shows; what is left of it where something was cut out of the result."""
        if "text" in self.data:
            return str(self.data["text"])
        _, _, rest = self.text.partition('"text":"')
        return rest.replace("\\n", "\n").replace('\\"', '"')


@dataclass(frozen=True)
class Shown:
    tools: frozenset[str]
    user: str
    rounds: tuple[tuple[Result, ...], ...]
    """Of the newest turn, in order: the results of each step."""
    earlier: tuple[Result, ...]
    """Of the turns before, as far as they are still told."""


def read_request(body: dict[str, Any]) -> Shown:
    messages = body["messages"]
    newest = max(index for index, message in enumerate(messages) if _is_said(message))
    return Shown(
        tools=frozenset(tool["function"]["name"] for tool in body.get("tools") or ()),
        user=text_of(messages[newest]),
        rounds=tuple(_rounds(messages[newest + 1 :])),
        earlier=tuple(result for each in _rounds(messages[:newest]) for result in each),
    )


def _is_said(message: dict[str, Any]) -> bool:
    """Pictures of results come in user messages too, as lists of parts."""
    return message["role"] == "user" and isinstance(message.get("content"), str)


def _rounds(messages: Sequence[dict[str, Any]]) -> list[tuple[Result, ...]]:
    texts = {message["tool_call_id"]: text_of(message) for message in messages if message["role"] == "tool"}
    return [
        tuple(
            Result(
                call["function"]["name"],
                json.loads(call["function"]["arguments"] or "{}"),
                texts.get(call["id"], ""),
            )
            for call in message["tool_calls"]
        )
        for message in messages
        if message["role"] == "assistant" and message.get("tool_calls")
    ]
