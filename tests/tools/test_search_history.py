from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from comfyui_assistant.engine.context.results import ResultBudget
from comfyui_assistant.engine.tools.search_history import search_history
from comfyui_assistant.engine.tools.tool import run_server_tool

from ..context.conversations import answer, text, user


@pytest.fixture(autouse=True)
def said(conversation):
    conversation.messages += [user("m1", "Keep seed 7."), answer("m2", [text("Seed 7 it is.")])]


async def test_places_are_named_by_handles_with_what_stands_there(services):
    result = await run_server_tool(search_history, {"query": "seed"}, services)

    assert result == {
        "ok": True,
        "summary": "2 places: a1, u1.",
        "data": {
            "hits": [
                {"ref": "a1", "what": "answer", "excerpt": "Seed 7 it is."},
                {"ref": "u1", "what": "user message", "excerpt": "Keep seed 7."},
            ],
            "others": "Only this chat was searched; openOtherChats asks the user to let you search their other chats"
            " and memory.",
        },
    }


async def test_a_single_place_is_one(services):
    assert (await run_server_tool(search_history, {"query": "keep"}, services))["summary"] == "1 place: u1."


async def test_words_that_nobody_said_are_named(services):
    result = await run_server_tool(search_history, {"query": "submarine " * 20}, services)

    assert result["error"] == f'Nothing in this conversation has the words "{("submarine " * 20)[:80]}".'
    assert result["hint"].startswith("Try fewer or other words. Only this chat was searched;")


class Watched(dict):
    """A message that remembers on which threads its parts were read."""

    read_on: set[threading.Thread]

    def __getitem__(self, name):
        if name == "parts":
            self.read_on.add(threading.current_thread())
        return super().__getitem__(name)


async def test_a_long_conversation_is_searched_away_from_the_event_loop(services, conversation):
    watched = Watched(conversation.messages[0])
    watched.read_on = set()
    conversation.messages[0] = watched
    await run_server_tool(search_history, {"query": "seed"}, services)

    assert watched.read_on
    assert threading.main_thread() not in watched.read_on


async def test_places_in_project_files_come_first_and_are_named_as_text_from_outside(services, conversation):
    place = {"document": 3, "title": "book.md", "offset": 7, "text": "Seeds of light."}
    conversation.in_files = [place]
    result = await run_server_tool(search_history, {"query": "seed"}, services)

    assert result["summary"] == "the best place in project files; 2 places here: a1, u1."
    assert result["data"]["files"] == [place]
    assert result["outside"] == ['the project file "book.md"']


async def test_places_that_do_not_fit_are_counted(services, conversation):
    conversation.in_files = [
        {"document": 3, "title": "book.md", "offset": 7, "text": "Seeds. " * 100} for _ in range(8)
    ]
    result = await run_server_tool(
        search_history, {"query": "seed"}, replace(services, room=ResultBudget(700))
    )

    shown = len(result["data"]["files"])
    assert 1 <= shown < 8
    assert result["data"]["leftOut"].startswith(
        f"{8 - shown} places in project files; search with more words."
    )
