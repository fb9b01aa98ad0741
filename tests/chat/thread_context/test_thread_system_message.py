from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from comfyui_assistant.engine.chat.thread_context.thread_system_message import StoredSystemMessages
from comfyui_assistant.engine.context.frame import LeftOut, SystemMessage

from dev.scripted.provider import ScriptedProvider

from ...talking import HELLO, system_of, talking

LONG = "word " * 4_000
RULE = "Speak German."
MESSAGE = SystemMessage(
    "Rules.", (LeftOut("rules.md", 28, "rules"), LeftOut("skills/a/SKILL.md", 900, "tokens"))
)


@pytest.mark.slow
async def test_a_rule_enters_the_system_message_at_the_next_condensing_and_stays_after_a_restart(
    tmp_path: Path,
) -> None:
    async with ScriptedProvider(HELLO, pace=0) as provider:
        async with talking(tmp_path, provider=provider) as (assistant, _):
            thread = await assistant.new_thread()
            await assistant.say("one", thread=thread, message_id="one")
            await assistant.call("POST", "/assistant/you/rules", {"text": RULE})
            condensed: list[int] = []
            for number in range(9):
                answer = await assistant.say(f"{number}. {LONG}", thread=thread, message_id=f"u{number}")
                condensed += [len(provider.requests)] * ("data-compaction" in str(answer.body))
            await assistant.say("Short.", thread=thread, message_id="short")
        async with talking(tmp_path, provider=provider) as (assistant, _):
            await assistant.say("on", thread=thread, message_id="later")
    systems = [system_of(request) for request in provider.requests]
    first = condensed[0] - 1
    assert all(RULE not in system for system in systems[:first])
    assert all(f"- {RULE}" in system for system in systems[first:])
    assert all(
        earlier == later or number + 1 == first for number, (earlier, later) in enumerate(pairwise(systems))
    )
    assert "since this chat began" in provider.requests[first].body["messages"][-1]["content"]
    assert "since this chat began" not in provider.requests[-1].body["messages"][-1]["content"]


@pytest.mark.slow
@pytest.mark.parametrize("action", ["clear", "compact"])
async def test_what_a_person_has_condensed_renews_the_system_message_too(tmp_path: Path, action: str) -> None:
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        for number in range(3):
            await assistant.say("word " * 900, thread=thread, message_id=f"u{number}")
        await assistant.call("POST", "/assistant/you/rules", {"text": RULE})
        context = f"/assistant/threads/{thread}/context"
        assert (await assistant.call("POST", context, {"action": action})).status == 200
        await assistant.say("next", thread=thread, message_id="next")
        assert RULE not in system_of(provider.requests[2])
        assert f"- {RULE}" in system_of(provider.requests[3])
        assert "since this chat began" not in provider.requests[3].body["messages"][-1]["content"]


async def test_looking_at_the_context_renews_nothing(tmp_path: Path) -> None:
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "16000"}) as (
        assistant,
        provider,
    ):
        thread = await assistant.new_thread()
        await assistant.say("one", thread=thread, message_id="one")
        await assistant.call("POST", "/assistant/you/rules", {"text": RULE})
        for _ in range(2):
            await assistant.call("GET", f"/assistant/threads/{thread}/context")
        await assistant.say("two", thread=thread, message_id="two")
        first, second = provider.requests
        assert system_of(first) == system_of(second)


def test_a_form_comes_back_with_what_it_left_out() -> None:
    kept = StoredSystemMessages({}).add("full", MESSAGE)
    assert StoredSystemMessages(kept).get("full") == MESSAGE
    assert StoredSystemMessages(kept).get("slim") is None


def test_forms_are_kept_beside_each_other() -> None:
    kept = StoredSystemMessages(StoredSystemMessages({}).add("full", MESSAGE)).add(
        "slim", SystemMessage("Short.")
    )
    assert StoredSystemMessages(kept).get("full") == MESSAGE
    assert StoredSystemMessages(kept).get("slim") == SystemMessage("Short.")


def test_texts_of_older_threads_have_left_out_nothing() -> None:
    assert StoredSystemMessages({"full": "Rules."}).get("full") == SystemMessage("Rules.")


@pytest.mark.parametrize("damaged", ["{", "[1]", "null", '[{"source": "a"}]'])
def test_what_cannot_be_read_of_what_was_left_out_does_not_stop_a_chat(damaged: str) -> None:
    kept = {**StoredSystemMessages({}).add("full", MESSAGE)}
    [name] = [name for name in kept if name != "full"]
    assert StoredSystemMessages({**kept, name: damaged}).get("full") == SystemMessage("Rules.")


def test_the_rules_of_the_time_are_kept_beside_a_form() -> None:
    ruled, none = SystemMessage("Rules.", rules=("Save all.",)), SystemMessage("Rules.", rules=())
    for message in (ruled, none):
        assert StoredSystemMessages(StoredSystemMessages({}).add("full", message)).get("full") == message
