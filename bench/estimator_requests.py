"""Requests of mixed content, as a person's threads make them one after the other: the same ones in every run."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dev.places import ROOT

STEPS = 8


@dataclass(frozen=True)
class Request:
    kind: str
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]


def requests(seed: int = 11) -> list[Request]:
    """Seven threads of eight requests, each of which adds to the one before, all with the same tools."""
    chance = random.Random(seed)
    tools = json.loads((ROOT / "contract" / "tools.json").read_text())
    schemas = [{"type": "function", "function": {name: tool[name] for name in _SENT}} for tool in tools][:7]
    return [
        request
        for kind, turn in (
            ("chat", _chat),
            ("editing", _editing),
            ("code", _code),
            ("Chinese and Japanese", _far_east),
            ("emoji", _emoji),
            ("numbers", _numbers),
            ("many languages", _languages),
        )
        for request in _thread(kind, turn, schemas, chance)
    ]


_SENT = ("name", "description", "parameters")
Turn = Callable[[random.Random, int], list[dict[str, Any]]]


def _thread(kind: str, turn: Turn, tools: list[dict[str, Any]], chance: random.Random) -> Iterator[Request]:
    system = (ROOT / "system_context" / "01_role.md").read_text()
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}]
    for step in range(STEPS):
        messages = [*messages, *turn(chance, step)]
        yield Request(kind, messages, tools)
        messages = [*messages, _assistant(f"Step {step + 1} is done. What comes next?")]


def _chat(chance: random.Random, _: int) -> list[dict[str, Any]]:
    lines = (ROOT / "docs" / "architecture.md").read_text().split("\n\n")
    return [_user(chance.choice(lines)), _assistant(chance.choice(lines)), _user("Why is that so?")]


def _code(chance: random.Random, _: int) -> list[dict[str, Any]]:
    file = chance.choice(sorted((ROOT / "engine" / "llm").glob("*.py")))
    return [_user(f"What does this do?\n```python\n{file.read_text()[:1_500]}\n```")]


def _editing(chance: random.Random, step: int) -> list[dict[str, Any]]:
    kind = chance.choice(["KSampler", "CLIPTextEncode", "VAEDecode", "LoraLoader"])
    call = _call(f"c{step}", "addNode", {"type": kind, "title": f"{kind} {step}"})
    result = {"ok": True, "summary": f"Added {kind} as node {step}.", "data": {"id": step, "type": kind}}
    return [_user(f"Add a {kind} and connect it."), call, _result(f"c{step}", result)]


def _numbers(chance: random.Random, step: int) -> list[dict[str, Any]]:
    nodes = [
        {
            "id": number,
            "pos": [round(chance.uniform(0, 4_000), 2), round(chance.uniform(0, 4_000), 2)],
            "widgets_values": [chance.getrandbits(48), "randomize", 20, 8.5, "euler"],
        }
        for number in range(8)
    ]
    call = _call(f"n{step}", "getWorkflowInfo", {})
    return [
        _user("Read the workflow again."),
        call,
        _result(f"n{step}", {"ok": True, "data": {"nodes": nodes}}),
    ]


def _far_east(chance: random.Random, step: int) -> list[dict[str, Any]]:
    lines = _sentences()[:2]
    call = _call(f"f{step}", "setNodeWidgetValue", {"node": "6", "widget": "text", "value": lines[1][:40]})
    return [_user(chance.choice(lines)), call, _result(f"f{step}", {"ok": True, "summary": lines[0][:30]})]


def _emoji(chance: random.Random, _: int) -> list[dict[str, Any]]:
    faces = "".join(chance.choices("🎉🖼️👩‍🎨🚀✨🐱🌊🔥🎨🌈", k=12))
    return [
        _user(f"Make it look like {faces}, please! 😀"),
        _assistant(f"Of course {faces[:4]} – here it is."),
        _user("👍"),
    ]


def _languages(_: random.Random, step: int) -> list[dict[str, Any]]:
    lines = _sentences()
    return [
        _user(lines[step % len(lines)]),
        _assistant(lines[(step + 3) % len(lines)]),
        _user(lines[-1 - step % 3]),
    ]


def _sentences() -> list[str]:
    return (ROOT / "tests" / "fixtures" / "languages" / "questions.txt").read_text("utf-8").splitlines()


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def _assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def _call(call_id: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    calls = [{"id": f"call_{call_id}", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _result(call_id: str, result: dict[str, Any]) -> dict[str, Any]:
    return {
        "role": "tool",
        "tool_call_id": f"call_{call_id}",
        "content": json.dumps(result, ensure_ascii=False),
    }
