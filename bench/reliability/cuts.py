"""Every recorded stream, cut at each of its bytes: closed or reset, it ends well and no call is made of a part."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp

from bench.report import Figure, Report, none_of
from dev.scripted.provider import ScriptedProvider
from tests.stream.contract_streams import scenarios

from .scenario_turns import answer_of, new_client

AT_ONCE = 20
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


@dataclass(frozen=True)
class Cut:
    scenario: str
    stream: bytes
    at: int
    is_reset: bool


async def measure(amount: int, dice: random.Random) -> Report:
    streams = {name: stream for name in scenarios() if (stream := await _recorded(name))}
    whole = {
        name: (await _answer(Cut(name, stream, len(stream), False))).calls for name, stream in streams.items()
    }
    cuts = [
        Cut(name, stream, at, is_reset)
        for name, stream in streams.items()
        for at in range(len(stream))
        for is_reset in (False, True)
    ]
    possible = len(cuts)
    if amount < possible:
        cuts = dice.sample(cuts, amount)
    wrong_calls: list[str] = []
    problems: list[str] = []
    waiting = iter(cuts)

    async def work() -> None:
        for cut in waiting:
            answer = await _answer(cut)
            end = "reset" if cut.is_reset else "closed"
            if not _begins_with(whole[cut.scenario], answer.calls):
                wrong_calls.append(f"{cut.scenario} {end} at {cut.at}: {answer.calls}")
            if answer.problem:
                problems.append(f"{cut.scenario} {end} at {cut.at}: {answer.problem}")

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    for line in (wrong_calls + problems)[:20]:
        print(line)
    return Report(
        name="cuts",
        title="A stream that is cut",
        how=(
            f"The streams of {len(streams)} scenarios of the scripted model (all dialects among them), each "
            "cut at a byte and "
            f"then closed or reset: {len(cuts):,} of {possible:,} such cuts. Every one is read over a "
            "connection by the "
            "product's own client and turn, and what the panel gets is held against the rules of its reader."
        ),
        figures=[
            none_of("cuts with a call that the whole stream does not have", len(wrong_calls), len(cuts)),
            none_of(
                "cuts with an exception, or an answer that does not end as it has to",
                len(problems),
                len(cuts),
            ),
            Figure("calls in the whole streams", str(sum(map(len, whole.values())))),
        ],
    )


def _begins_with(whole: Sequence[object], calls: Sequence[object]) -> bool:
    return list(whole[: len(calls)]) == list(calls)


async def _recorded(name: str) -> bytes:
    """The bytes of a scenario's first reply; none where that is no stream."""
    body = {"model": "scripted", "stream": True, "messages": [{"role": "user", "content": "Hello."}]}
    stream = b""
    async with ScriptedProvider(name, pace=0) as provider, aiohttp.ClientSession() as session:
        try:
            async with session.post(f"{provider.base_url}/chat/completions", json=body) as response:
                if response.content_type != "text/event-stream":
                    return b""
                async for piece in response.content.iter_any():
                    stream += piece
        except aiohttp.ClientError:
            pass
    return stream


async def _answer(cut: Cut):
    """The reply as far as the cut, in one write; a whole stream ends as streams end."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        lengths = (
            int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
        )
        # The client also asks for the list of models, without a body.
        length = next(lengths, 0)
        await reader.readexactly(length)
        part = cut.stream[: cut.at]
        writer.write(HEAD + (b"%x\r\n%s\r\n" % (len(part), part) if part else b""))
        if cut.at == len(cut.stream):
            writer.write(b"0\r\n\r\n")
        await writer.drain()
        if cut.is_reset:
            # What is still on its way is lost by a reset; a moment lets the client read it.
            await asyncio.sleep(0.002)
            writer.transport.abort()
        else:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = new_client()
    try:
        return await answer_of(f"http://127.0.0.1:{port}/v1", client)
    finally:
        await client.close()
        server.close()
