from __future__ import annotations

import asyncio
import itertools
import time

import aiohttp
import openai
import pytest

from dev.scripted.position import position_of
from dev.scripted.provider import ScriptedProvider, ScriptedProviderThread

from .conversations import answer, ask, calls, post, result, says, user
from .reading import read_reply

TWO_STEPS = {
    "about": "A node is added.",
    "steps": [
        {"reply": [{"say": "I add it."}, {"call": "addNode", "arguments": {"type": "SaveImage"}}]},
        {"when": {"results": ["addNode"]}, "reply": [{"say": "It is node {{ result.addNode[0].data.id }}."}]},
    ],
}


async def test_a_turn_is_played_step_by_step_through_the_openai_client():
    async with ScriptedProvider(TWO_STEPS) as provider:
        first = await read_reply(provider.base_url, [user()])
        second = await read_reply(
            provider.base_url, [user(), calls("addNode"), result("call_0", data={"id": "7"})]
        )
        refusals = provider.refusals
    assert (first.text, first.calls, first.reason) == (
        "I add it.",
        [("addNode", {"type": "SaveImage"})],
        "tool-calls",
    )
    assert (second.text, second.reason) == ("It is node 7.", "stop")
    assert refusals == []


async def test_a_reply_without_stream_says_the_same():
    async with ScriptedProvider(TWO_STEPS) as provider:
        message = await answer(provider.base_url, user())
    assert message["content"] == "I add it."
    assert [call["function"] for call in message["tool_calls"]] == [
        {"name": "addNode", "arguments": '{"type": "SaveImage"}'}
    ]


async def test_usage_comes_in_a_chunk_of_its_own_only_when_it_was_asked_for():
    async with ScriptedProvider(TWO_STEPS) as provider:
        asked = await read_reply(provider.base_url, [user()])
        unasked = await read_reply(provider.base_url, [user()], stream_options=None)
    assert asked.usage.input_tokens > 0
    assert unasked.usage is None


async def test_what_came_is_recorded_without_the_key():
    async with ScriptedProvider(TWO_STEPS, keys={"mine": "sk-secret"}) as provider:
        await post(
            provider.base_url, {"model": "scripted", "messages": [user()]}, Authorization="Bearer sk-secret"
        )
        await post(
            provider.base_url, {"model": "scripted", "messages": [user()]}, Authorization="Bearer sk-2"
        )
        await post(provider.base_url, {"model": "scripted", "messages": [user()]})
        recorded = provider.requests
    assert [request.key[:6] for request in recorded] == ["mine", "other-", "none"]
    assert recorded[0].messages == [user()]
    assert (recorded[0].step, recorded[0].status, recorded[0].closed_early) == (0, 200, False)
    assert "sk-" not in repr(recorded)


async def test_only_the_required_key_is_let_in():
    async with ScriptedProvider(TWO_STEPS, keys={"mine": "sk-1"}, required_key="mine") as provider:
        client = openai.AsyncOpenAI(base_url=provider.base_url, api_key="sk-2", max_retries=0)
        with pytest.raises(openai.AuthenticationError):
            await client.chat.completions.create(model="scripted", messages=[user()])
        with pytest.raises(openai.AuthenticationError):
            await client.models.list()
        right = client.with_options(api_key="sk-1")
        assert [model.id async for model in right.models.list()][:1] == ["scripted"]


async def test_a_client_that_leaves_is_noticed_while_text_streams_and_while_nothing_comes():
    async with ScriptedProvider("slow-text") as provider, aiohttp.ClientSession() as session:
        for scenario in ("slow-text", "silent"):
            provider.play(scenario)
            body = {"model": "scripted", "messages": [user()], "stream": True}
            response = await session.post(f"{provider.base_url}/chat/completions", json=body)
            assert provider.open_streams == 1
            response.close()
            await provider.wait_until(lambda: provider.requests[-1].closed_early, seconds=2)
        assert provider.open_streams == 0
        assert all(request.finished is not None for request in provider.requests)


async def test_a_stream_that_was_read_to_its_end_was_not_closed_early():
    async with ScriptedProvider("stalled", pace=0) as provider:
        provider.play("length")
        await read_reply(provider.base_url, [user()])
        await provider.wait_until(lambda: provider.open_streams == 0)
        assert [request.closed_early for request in provider.requests] == [False]


async def test_conversations_side_by_side_keep_their_own_places():
    async with ScriptedProvider("dialects/q07-ids-repeat-each-turn") as provider:

        async def converse(number: int) -> list[str]:
            messages = [user(f"conversation {number}")]
            said = []
            for step in range(3):
                message = await answer(provider.base_url, *messages)
                for call in message.get("tool_calls", []):
                    said.append(call["function"]["name"])
                    identifier = f"{call['function']['name']}:{step}"
                    messages += [{**message, "tool_calls": [{**call, "id": identifier}]}, result(identifier)]
                if message["content"]:
                    said.append(message["content"])
            return said

        found = await asyncio.gather(*map(converse, range(12)))
    assert all(said == ["searchInstalledNodes", "getNodeInfo", "It is SaveImage."] for said in found)


