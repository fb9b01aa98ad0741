from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import pytest
from comfyui_assistant.engine.base.caller import acting_for
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.chat.incoming.request import ChatBody, ChatRequest
from comfyui_assistant.engine.chat.response_streams import Answer, Beginning, ResponseStream, ResponseStreams
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.stream import sse

STEPS = [{"type": "text-delta", "id": "t", "delta": f"word {number} "} for number in range(20)]


class Answers:
    """Gives out chunks, each when `gate` lets it; `was_stopped` where nobody let it end."""

    def __init__(
        self,
        *chunks: Any,
        waits: bool = False,
        refusal: Exception | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.chunks = chunks or STEPS
        self.gate = asyncio.Event()
        self.refusal = refusal
        self.was_stopped = False
        if not waits:
            self.gate.set()

    @contextlib.asynccontextmanager
    async def answer(self, request: ChatRequest, *, keeps_reports: bool = False) -> AsyncIterator[Answer]:
        del request, keeps_reports
        if self.refusal:
            raise self.refusal
        yield Answer(self._chunks(), Beginning("a1", 0, None), self.endpoint)

    async def _chunks(self) -> AsyncGenerator[Any, None]:
        half = len(self.chunks) // 2
        try:
            for chunk in self.chunks[:half]:
                yield chunk
            await self.gate.wait()
            for chunk in self.chunks[half:]:
                yield chunk
        except (asyncio.CancelledError, GeneratorExit):
            self.was_stopped = True
            raise


class SlowAnswers(Answers):
    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.is_kept = asyncio.Event()

    @contextlib.asynccontextmanager
    async def answer(self, request: ChatRequest, *, keeps_reports: bool = False) -> AsyncIterator[Answer]:
        await self.is_kept.wait()
        async with super().answer(request, keeps_reports=keeps_reports) as answer:
            yield answer


def asked(thread: str | None = "t1") -> ChatRequest:
    message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "go"}]}
    return ChatBody.read({"messages": [message], **({"id": thread} if thread else {})}).request()


async def all_of(live: ResponseStream, start: int = 0) -> bytes:
    return b"".join([events async for events in live.read(start)])


async def until(is_true: Any) -> None:
    for _ in range(300):
        if is_true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("not within three seconds")


async def test_it_is_read_from_any_event_on_byte_by_byte() -> None:
    live = await ResponseStreams(Answers().answer, pause_seconds=5).begin(asked())
    whole = [sse.encode(chunk) for chunk in STEPS]
    assert await all_of(live) == b"".join(whole)
    for start in range(len(whole) + 2):
        assert await all_of(live, start) == b"".join(whole[start:])


async def test_many_read_it_while_it_grows() -> None:
    answers = Answers(waits=True)
    live = await ResponseStreams(answers.answer, pause_seconds=5).begin(asked())
    readers = [asyncio.create_task(all_of(live, start)) for start in (0, 0, 5, 15)]
    await until(lambda: live.readers == 4)
    answers.gate.set()
    whole = [sse.encode(chunk) for chunk in STEPS]
    assert await asyncio.gather(*readers) == [b"".join(whole[start:]) for start in (0, 0, 5, 15)]


async def test_of_a_very_long_one_the_oldest_events_are_forgotten() -> None:
    live = ResponseStream("t1", most_bytes=10_000)
    whole = [sse.encode({**STEPS[0], "delta": f"word {number} "}) for number in range(5_000)]
    seen = 0
    for number in range(5_000):
        live.add({**STEPS[0], "delta": f"word {number} "})
        first = next(start for start in range(seen, number + 1) if live.has(start))
        assert first <= number
        seen = first
    live.end()
    assert sum(len(event) + 80 for event in whole[seen:]) <= 10_000
    assert await all_of(live, seen) == b"".join(whole[seen:])
    with pytest.raises(ConnectionError):
        await all_of(live, seen - 1)


async def test_a_reader_that_keeps_up_misses_nothing_of_it_and_one_far_behind_is_let_go() -> None:
    live = ResponseStream("t1", most_bytes=10_000)
    keeps_up, lags = live.read(), live.read()
    read: list[bytes] = []
    for number in range(1_000):
        live.add({**STEPS[0], "delta": f"word {number} "})
        read.append(await anext(keeps_up))
        if number == 0:
            await anext(lags)
    assert b"".join(read) == b"".join(
        sse.encode({**STEPS[0], "delta": f"word {number} "}) for number in range(1_000)
    )
    with pytest.raises(ConnectionError):
        await anext(lags)
    await keeps_up.aclose()


async def test_an_event_longer_than_all_of_it_may_be_is_kept_alone() -> None:
    live = ResponseStream("t1", most_bytes=1_000)
    for text in ("a", "b" * 5_000):
        live.add({**STEPS[0], "delta": text})
    live.end()
    assert not live.has(0)
    assert b"b" * 5_000 in await all_of(live, 1)


async def test_who_leaves_may_come_back() -> None:
    answers = Answers(waits=True)
    turns = ResponseStreams(answers.answer, pause_seconds=5)
    live = await turns.begin(asked())
    reader = live.read()
    first = await anext(reader)
    await reader.aclose()
    answers.gate.set()
    assert turns.newest("t1") is live
    assert first + await all_of(live, first.count(b"\n\n")) == await all_of(live)
    assert not answers.was_stopped


