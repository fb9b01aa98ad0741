from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from comfyui_assistant.engine.http import project
from comfyui_assistant.engine.user.project.passages import nearest_passage

from ..running_assistant import RunningAssistant
from ..talking import talking

FILES = "/assistant/project/files"
BOOK = "# Lenses\n\nA wide lens bends the lighthouse.\n\n" + "Filler words, page after page. " * 3_000
SEARCH: Any = {
    "about": "A test.",
    "steps": [
        {"reply": [{"call": "searchHistory", "arguments": {"query": "which lens bends a lighthouse"}}]},
        {"reply": [{"say": "A wide lens bends it [1]."}]},
    ],
    "after": "repeat",
    "pace": 0,
}


async def put(assistant: RunningAssistant, name: str, text: str, query: str = "") -> Any:
    answer = await assistant.call("PUT", f"{FILES}?name={quote(name)}{query}", text.encode())
    return answer.status, answer.json


async def test_a_file_that_fits_reaches_the_model_whole_and_one_that_does_not_is_searched(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, SEARCH) as (assistant, provider):
        status, file = await put(assistant, "book.md", BOOK)
        assert (status, file["path"], file["characters"]) == (201, "book.md", len(BOOK.rstrip()))
        assert (await put(assistant, "style.md", "No neon."))[0] == 201
        listed = (await assistant.call("GET", "/assistant/project")).json
        assert [each["path"] for each in listed["files"]] == ["book.md", "style.md"]
        assert 2_000 < listed["room"] < listed["files"][0]["tokens"]
        assert [each["isWhole"] for each in listed["files"]] == [False, True]
        assert listed["isSearched"] is True

        thread = await assistant.new_thread()
        await assistant.say("What bends it?", thread=thread, message_id="u1")
        first, second = (str(request.body) for request in provider.requests)
        assert "No neon." in first
        assert "cite its number in brackets" in first
        assert "bends the lighthouse" not in first
        assert 'd1 "book.md"' in first
        assert "bends the lighthouse" in second

        shown = (await assistant.call("GET", f"/assistant/threads/{thread}")).json["messages"][0]
        assert "No neon." not in str(shown)
        assert [each["title"] for each in shown["metadata"]["project"]["files"]] == ["book.md", "style.md"]

        documents = f"/assistant/threads/{thread}/documents"
        assert [each["number"] for each in (await assistant.call("GET", documents)).json["documents"]] == [
            1,
            2,
        ]
        near = quote("A wide lens bends the lighthouse [1].")
        found = (await assistant.call("GET", f"{documents}/1?near={near}")).json
        assert "bends the lighthouse" in found["text"][found["place"]["start"] - found["start"] :]
        later = (await assistant.call("GET", f"{documents}/1?start=50000")).json
        assert later["text"] == BOOK.rstrip()[50_000:90_000]
        assert (await assistant.call("GET", f"{documents}/7")).status == 404

        await assistant.say("And again?", thread=thread, message_id="u2")
        assert str(provider.requests[-1].body).count("No neon.") == 1


async def test_a_small_model_is_told_the_places_that_its_message_is_about(tmp_path: Path) -> None:
    slim = {"COMFYUI_ASSISTANT_PROFILE": "slim", "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "8192"}
    async with talking(tmp_path, environ=slim) as (assistant, provider):
        await put(assistant, "book.md", BOOK)
        thread = await assistant.new_thread()
        await assistant.say("which lens bends a lighthouse?", thread=thread, message_id="u1")
        first = provider.requests[-1].body
        assert "A wide lens bends the lighthouse." in str(first)
        assert "searchHistory" not in str(first)
        await assistant.say("thanks", thread=thread, message_id="u2")
        assert str(provider.requests[-1].body).count("A wide lens bends the lighthouse.") == 1
        listed = (await assistant.call("GET", f"/assistant/project?thread={thread}")).json
        assert listed["isSearched"] is False


async def test_a_file_is_switched_and_deleted(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        await put(assistant, "style.md", "No neon.")
        assert (await put(assistant, "style.md", "Twice."))[1]["error"]["code"] == "already_there"
        assert (await put(assistant, "style.md", "No neon at all.", "&replace=1"))[0] == 201
        off = await assistant.call("PATCH", FILES, {"path": "style.md", "isOn": False})
        assert off.json["isOn"] is False
        await assistant.say("hello", thread=await assistant.new_thread(), message_id="u1")
        assert "No neon" not in str(provider.requests[-1].body)
        assert (await assistant.call("PATCH", FILES, {"path": "style.md", "isOn": True})).json["isOn"]
        assert (await assistant.call("DELETE", f"{FILES}?path=style.md")).json == {}
        assert (await assistant.call("GET", "/assistant/project")).json["files"] == []


@pytest.mark.parametrize(
    ("method", "query", "body", "code"),
    [
        ("PUT", "", None, "invalid_request"),
        ("PUT", "?name=../a.md", None, "invalid_request"),
        ("PATCH", "", {"path": "a.md"}, "invalid_request"),
        ("PATCH", "", {"isOn": True}, "invalid_request"),
        ("PATCH", "", {"path": "a.md", "isOn": "yes"}, "invalid_request"),
        ("PATCH", "", {"path": "none.md", "isOn": True}, "not_found"),
        ("DELETE", "", None, "invalid_request"),
        ("DELETE", "?path=../settings.json", None, "not_found"),
    ],
)
async def test_what_makes_no_sense_is_refused_with_what_was_expected(
    tmp_path: Path, method: str, query: str, body: Any, code: str
) -> None:
    async with talking(tmp_path) as (assistant, _):
        refused = await assistant.call(method, f"{FILES}{query}", body)
        assert refused.json["error"]["code"] == code
        assert refused.json["error"]["hint"]


async def test_a_file_whose_name_is_no_utf_8_ends_no_chat(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        await put(assistant, "style.md", "No neon.")
        (listed,) = (await assistant.call("GET", "/assistant/project")).json["files"]
        home = Path((await assistant.call("GET", "/assistant/project")).json["folder"])
        (home / listed["name"]).rename(home / os.fsdecode(b"caf\xe9.md"))
        await assistant.say("hello", thread=await assistant.new_thread(), message_id="u1")
        assert "No neon." in str(provider.requests[-1].body)
        (listed,) = (await assistant.call("GET", "/assistant/project")).json["files"]
        off = await assistant.call("PATCH", FILES, {"path": listed["path"], "isOn": False})
        assert (off.status, off.json["isOn"]) == (200, False)


async def test_a_place_is_looked_for_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def look(text: str, about: str) -> Any:
        threads.append(threading.current_thread())
        return nearest_passage(text, about)

    monkeypatch.setattr(project, "nearest_passage", look)
    async with talking(tmp_path) as (assistant, _):
        await put(assistant, "book.md", BOOK)
        thread = await assistant.new_thread()
        await assistant.say("hello", thread=thread, message_id="u1")
        near = quote("A wide lens bends the lighthouse.")
        document = f"/assistant/threads/{thread}/documents/1?near={near}"
        assert (await assistant.call("GET", document)).json["place"]
    assert threads
    assert threading.current_thread() not in threads


async def test_without_a_model_there_is_no_room_and_the_files_are_listed_all_the_same(
    assistant: RunningAssistant,
) -> None:
    await put(assistant, "style.md", "No neon.")
    listed = (await assistant.call("GET", "/assistant/project")).json
    assert (listed["room"], len(listed["files"]), Path(listed["folder"]).name) == (0, 1, "project")
