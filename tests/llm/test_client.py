from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import ProviderError
from comfyui_assistant.engine.base.events import Notice, ReplyFinished, TextDelta
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.llm.client import ChatClient, Clients
from comfyui_assistant.engine.llm.endpoint import Endpoint

from dev.scripted.provider import ScriptedProvider

KEY = Secret("sk-canary-0123456789")
HELLO: list[Any] = [{"role": "user", "content": "hello"}]


class Asked:
    """What came of one request: the events, the failure, and how long the client waited between attempts."""

    def __init__(self) -> None:
        self.events: list[Any] = []
        self.failure: ProviderError | None = None
        self.waits: list[float] = []

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))


async def ask(provider: ScriptedProvider, tools: Any = ()) -> Asked:
    asked = Asked()

    async def sleep(seconds: float) -> None:
        asked.waits.append(seconds)

    client = ChatClient(sleep=sleep)
    endpoint = Endpoint(provider.base_url, "scripted", KEY, is_local=True)
    with contextlib.suppress(ProviderError):
        try:
            async for event in client.stream(endpoint, HELLO, tools):
                asked.events.append(event)
        except ProviderError as failure:
            asked.failure = failure
            raise
        finally:
            await client.close()
    return asked


def answers(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"about": "A test.", "pace": 0, "steps": [{"attempts": list(steps)}]}


OK = {"reply": [{"say": "Here."}]}


async def test_a_request_that_failed_for_a_moment_is_tried_again_and_says_so() -> None:
    limited = {"status": 429, "headers": {"retry-after": "7"}, "body": {"error": {"message": "Slow down."}}}
    async with ScriptedProvider(answers({"status": 503}, limited, OK)) as provider:
        asked = await ask(provider)
    assert asked.text == "Here."
    assert asked.waits == [0.5, 7.0]
    assert [event.code for event in asked.events if isinstance(event, Notice)] == ["retrying", "retrying"]


async def test_after_three_requests_it_gives_up() -> None:
    async with ScriptedProvider(answers({"status": 500})) as provider:
        asked = await ask(provider)
        assert len(provider.requests) == 3
    assert asked.failure is not None
    assert asked.failure.code == "provider_failed"


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (401, "Incorrect API key provided: sk-canary-0123456789", "key_refused"),
        (402, "Payment required", "quota_exhausted"),
        (404, "model not found", "unknown_model"),
        (404, "No endpoints found for this request", "unknown_model"),
        (404, "Not Found", "not_a_model_server"),
        (404, "", "not_a_model_server"),
        (429, "You exceeded your current quota, please check your plan and billing", "quota_exhausted"),
        (400, "This model does not support tools", "no_tool_support"),
        (500, "tools param requires --jinja flag", "no_tool_support"),
        (400, "the request exceeds the available context size (8192 tokens)", "context_overflow"),
        (413, "", "context_overflow"),
        (400, "bad temperature", "provider_refused"),
    ],
)
async def test_a_lasting_refusal_is_named_at_once_and_without_the_key(
    status: int, message: str, code: str
) -> None:
    async with ScriptedProvider(
        answers({"status": status, "body": {"error": {"message": message}}})
    ) as provider:
        asked = await ask(provider)
        assert len(provider.requests) == 1
    assert asked.failure is not None
    assert asked.failure.code == code
    assert asked.failure.hint
    assert "canary" not in asked.failure.message


async def test_what_a_server_refused_once_is_not_sent_again() -> None:
    tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
    refusals = [
        {"status": 400, "body": {"error": {"message": "Unknown parameter: stream_options"}}},
        OK,
    ]
    async with ScriptedProvider(answers(*refusals)) as provider:
        asked = await ask(provider, tools)
        sent = [record.body for record in provider.requests]
    assert asked.text == "Here."
    assert ["stream_options" in body for body in sent] == [True, False]
    assert asked.waits == []


async def test_a_provider_that_comes_to_the_point_late_is_understood() -> None:
    preamble = "We are sorry that your request could not be handled as it stands. " * 7
    refusal = {"message": f"{preamble}Unknown parameter: stream_options"}
    async with ScriptedProvider(answers({"status": 400, "body": {"error": refusal}}, OK)) as provider:
        asked = await ask(provider)
        sent = [record.body for record in provider.requests]
    assert asked.text == "Here."
    assert ["stream_options" in body for body in sent] == [True, False]


async def test_nothing_is_tried_again_once_the_person_has_seen_text() -> None:
    broken = {"reply": [{"say": ["Half "]}, {"frame": {"error": {"message": "crashed", "code": 500}}}]}
    async with ScriptedProvider(answers(broken, OK)) as provider:
        asked = await ask(provider)
        assert len(provider.requests) == 1
    assert asked.text == "Half "
    assert asked.failure is not None


