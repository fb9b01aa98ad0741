from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import ProviderError
from comfyui_assistant.engine.base.events import Notice, ReplyFinished, TextDelta
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.llm.client import ChatClient, Clients, is_another_model
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
        (
            404,
            "No endpoints found that support tool use. To learn more: openrouter.ai/docs",
            "no_tool_support",
        ),
        (404, "No endpoints found matching your data policy (Free model publication).", "provider_refused"),
        (402, "This request requires more credits. You can only afford 120 tokens.", "quota_exhausted"),
        (
            400,
            "Unable to generate parser for this template. Jinja Exception: No user query",
            "provider_refused",
        ),
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


LOOK = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]


async def reply(client: ChatClient, endpoint: Endpoint, tools: Any) -> list[Any]:
    return [event async for event in client.stream(endpoint, HELLO, tools)]


def refused(message: str, status: int = 400, **more: object) -> dict[str, Any]:
    return {"status": status, "body": {"error": {"message": message, **more}}}


@pytest.mark.parametrize(
    "words", ["unexpected tokens remaining in message header: ['addNode']", "EngineDeadError"]
)
async def test_a_server_that_fails_while_it_reads_its_model_is_asked_again(words: str) -> None:
    async with ScriptedProvider(answers(refused(words, 500), OK)) as provider:
        assert (await ask(provider, LOOK)).text == "Here."


async def test_a_model_that_is_being_loaded_is_waited_for_and_the_user_told() -> None:
    loading = refused("Loading model", 503, type="unavailable_error")
    async with ScriptedProvider(answers(*[loading] * 20, OK)) as provider:
        asked = await ask(provider)
    assert asked.text == "Here."
    assert sum(asked.waits) == 40
    notices = [event for event in asked.events if isinstance(event, Notice)]
    assert {notice.code for notice in notices} == {"loading"}
    assert notices[-1].is_transient
    assert notices[-1].message == "The server is loading scripted: 38 s so far …"


@pytest.mark.slow
async def test_a_model_that_is_loaded_for_ever_is_given_up_after_ten_minutes() -> None:
    async with ScriptedProvider(answers(refused("Loading model", 503))) as provider:
        asked = await ask(provider)
    assert sum(asked.waits) >= 600
    assert asked.failure is not None
    assert asked.failure.code == "provider_failed"


TOO_LONG_FOR_LM_STUDIO = (
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length "
    "of only 4096 tokens, which is not enough."
)


@pytest.mark.parametrize(
    ("status", "words", "code"),
    [
        (400, TOO_LONG_FOR_LM_STUDIO, "context_overflow"),
        (500, "error loading model: the file is damaged", "provider_failed"),
        (503, "The model is loaded on another node.", "provider_failed"),
    ],
)
async def test_what_only_speaks_of_loading_is_not_waited_for(status: int, words: str, code: str) -> None:
    async with ScriptedProvider(answers(refused(words, status))) as provider:
        asked = await ask(provider)
    assert sum(asked.waits) < 2
    assert asked.failure is not None
    assert asked.failure.code == code


async def test_a_model_that_the_server_unloaded_is_asked_again() -> None:
    async with ScriptedProvider(answers(refused("Model is unloaded."), OK)) as provider:
        assert (await ask(provider)).text == "Here."
    async with ScriptedProvider(answers(refused("Model unloaded."))) as provider:
        asked = await ask(provider)
    assert asked.failure is not None
    assert asked.failure.code == "provider_refused"


async def test_a_call_that_the_server_could_not_read_is_asked_for_again() -> None:
    async with ScriptedProvider(
        answers(refused("Failed to call a function.", code="tool_use_failed"), OK)
    ) as provider:
        assert (await ask(provider, LOOK)).text == "Here."


async def test_an_account_with_little_credit_is_asked_for_a_shorter_reply_once() -> None:
    words = "This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only "
    async with ScriptedProvider(answers(refused(f"{words}afford 4000", 402), OK)) as provider:
        asked = await ask(provider)
        sent = [record.body.get("max_tokens") for record in provider.requests]
    assert (asked.text, sent) == ("Here.", [None, 4000])
    async with ScriptedProvider(answers(refused(f"{words}afford 4000", 402))) as provider:
        asked = await ask(provider)
        assert len(provider.requests) == 2
    assert asked.failure is not None
    assert asked.failure.code == "quota_exhausted"
    assert "afford 4000" in asked.failure.message or not asked.failure.message


