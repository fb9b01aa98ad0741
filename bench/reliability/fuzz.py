"""Requests that are wrong in every way: each gets an answer that says what is wrong, and none a status of 500."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp

from bench.report import Figure, Report, none_of
from dev.scripted.provider import ScriptedProvider
from tests.person_with_everything import keep_everything
from tests.route_calls import BODIES, body_with
from tests.running_assistant import Reply
from tests.talking import HELLO

from .chats import Chat, new_chat
from .served import DEAD_END, served_assistant

AT_ONCE = 16
SERVERS = 2
"""Each its own process, with a folder of its own: one of them keeps no more than one processor busy."""
THREADS = 6
PATIENCE = aiohttp.ClientTimeout(total=30)
TEXTS = [
    *("", " ", "hello", "\x00", "\ud83d", "ä😀", "../..", "%2e%2e%2f", "null", "1e999", "x" * 3_000, "user", "rename"),
    # None of which leads off this machine.
    *(DEAD_END, f"{DEAD_END}/v1", "http://[::1", "ftp://127.0.0.1", "http://127.0.0.1:0", "//", "http://127.0.0.1:99999"),
]  # fmt: skip
_OTHER_NAMES = [
    "actions", "errorText", "filename", "input", "limit", "mediaType", "messageId", "offset", "output", "parentId",
    "path", "providerMetadata", "query", "ref", "result", "scope", "state", "toolCallId", "trigger", "types", "url",
]  # fmt: skip


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _names_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names_in(inner)


NAMES = sorted({*_OTHER_NAMES, *(name for body in BODIES.values() for name in _names_in(body))})


@dataclass(frozen=True)
class Sent:
    method: str
    path: str
    body: bytes | None

    def __str__(self) -> str:
        return f"{self.method} {self.path[:200]} {(self.body or b'')[:300]!r}"


@dataclass
class Tally:
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


async def measure(amount: int, dice: random.Random) -> Report:
    tally = Tally()
    connector = aiohttp.TCPConnector(limit=0)
    shares = [amount // SERVERS + (number < amount % SERVERS) for number in range(SERVERS)]
    async with (
        ScriptedProvider(HELLO, pace=0) as provider,
        aiohttp.ClientSession(connector=connector) as session,
    ):
        tried = [
            _try(session, provider.base_url, share, random.Random(dice.random()), tally) for share in shares
        ]
        routes, answers = zip(*await asyncio.gather(*tried), strict=True)
    for fault in tally.faults[:20]:
        print(fault)
    statuses = ", ".join(f"{status}: {count:,}" for status, count in sorted(tally.statuses.items()))
    return Report(
        name="fuzz",
        title="Requests that are wrong",
        how=(
            f"{amount:,} requests over all {routes[0]} routes of the app in turn, {AT_ONCE} at once to each of "
            f"{SERVERS} processes, of a person "
            "with one of everything: bodies that are right but for values exchanged, left out or nested, texts "
            "with half a character, addresses that are none, paths that lead out, and bytes that are no JSON."
        ),
        figures=[
            none_of("answers with status 500, or none", len(tally.faults), amount),
            Figure(
                "chats go on afterwards", "yes" if all(answers) else "no", goal="yes", reached=all(answers)
            ),
            Figure("answers by status", statuses),
        ],
    )


async def _try(
    session: aiohttp.ClientSession, provider: str, amount: int, dice: random.Random, tally: Tally
) -> tuple[int, bool]:
    """Of one process: how many routes it has, and whether its chats go on after so many requests."""
    with tempfile.TemporaryDirectory() as folder:
        async with served_assistant(Path(folder), provider) as served:
            async with session.get(f"{served.url}/probe/routes") as response:
                routes = await response.json()
            places = await keep_everything(partial(_call, session, served.url), Path(folder))
            chats = [await new_chat(session, served.url) for _ in range(THREADS)]
            threads = [places["id"], *(chat.thread for chat in chats)]
            requests = (
                _request(dice, routes[number % len(routes)], threads, places) for number in range(amount)
            )
            await asyncio.gather(*(_send_all(session, served.url, requests, tally) for _ in range(AT_ONCE)))
            return len(routes), await _still_answers(session, served.url)


async def _send_all(session: aiohttp.ClientSession, url: str, requests: Iterator[Sent], tally: Tally) -> None:
    headers = {"Content-Type": "application/json"}
    for sent in requests:
        target = f"{url}{sent.path}"
        try:
            async with session.request(
                sent.method, target, data=sent.body, headers=headers, timeout=PATIENCE
            ) as response:
                text = await response.text(errors="replace")
        except (aiohttp.ClientError, asyncio.TimeoutError) as error:
            tally.faults.append(f"{sent}: {type(error).__name__}: {error}")
            continue
        tally.statuses[response.status] += 1
        if response.status == 500 or "internal_error" in text:
            tally.faults.append(f"{sent}: {response.status} {text[:300]}")


async def _still_answers(session: aiohttp.ClientSession, url: str) -> bool:
    chat: Chat = await new_chat(session, url)
    exchange = await chat.say(session, "Are you there?")
    return exchange.has_ended and exchange.text.strip() == "Hello there."


async def _call(session: aiohttp.ClientSession, url: str, method: str, path: str, body: Any = None) -> Reply:
    async with session.request(method, f"{url}/api{path}", json=body) as response:
        return Reply(response.status, await response.read(), response.headers)


def _request(
    dice: random.Random, route: Sequence[str], threads: Sequence[str], places: Mapping[str, str]
) -> Sent:
    """`places` are what is there to be named in paths and bodies."""
    method, path = route
    name = f"{method} {path}"
    places = {**places, "id": dice.choice(threads)}
    while "{" in path:
        head, _, rest = path.partition("{")
        place, _, tail = rest.partition("}")
        value = places[place] if dice.random() < 0.7 else _text(dice)
        path = f"{head}{_in_address(value) or '-'}{tail}"
    while dice.random() < 0.3:
        path += f"{'&' if '?' in path else '?'}{dice.choice(NAMES)}={_in_address(_text(dice))}"
    return Sent(method, f"/api{path}", None if method == "GET" else _body(dice, name, threads, places))


def _in_address(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe="")


def _body(dice: random.Random, route: str, threads: Sequence[str], places: Mapping[str, str]) -> bytes | None:
    chance = dice.random()
    if chance < 0.03:
        return None
    if chance < 0.08:
        return dice.randbytes(dice.randrange(200))
    body = _chat(dice, threads) if route == "POST /chat" else body_with(BODIES.get(route), places)
    if chance < 0.3:
        body = {**(body or {}), **{name: _value(dice, 3) for name in dice.sample(NAMES, 4)}}
    for _ in range(dice.randrange(3)):
        body = _mutated(dice, body)
    content = json.dumps(body).encode()
    return content[: dice.randrange(len(content))] if dice.random() < 0.05 else content


def _chat(dice: random.Random, threads: Sequence[str]) -> dict[str, Any]:
    parts: list[Any] = [{"type": "text", "text": _text(dice)}]
    if dice.random() < 0.3:
        parts.append(
            {
                "type": dice.choice(("file", "tool-addNode", "dynamic-tool", "step-start", "data-x")),
                "toolCallId": _text(dice),
                "state": dice.choice(("output-available", "output-error", "input-available")),
                "input": _value(dice, 2),
                "output": _value(dice, 2),
            }
        )
    role = dice.choice(("user", "user", "user", "assistant", "system"))
    message = {"id": f"u{dice.randrange(50)}", "role": role, "parts": parts}
    return {
        "id": dice.choice(threads),
        "messages": [message],
        "trigger": dice.choice(("submit-message", "regenerate-message")),
    }


def _mutated(dice: random.Random, value: Any) -> Any:
    """The value with one place in it exchanged or left out."""
    if isinstance(value, dict) and value and dice.random() < 0.8:
        name = dice.choice([*value])
        if dice.random() < 0.2:
            return {other: inner for other, inner in value.items() if other != name}
        return {**value, name: _mutated(dice, value[name])}
    if isinstance(value, list) and value and dice.random() < 0.8:
        index = dice.randrange(len(value))
        return [*value[:index], _mutated(dice, value[index]), *value[index + 1 :]]
    return _value(dice, 3)


def _value(dice: random.Random, depth: int) -> Any:
    kind = dice.randrange(8 if depth else 5)
    if kind == 0:
        return dice.choice((None, True, False))
    if kind == 1:
        return dice.choice((0, -1, 1.5, 10**30, 2**63, -0.0, 1e308))
    if kind in (2, 3, 4):
        return _text(dice)
    if kind == 5:
        return [_value(dice, depth - 1) for _ in range(dice.randrange(4))]
    return {dice.choice(NAMES): _value(dice, depth - 1) for _ in range(dice.randrange(4))}


def _text(dice: random.Random) -> str:
    return dice.choice(TEXTS)
