from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ..talking import talking

MEMORY = "/assistant/memory"


def run_of(text: str) -> Any:
    """A chat in which a picture was made, as its client sends it."""
    return {
        "about": "A test.",
        "steps": [
            {"reply": [{"call": "searchHistory", "arguments": {"query": text}}]},
            {"reply": [{"say": "Done."}]},
        ],
        "after": "repeat",
        "pace": 0,
    }


async def test_what_is_cleared_stays_in_the_memory_of_its_day(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("a fox in the snow", thread=thread, message_id="u1")
        cleared = await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "clear"})
        assert cleared.status == 200
        (day,) = (await assistant.call("GET", f"{MEMORY}?query=fox")).json["days"]
        assert "- Asked: a fox in the snow" in day["lines"]
        text = (await assistant.call("GET", f"{MEMORY}/{day['day']}")).json["text"]
        assert text.startswith(
            "## a fox in the snow\n\n- Asked: a fox in the snow\n- Answered: Hello there.\n"
        )
        forgotten = await assistant.call("PUT", f"{MEMORY}/{day['day']}", {"text": "", "seen": text})
        assert forgotten.json["text"] == ""
        assert (await assistant.call("GET", MEMORY)).json == {"days": []}


async def test_where_no_memory_can_be_written_the_chat_goes_on(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("no folder", "utf-8")
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("a fox", thread=thread, message_id="u1")
        cleared = await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "clear"})
        assert cleared.status == 200
        assert (await assistant.say("a bear", thread=thread, message_id="u2")).status == 200


@pytest.mark.slow
async def test_other_chats_are_searched_only_where_the_person_let_this_one(tmp_path: Path) -> None:
    async with talking(tmp_path, run_of("walrus")) as (assistant, provider):
        other = await assistant.new_thread()
        await assistant.say(
            "paint a walrus on ice",
            thread=other,
            message_id="u1",
            workflow={"name": "x", "file": "workflows/ice.json"},
        )
        thread = await assistant.new_thread()
        leave = f"/assistant/threads/{thread}/memory"
        assert (await assistant.call("GET", leave)).json == {"searchesAll": False}

        await assistant.say("hello", thread=thread, message_id="u2")
        assert "Only this chat was searched" in str(provider.requests[-1].body)
        assert "on ice" not in str(provider.requests[-1].body)

        await assistant.call("PUT", leave, {"searchesAll": True})
        await assistant.say("again", thread=thread, message_id="u3")
        told = str(provider.requests[-1].body)
        assert "paint a walrus on ice" in told
        assert "workflows/ice.json" in told
        assert "The user lets searchHistory search their other chats and memory, too; a date such as" in told

        await assistant.call("PUT", leave, {"searchesAll": False})
        before = str(provider.requests[-1].body).count("paint a walrus")
        await assistant.say("once more", thread=thread, message_id="u4")
        assert str(provider.requests[-1].body).count("paint a walrus") == before


@pytest.mark.parametrize("body", [{}, {"searchesAll": "yes"}])
async def test_what_is_no_yes_is_refused(tmp_path: Path, body: Any) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        assert (await assistant.call("PUT", f"/assistant/threads/{thread}/memory", body)).status == 400


async def test_where_others_were_not_searched_the_model_is_told_how_to_ask(tmp_path: Path) -> None:
    async with talking(tmp_path, run_of("hello")) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("hello", thread=thread, message_id="u1")
        assert "openOtherChats asks the user" in str(provider.requests[-1].messages[-1])
        assert "openOtherChats" in str(provider.requests[-1].body["tools"])