async def test_a_gateway_shows_what_the_provider_behind_it_said() -> None:
    raw = '{"error": {"message": "tool names must be unique"}}'
    refusal = refused("Provider returned error", metadata={"raw": raw, "provider_name": "Some"})
    async with ScriptedProvider(answers(refusal)) as provider:
        asked = await ask(provider)
    assert asked.failure is not None
    assert "tool names must be unique" in asked.failure.provider_message


async def test_a_network_error_behind_a_gateway_is_no_end_of_an_answer() -> None:
    choice = {"index": 0, "delta": {}, "finish_reason": "stop", "native_finish_reason": "network_error"}
    broken = {"reply": [{"frame": {"choices": [choice]}}], "finish": "none"}
    async with ScriptedProvider(answers(broken, OK)) as provider:
        assert (await ask(provider)).text == "Here."


async def test_a_reply_that_was_cut_behind_a_gateway_is_cut_whatever_the_gateway_calls_it() -> None:
    choice = {"index": 0, "delta": {}, "finish_reason": "tool_calls", "native_finish_reason": "max_tokens"}
    cut = {"reply": [{"call": "look", "arguments": "{}"}, {"frame": {"choices": [choice]}}], "finish": "none"}
    async with ScriptedProvider(answers(cut)) as provider:
        asked = await ask(provider, LOOK)
    assert asked.events[-1].reason == "length"


async def test_a_stream_that_the_server_cannot_parse_is_asked_for_in_one_piece() -> None:
    words = "Failed to parse input at pos 39: <tool_call>"
    async with ScriptedProvider(answers(refused(words, 500, type="server_error"), OK)) as provider:
        asked = await ask(provider, LOOK)
        assert [record.body["stream"] for record in provider.requests] == [True, False]
    assert asked.text == "Here."
    assert asked.waits == []


async def test_calls_that_were_lost_in_a_stream_are_asked_for_in_one_piece_from_then_on() -> None:
    lost = {"reply": [{"delta": {"content": ""}, "finish": "tool_calls"}], "finish": "none"}
    async with ScriptedProvider(answers(lost, {"reply": [{"call": "look", "arguments": {}}]})) as provider:
        client = ChatClient()
        endpoint = Endpoint(provider.base_url, "scripted", KEY, is_local=True)
        replies = [await reply(client, endpoint, LOOK), await reply(client, endpoint, LOOK)]
        await client.close()
        assert [record.body["stream"] for record in provider.requests] == [True, False]
    assert [len(events[-1].calls) for events in replies] == [0, 1]


async def test_that_another_model_replied_is_said_once() -> None:
    frame = {"model": "scripted/silent", "choices": [{"index": 0, "delta": {"content": "Hi."}}]}
    async with ScriptedProvider(answers({"reply": [{"frame": frame}]})) as provider:
        client = ChatClient()
        other = Endpoint(provider.base_url, "qwen", KEY, is_local=True)
        replies = [await reply(client, other, []), await reply(client, other, [])]
        await client.close()
    codes = [[event.code for event in events if isinstance(event, Notice)] for events in replies]
    assert codes == [["other-model"], []]


@pytest.mark.parametrize(
    ("asked", "answering", "expected"),
    [
        ("qwen3", "qwen3:latest", False),
        ("qwen3-8b", "/models/Qwen3-8B.gguf", False),
        ("gpt-5", "gpt-5-2026-02-01", False),
        ("openai/gpt-oss-20b", "gpt-oss-20b", False),
        ("qwen3", "", False),
        ("qwen3-8b", "gemma-4-e4b", True),
    ],
)
def test_another_name_is_not_always_another_model(asked: str, answering: str, expected: bool) -> None:
    assert is_another_model(asked, answering) == expected


async def test_a_stop_while_the_model_is_loaded_asks_no_more() -> None:
    async with ScriptedProvider(answers(refused("Loading model", 503))) as provider:
        client = ChatClient(sleep=lambda seconds: asyncio.sleep(seconds / 1_000))
        endpoint = Endpoint(provider.base_url, "scripted", KEY, is_local=True)
        async with contextlib.aclosing(client.stream(endpoint, HELLO, [])) as events:
            async for event in events:
                assert isinstance(event, Notice)
                if "6 s so far" in event.message:
                    break
        asked_until_then = len(provider.requests)
        await asyncio.sleep(0.02)
        await client.close()
        assert len(provider.requests) == asked_until_then == 4