async def test_what_was_learned_in_the_middle_of_an_answer_does_not_send_it_twice() -> None:
    complaint = {"frame": {"error": {"message": "stream_options is not supported", "code": 400}}}
    broken = {"reply": [{"say": ["Half "]}, complaint]}
    async with ScriptedProvider(answers(broken, OK)) as provider:
        asked = await ask(provider)
        assert len(provider.requests) == 1
    assert asked.text == "Half "


async def test_a_whole_completion_is_read_like_a_stream() -> None:
    async with ScriptedProvider("whole-reply-to-a-stream-request", pace=0) as provider:
        asked = await ask(provider)
    assert asked.text
    assert isinstance(asked.events[-1], ReplyFinished)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_told_and_the_conversation_does_not_follow_it(status: int) -> None:
    async with ScriptedProvider(answers(OK)) as elsewhere:
        headers = {"location": f"{elsewhere.base_url}/chat/completions?key=canary"}
        async with ScriptedProvider(answers({"status": status, "headers": headers, "body": ""})) as provider:
            asked = await ask(provider)
            assert len(provider.requests) == 1
        assert elsewhere.requests == []
    assert asked.failure is not None
    assert asked.failure.code == "not_a_model_server"
    assert elsewhere.base_url in asked.failure.message
    assert "canary" not in asked.failure.message


@pytest.mark.parametrize("depth", [990, 20_000])
async def test_a_reply_that_nobody_could_read_is_from_no_model_server(depth: int) -> None:
    nested = '{"a":' * depth + "1" + "}" * depth
    call = f'{{"index":0,"id":"x","function":{{"name":"look"}},"extra_content":{nested}}}'
    frame = f'data: {{"choices":[{{"index":0,"delta":{{"tool_calls":[{call}]}}}}]}}\n\n'
    async with ScriptedProvider(answers({"reply": [{"raw": frame}]})) as provider:
        asked = await ask(provider)
        assert len(provider.requests) == 1
    assert asked.failure is not None
    assert asked.failure.code == "not_a_model_server"


async def test_closing_the_stream_closes_the_connection() -> None:
    endless = {"about": "A test.", "pace": 0, "steps": [{"reply": [{"say": ["One "]}, {"wait": "60s"}]}]}
    async with ScriptedProvider(endless) as provider:
        client = ChatClient()
        stream = client.stream(Endpoint(provider.base_url, "scripted", is_local=True), HELLO, [])
        assert isinstance(await anext(stream), TextDelta)
        await stream.aclose()
        await provider.wait_until(lambda: provider.open_streams == 0)
        await client.close()


def endpoint(key: str) -> Endpoint:
    return Endpoint("http://127.0.0.1:9/v1", "a-model", Secret(key))


async def test_the_few_that_were_used_last_stay_and_the_rest_are_closed() -> None:
    clients = Clients()
    used = []
    for number in range(12):
        async with clients.use(endpoint(f"key {number}")) as client:
            used.append(client)
    assert len(clients) == 4
    assert [client.is_closed() for client in used] == [True] * 8 + [False] * 4
    async with clients.use(endpoint("key 11")) as again:
        assert again is used[11]
    await clients.close()
    assert all(client.is_closed() for client in used)


async def test_one_that_is_in_use_stays_open_however_many_come_after_it() -> None:
    clients = Clients()
    async with clients.use(endpoint("a long answer")) as answering:
        for number in range(12):
            async with clients.use(endpoint(f"key {number}")):
                pass
        assert not answering.is_closed()
    assert len(clients) == 4
    await clients.close()


async def test_two_first_calls_at_once_share_one() -> None:
    clients = Clients()

    async def use() -> object:
        async with clients.use(endpoint("key")) as client:
            return client

    assert len({id(client) for client in await asyncio.gather(use(), use(), use())}) == 1
    await clients.close()


async def test_who_gives_up_while_it_is_made_does_not_take_it_from_the_others() -> None:
    clients = Clients()

    async def use() -> bool:
        async with clients.use(endpoint("key")) as client:
            return client.is_closed()

    first, second = asyncio.create_task(use()), asyncio.create_task(use())
    await asyncio.sleep(0)
    first.cancel()
    assert await second is False
    await clients.close()


async def test_one_that_could_not_be_made_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clients = Clients()
    with monkeypatch.context() as environment:
        environment.setenv("SSL_CERT_FILE", "/missing/certificates.pem")
        with pytest.raises(FileNotFoundError):
            async with clients.use(endpoint("key")):
                pass
    async with clients.use(endpoint("key")) as client:
        assert not client.is_closed()
    await clients.close()
