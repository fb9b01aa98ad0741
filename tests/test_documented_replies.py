"""The replies of routes have the fields that docs/api.md lists."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from .running_assistant import RunningAssistant
from .talking import talking

API = (Path(__file__).parent.parent / "docs" / "api.md").read_text("utf-8")
ROUTES = (
    "/assistant/status",
    "/assistant/options",
    "/assistant/settings",
    "/assistant/providers",
    "/assistant/providers/discovered",
    "/assistant/threads",
    "/assistant/threads/{id}",
    "/assistant/threads/{id}/branches",
    "/assistant/threads/{id}/context",
    "/assistant/threads/{id}/handles/{ref}",
    "/assistant/threads/{id}/pins",
    "/assistant/threads/{id}/requests",
    "/assistant/threads/{id}/tasks",
    "/assistant/search",
    "/environment/summary",
    "/system-context/skills",
)


@dataclass
class Shape:
    """The shape of an object: its keys, each with whether it may be missing, and the shape of the objects in it."""

    keys: dict[str, tuple[bool, Shape | None]] = field(default_factory=dict)


def documented_reply(route: str) -> Shape:
    """Return the shape of the first `{…}` after the route's heading."""
    section = API.split(f"### `GET /api{route}`\n")[1].split("\n### ")[0]
    span = next(span for span in re.findall(r"`([^`]*)`", section) if span.startswith("{"))
    return read_members(tokens(span[1:]))


def tokens(text: str) -> Iterator[str]:
    return iter(re.findall(r'"[^"]*"|\w+\??|[{}\[\]:,|]', text))


def read_members(rest: Iterator[str]) -> Shape:
    """The shape of an object whose opening brace was read, up to its closing one."""
    shape, name = Shape(), ""
    for token in rest:
        if token == "}":
            return shape
        if token == "{":
            shape.keys[name.rstrip("?")] = (name.endswith("?"), read_members(rest))
        elif re.fullmatch(r"\w+\??", token) and name == "":
            name = token
            shape.keys[name.rstrip("?")] = (name.endswith("?"), None)
        elif token == ",":
            name = ""
    return shape


def differences(shape: Shape, reply: Any, at: str = "") -> Iterator[str]:
    if isinstance(reply, list):
        for item in reply[:1]:
            yield from differences(shape, item, at)
        return
    if not isinstance(reply, dict):
        return
    for key in reply.keys() - shape.keys.keys():
        yield f"{at}{key} is not documented"
    for key, (may_be_missing, inner) in shape.keys.items():
        if key not in reply and not may_be_missing:
            yield f"{at}{key} is documented and not there"
        elif inner is not None:
            yield from differences(inner, reply.get(key), f"{at}{key}.")


@pytest.fixture
async def assistant(tmp_path: Path) -> AsyncIterator[RunningAssistant]:
    async with talking(tmp_path) as (running, _):
        yield running


@pytest.mark.slow
async def test_every_reply_has_the_documented_keys_and_no_others(assistant: RunningAssistant) -> None:
    thread = await assistant.new_thread()
    await assistant.say("a red sky", thread=thread)
    await assistant.call("POST", f"/assistant/threads/{thread}/pins", {"text": "a rule"})
    await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "clear"})
    found = {}
    for route in ROUTES:
        path = route.replace("{id}", thread).replace("{ref}", "u1")
        reply = await assistant.call("GET", path + ("?query=sky" if route.endswith("search") else ""))
        assert reply.status == 200, route
        found[route] = sorted(differences(documented_reply(route), reply.json))
    assert {route: problems for route, problems in found.items() if problems} == {}


def test_a_shape_is_read_with_what_is_in_it() -> None:
    shape = read_members(tokens('a, b?: [{c, d: "x" | "y"}], e: {f} | null}'))
    assert list(differences(shape, {"a": 1, "e": {"f": 1, "g": 2}})) == ["e.g is not documented"]
    assert list(differences(shape, {"a": 1, "b": [{"c": 1}], "e": None})) == [
        "b.d is documented and not there"
    ]