async def test_what_nobody_reads_is_stopped_after_a_while() -> None:
    answers = Answers(waits=True)
    turns = ResponseStreams(answers.answer, pause_seconds=0.3)
    live = await turns.begin(asked())
    await until(lambda: live.is_over)
    assert answers.was_stopped
    assert turns.running("t1") is None


async def test_it_goes_on_unread_while_a_server_tool_runs() -> None:
    call = {"type": "tool-input-available", "toolCallId": "c1", "toolName": "delegate", "input": {}}
    result = {"type": "tool-output-available", "toolCallId": "c1", "output": {}}
    answers = Answers({**call, "providerExecuted": True}, result, waits=True)
    live = await ResponseStreams(answers.answer, pause_seconds=0).begin(asked())
    await asyncio.sleep(0.8)
    assert not live.is_over
    answers.gate.set()
    await until(lambda: live.is_over)
    assert not answers.was_stopped


async def test_without_a_thread_it_ends_with_its_reader() -> None:
    answers = Answers(waits=True)
    live = await ResponseStreams(answers.answer, pause_seconds=60).begin(asked(None))
    await until(lambda: live.is_over)
    assert answers.was_stopped


async def test_a_stop_is_told_to_the_other_readers() -> None:
    turns = ResponseStreams(Answers(waits=True).answer, pause_seconds=5)
    live = await turns.begin(asked())
    reader = asyncio.create_task(all_of(live))
    await until(lambda: live.readers == 1)
    assert await turns.stop("t1")
    assert (await reader).endswith(b'"data":{"code":"interrupted","message":"Stopped."}}\n\n')
    assert not await turns.stop("t1")


async def test_only_the_response_of_the_name_is_stopped() -> None:
    turns = ResponseStreams(Answers(waits=True).answer, pause_seconds=5)
    live = await turns.begin(asked())
    assert not await turns.stop("t1", "another")
    assert not live.is_over
    assert await turns.stop("t1", live.id)
    assert live.is_over


async def test_what_is_stopped_before_anybody_has_read_it_is_not_offered_again() -> None:
    turns = ResponseStreams(Answers(waits=True).answer, pause_seconds=5)
    live = await turns.begin(asked())
    assert turns.unread("t1") is live
    await turns.stop("t1")
    assert turns.unread("t1") is None


async def test_a_response_that_is_being_begun_is_stopped_once_its_message_is_kept() -> None:
    answers = SlowAnswers(waits=True)
    turns = ResponseStreams(answers.answer, pause_seconds=5)
    beginning = asyncio.create_task(turns.begin(asked()))
    await asyncio.sleep(0)
    stopping = asyncio.create_task(turns.stop("t1"))
    await asyncio.sleep(0)
    assert not stopping.done()
    answers.is_kept.set()
    assert await stopping
    assert (await beginning).is_over


async def test_what_cannot_begin_is_refused_to_who_asked() -> None:
    turns = ResponseStreams(
        Answers(refusal=RequestError("unknown_thread", "Gone.", hint="")).answer, pause_seconds=5
    )
    with pytest.raises(RequestError):
        await turns.begin(asked())
    assert turns.newest("t1") is None


async def test_one_user_does_not_read_what_another_is_told() -> None:
    turns = ResponseStreams(Answers(waits=True).answer, pause_seconds=5)
    with acting_for("ann"):
        live = await turns.begin(asked())
        assert turns.newest("t1") is live
    with acting_for("bob"):
        assert turns.newest("t1") is None
        assert not await turns.stop("t1")
    await turns.close()
    assert live.is_over


async def test_what_is_over_is_forgotten_after_a_while() -> None:
    turns = ResponseStreams(Answers().answer, pause_seconds=5, kept_seconds=0.05)
    live = await turns.begin(asked())
    assert await all_of(live)
    await until(lambda: turns.newest("t1") is None)


async def test_a_token_costs_no_more_than_a_fifth_of_a_millisecond() -> None:
    """Beside the same chunks encoded and handed on directly, as a response without an own task would."""
    chunks = STEPS * 500
    loop = asyncio.get_running_loop()

    async def plainly() -> int:
        size = 0
        for chunk in chunks:
            size += len(sse.encode(chunk))
            await asyncio.sleep(0)
        return size

    began = loop.time()
    await plainly()
    direct = loop.time() - began
    began = loop.time()
    live = await ResponseStreams(Answers(*chunks).answer, pause_seconds=5).begin(asked())
    await all_of(live)
    assert (loop.time() - began - direct) / len(chunks) < max(0.0002, direct / len(chunks))


async def test_a_model_is_in_use_only_while_it_answers_elsewhere() -> None:
    here, cloud = Endpoint("http://127.0.0.1:1/v1", "small"), Endpoint("https://api.example/v1", "large")
    answers = Answers(waits=True, endpoint=cloud)
    turns = ResponseStreams(answers.answer, pause_seconds=9)
    await turns.begin(asked("t1"))
    assert (turns.others_ask(cloud, "t2"), turns.others_ask(cloud, "t1")) == (True, False)
    assert not turns.others_ask(here, "t2")
    answers.endpoint = None
    await turns.begin(asked("t3"))
    assert turns.others_ask(here, "t2")
    await turns.close()
    assert not turns.others_ask(cloud, "t2")
