"""The provider of a chat: chosen in its midst, kept with it, deleted while it answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from dev.scripted.provider import ScriptedProvider

from ...running_assistant import RunningAssistant, running_assistant

PROVIDERS = "/assistant/providers"
BROWSER_TOOL = {
    "about": "A test.",
    "pace": 0,
    "steps": [
        {"reply": [{"call": "addNode", "arguments": {"type": "KSampler"}}]},
        {"reply": [{"say": "It is there."}]},
    ],
}


def says(text: str, pace: float = 0) -> Any:
    return {"about": "A test.", "steps": [{"reply": [{"say": text}]}], "after": "repeat", "pace": pace}


@asynccontextmanager
async def two_providers(
    folder: Path, first: Any = None, pace: float | None = 0
) -> AsyncIterator[tuple[RunningAssistant, str, str]]:
    """With the ids of both; the first one is the default."""
    async with (
        ScriptedProvider(first or says("I am one."), pace=pace) as one,
        ScriptedProvider(says("I am two."), pace=0) as two,
        running_assistant(folder, {}) as assistant,
    ):
        ids = [
            (
                await assistant.call(
                    "POST", PROVIDERS, {"baseUrl": each.base_url, "model": "scripted", "name": name}
                )
            ).json["id"]
            for name, each in (("One", one), ("Two", two))
        ]
        yield assistant, ids[0], ids[1]


async def choose(assistant: RunningAssistant, thread: str, **wanted: str) -> Any:
    return await assistant.call("PUT", f"/assistant/threads/{thread}/provider", wanted)


def notices(reply: Any) -> list[Any]:
    return [chunk["data"] for chunk in reply.chunks if chunk["type"] == "data-notice"]


async def test_a_chat_is_answered_by_the_provider_that_was_chosen_for_it_and_others_by_the_default(
    tmp_path: Path,
) -> None:
    async with two_providers(tmp_path) as (assistant, _, two):
        thread, other = await assistant.new_thread(), await assistant.new_thread()
        assert (await assistant.say("hi", thread=thread)).text == "I am one."
        chosen = (await choose(assistant, thread, provider="tw")).json
        assert (chosen["provider"], chosen["status"]["label"]) == (two, "Two")
        assert (await assistant.say("hi", thread=thread, message_id="u2")).text == "I am two."
        assert (await assistant.say("hi", thread=other)).text == "I am one."
        shown = (await assistant.call("GET", f"/assistant/status?thread={thread}")).json["model"]
        assert (shown["label"], shown["provider"]) == ("Two", two)
        assert (await assistant.call("GET", "/assistant/status?thread=none")).json["model"]["label"] == "One"
        assert (await choose(assistant, thread, provider="")).json["status"]["label"] == "One"
        assert (await assistant.say("hi", thread=thread, message_id="u3")).text == "I am one."


async def test_another_model_of_the_same_server_is_found_by_a_part_of_its_name(tmp_path: Path) -> None:
    async with two_providers(tmp_path) as (assistant, _, two):
        thread = await assistant.new_thread()
        chosen = (await choose(assistant, thread, model="scripted/red-imag")).json
        assert (chosen["provider"], chosen["model"]) == ("", "scripted/red-image")
        assert chosen["status"]["label"] == "red-image"
        refused = await choose(assistant, thread, model="nobody-has-it")
        assert (refused.status, refused.error_code) == (404, "unknown_model")
        assert "scripted" in refused.json["error"]["hint"]
        unknown = await choose(assistant, thread, provider="nobody")
        assert (unknown.status, unknown.error_code) == (404, "not_found")
        assert (await choose(assistant, thread, provider=two)).json["model"] == ""


async def test_what_is_typed_is_asked_for_where_the_server_lists_nothing(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        await assistant.call("POST", PROVIDERS, {"baseUrl": "http://127.0.0.1:9/v1", "model": "m"})
        thread = await assistant.new_thread()
        assert (await choose(assistant, thread, model="typed")).json["status"]["id"] == "typed"
        assert (await choose(assistant, thread, model="")).json["status"]["id"] == "m"
        refused = await choose(assistant, thread)
        assert (refused.status, refused.error_code) == (400, "invalid_request")


@pytest.mark.slow
async def test_an_answer_goes_on_whose_provider_is_deleted_and_the_next_one_says_who_takes_over(
    tmp_path: Path,
) -> None:
    story = "Once upon a time there was a model. " * 6
    async with two_providers(tmp_path, says(story), pace=0.01) as (assistant, one, _):
        thread = await assistant.new_thread()
        await choose(assistant, thread, provider=one)
        answering = asyncio.create_task(assistant.say("tell me", thread=thread))
        while not await assistant.messages(thread):
            await asyncio.sleep(0.01)
        assert (await assistant.call("DELETE", f"{PROVIDERS}/{one}")).status == 204
        answer = await answering
        assert (answer.text.strip(), notices(answer)) == (story.strip(), [])
        following = await assistant.say("and then?", thread=thread, message_id="u2")
        assert following.text == "I am two."
        gone, other = notices(following)
        assert gone == {
            "code": "provider-gone",
            "message": "The provider of this chat was deleted. Two answers from here on.",
        }
        assert other["code"] == "other-origin"
        assert notices(await assistant.say("and then?", thread=thread, message_id="u3")) == []


async def test_who_takes_over_from_a_default_that_was_deleted_is_said_in_chats_that_it_answered(
    tmp_path: Path,
) -> None:
    async with two_providers(tmp_path) as (assistant, one, _):
        begun, fresh = await assistant.new_thread(), await assistant.new_thread()
        await assistant.say("hi", thread=begun)
        await assistant.call("DELETE", f"{PROVIDERS}/{one}")
        replies = [
            await assistant.say("hi", thread=thread, message_id=name)
            for thread, name in ((begun, "u2"), (begun, "u3"), (fresh, "u4"))
        ]
    codes = [[notice["code"] for notice in notices(reply)] for reply in replies]
    assert codes == [["provider-gone", "other-origin"], [], []]


@pytest.mark.slow
async def test_answers_from_another_origin_say_once_that_everything_is_sent_there(tmp_path: Path) -> None:
    async with two_providers(tmp_path) as (assistant, one, two):
        thread = await assistant.new_thread()
        assert notices(await assistant.say("hi", thread=thread)) == []
        await assistant.call("PATCH", f"{PROVIDERS}/{two}", {"isDefault": True})
        following = await assistant.say("hi", thread=thread, message_id="u2")
        listed = (await assistant.call("GET", PROVIDERS)).json["providers"]
        origin = next(each["baseUrl"]["value"] for each in listed if each["id"] == two).removesuffix("/v1")
        said = {
            "code": "other-origin",
            "message": f"This chat’s answers now come from {origin}; everything above is sent there too.",
        }
        assert (following.text, notices(following)) == ("I am two.", [said])
        kept = (await assistant.messages(thread))[-1]["parts"]
        assert {"type": "data-notice", "data": said} in kept
        assert notices(await assistant.say("hi", thread=thread, message_id="u3")) == []
        await choose(assistant, thread, provider=one)
        back = await assistant.say("hi", thread=thread, message_id="u4")
        assert [notice["code"] for notice in notices(back)] == ["other-origin"]
        fresh = await assistant.say("hi", thread=await assistant.new_thread(), message_id="u5")
        assert (fresh.text, notices(fresh)) == ("I am two.", [])


async def test_an_origin_is_told_after_a_restart_and_where_nobody_answered_there(tmp_path: Path) -> None:
    async with ScriptedProvider(says("I am one."), pace=0) as one:
        async with running_assistant(tmp_path, {}) as assistant:
            for name, address in (("One", one.base_url), ("Nobody", "http://127.0.0.1:9/v1")):
                body = {"baseUrl": address, "model": "scripted", "name": name}
                await assistant.call("POST", PROVIDERS, body)
            thread = await assistant.new_thread()
            await assistant.say("hi", thread=thread)
        async with running_assistant(tmp_path, {}) as assistant:
            await choose(assistant, thread, provider="Nobody")
            failed = await assistant.say("hi", thread=thread, message_id="u2")
            assert [notice["code"] for notice in notices(failed) if notice["code"] != "retrying"] == [
                "other-origin"
            ]
            # What is sent is written down beside the sending, which failed at once.
            while (
                len((await assistant.call("GET", f"/assistant/threads/{thread}/requests")).json["requests"])
                < 2
            ):
                await asyncio.sleep(0.01)
            await choose(assistant, thread, provider="One")
            back = await assistant.say("hi", thread=thread, message_id="u3")
    assert (back.text, [notice["code"] for notice in notices(back)]) == ("I am one.", ["other-origin"])


async def test_another_model_at_the_same_origin_is_no_other_origin(tmp_path: Path) -> None:
    async with two_providers(tmp_path) as (assistant, _, __):
        thread = await assistant.new_thread()
        await assistant.say("hi", thread=thread)
        await choose(assistant, thread, model="scripted/red-imag")
        following = await assistant.say("hi", thread=thread, message_id="u2")
    assert notices(following) == []


@pytest.mark.slow
async def test_who_takes_over_between_the_steps_of_a_turn_says_so(tmp_path: Path) -> None:
    async with two_providers(tmp_path, BROWSER_TOOL) as (assistant, one, _):
        thread = await assistant.new_thread()
        await choose(assistant, thread, provider=one)
        await assistant.say("add a sampler", thread=thread)
        message = (await assistant.messages(thread))[-1]
        call = next(part for part in message["parts"] if part["type"] == "tool-addNode")
        call |= {"state": "output-available", "output": {"ok": True, "summary": "Added.", "data": {}}}
        await assistant.call("DELETE", f"{PROVIDERS}/{one}")
        following = await assistant.call("POST", "/chat", {"id": thread, "messages": [message]})
    assert [notice["code"] for notice in notices(following)] == ["provider-gone", "other-origin"]
    assert following.text == "I am two."


async def test_without_any_provider_left_the_chat_says_what_to_do(tmp_path: Path) -> None:
    async with two_providers(tmp_path) as (assistant, one, two):
        thread = await assistant.new_thread()
        await choose(assistant, thread, provider=one)
        for each in (one, two):
            await assistant.call("DELETE", f"{PROVIDERS}/{each}")
        refused = await assistant.say("hi", thread=thread)
        assert (refused.status, refused.error_code) == (409, "no_provider")


async def test_what_the_person_chooses_comes_before_the_model_of_a_persona(tmp_path: Path) -> None:
    (tmp_path / "personas" / "ada").mkdir(parents=True)
    soul = "---\nname: Ada\ndescription: Counts.\nmodel: special\n---\nCount twice.\n"
    (tmp_path / "personas" / "ada" / "SOUL.md").write_text(soul, "utf-8")
    async with two_providers(tmp_path) as (assistant, _, two):
        thread = await assistant.new_thread()
        await assistant.call("PUT", f"/assistant/threads/{thread}/persona", {"name": "ada"})
        status = f"/assistant/status?thread={thread}"
        assert (await assistant.call("GET", status)).json["model"]["id"] == "special"
        await choose(assistant, thread, provider=two)
        assert (await assistant.call("GET", status)).json["model"]["id"] == "scripted"


@pytest.mark.slow
async def test_a_persona_asks_for_a_provider_and_its_absence_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "personas" / "ada").mkdir(parents=True)
    soul = "---\nname: Ada\ndescription: Counts.\nprovider: {}\nmodel: special\n---\nCount twice.\n"
    (tmp_path / "personas" / "ada" / "SOUL.md").write_text(soul.format("Two"), "utf-8")
    async with two_providers(tmp_path) as (assistant, one, two):
        thread = await assistant.new_thread()
        await assistant.call("PUT", f"/assistant/threads/{thread}/persona", {"name": "ada"})
        status = (await assistant.call("GET", f"/assistant/status?thread={thread}")).json["model"]
        assert status["id"] == "special"
        said = await assistant.say("hi", thread=thread, message_id="u1")
        assert said.text == "I am two."
        await choose(assistant, thread, provider=one)
        assert (await assistant.say("hi", thread=thread, message_id="u2")).text == "I am one."
        await choose(assistant, thread, provider="")
        assert (await assistant.say("hi", thread=thread, message_id="u3")).text == "I am two."
        await assistant.call("DELETE", f"{PROVIDERS}/{two}")
        gone = await assistant.say("hi", thread=thread, message_id="u4")
        assert gone.text == "I am one."
        assert "asks for the provider “Two”, which is not set up." in gone.body.decode()
        again = await assistant.say("hi", thread=thread, message_id="u5")
        assert "which is not set up" not in again.body.decode()