async def test_the_same_request_again_gets_the_next_attempt_and_another_conversation_the_first():
    async with ScriptedProvider("server-error-then-answer") as provider:
        statuses = [(await ask(provider.base_url, user(text)))[0] for text in ("a", "a", "a", "b")]
    assert statuses == [503, 200, 200, 503]


async def test_a_turn_is_found_by_the_text_of_its_user_message():
    scenario = {
        "about": "Two turns.",
        "turns": [
            {"user": "red", "steps": [{"reply": [{"say": "A red one."}]}]},
            {"steps": [{"reply": [{"say": "Any other."}]}, {"reply": [{"say": "And more."}]}]},
        ],
    }
    async with ScriptedProvider(scenario) as provider:
        history = [user("make it RED"), says("A red one.")]
        assert (await answer(provider.base_url, history[0]))["content"] == "A red one."
        assert (await answer(provider.base_url, *history, user("and blue")))["content"] == "Any other."


def test_images_right_behind_results_begin_no_turn():
    images = {
        "role": "user",
        "content": [
            {"type": "text", "text": "The images of these results:"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}},
        ],
    }
    place = position_of([user("look"), calls("viewImages"), result("call_0"), images])
    assert (place.step, place.user, place.last_role) == (1, "look", "tool")


async def test_a_request_past_the_last_step_is_refused_and_says_so():
    async with ScriptedProvider("reasoning") as provider:
        status, body = await ask(provider.base_url, user(), says("Yes."))
    assert status == 400
    assert "has 1 steps and the request asks for step 2" in body["error"]["message"]


async def test_a_warm_up_is_answered_without_playing_the_scenario():
    async with ScriptedProvider("server-error") as provider:
        status, _ = await ask(provider.base_url, user(), max_tokens=1)
        assert status == 200
        assert [request.step for request in provider.requests] == [None]


async def test_the_model_name_chooses_a_scenario_for_one_request():
    async with ScriptedProvider("server-error") as provider:
        _, body = await post(provider.base_url, {"model": "scripted/length", "messages": [user()]})
        status, refused = await post(provider.base_url, {"model": "scripted/none", "messages": [user()]})
    assert body["choices"][0]["finish_reason"] == "length"
    assert (status, refused["error"]["code"]) == (404, "model_not_found")


async def test_it_is_steered_and_looked_at_over_http():
    async with ScriptedProvider("server-error") as provider, aiohttp.ClientSession() as session:
        root = provider.base_url.removesuffix("/v1")
        async with session.post(f"{root}/scripted/scenario", json={"name": "nothing"}) as response:
            assert (response.status, (await response.json())["error"]["type"]) == (
                400,
                "invalid_request_error",
            )
        async with session.post(f"{root}/scripted/scenario", json={"scenario": TWO_STEPS}) as response:
            assert response.status == 200
        await ask(provider.base_url, user("look at me"))
        async with session.get(f"{root}/scripted/requests") as response:
            [recorded] = (await response.json())["requests"]
        assert recorded["body"]["messages"] == [user("look at me")]
        await session.post(f"{root}/scripted/reset")
        assert provider.requests == []


async def test_a_fixed_rate_is_kept_without_drift():
    scenario = {"about": "Tokens.", "steps": [{"reply": [{"tokens": 25, "every": "10ms", "stamped": True}]}]}
    async with ScriptedProvider(scenario) as provider:
        reply = await read_reply(provider.base_url, [user()])
    stamps = [int(token.partition("@")[2]) for token in reply.text.split()]
    assert [token.partition("@")[0] for token in reply.text.split()] == [f"#{number}" for number in range(25)]
    assert all(before < after for before, after in itertools.pairwise(stamps))
    # 24 times 10 ms, less what a busy machine lets the first one wait: the others keep to the clock.
    assert (stamps[-1] - stamps[0]) / 1e9 >= 0.12
    assert stamps[-1] < time.monotonic_ns()


def test_a_thread_serves_tests_that_are_not_asynchronous():
    with ScriptedProviderThread(TWO_STEPS) as provider:
        client = openai.OpenAI(base_url=provider.base_url, api_key="sk-1", max_retries=0)
        reply = client.chat.completions.create(model="scripted", messages=[user()])
        provider.wait_until(lambda: provider.open_streams == 0)
        assert reply.choices[0].message.content == "I add it."
        assert len(provider.requests) == 1
        provider.play("wrong-key")
        with pytest.raises(openai.AuthenticationError):
            client.chat.completions.create(model="scripted", messages=[user()])
        provider.reset()
        assert provider.requests == []
