from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.context.message_metadata import MessageMetadata, SentFile, SentFiles
from comfyui_assistant.engine.context.results import ResultBudget
from comfyui_assistant.engine.tools.read_tool_result import read_tool_result
from comfyui_assistant.engine.tools.tool import run_server_tool

from ..context.conversations import user

LONG = "".join(f"{number:>9}\n" for number in range(1, 901))


@pytest.fixture(autouse=True)
def said(conversation):
    conversation.messages += [user("m1", "Keep seed 7."), user("m2", LONG)]


async def test_a_short_text_is_read_whole(services):
    assert await run_server_tool(read_tool_result, {"ref": "u1"}, services) == {
        "ok": True,
        "summary": "Characters 0 to 12 of 12 of u1.",
        "data": {"ref": "u1", "text": "Keep seed 7.", "totalCharacters": 12},
    }


async def test_a_long_text_is_read_page_by_page_as_long_as_there_is_room_each_ending_with_a_line(services):
    services = replace(services, room=ResultBudget(2_000))
    pages, offset = [], 0
    while offset is not None:
        page = await run_server_tool(read_tool_result, {"ref": "u2", "offset": offset}, services)
        assert services.room.holds(page)
        pages.append(page["data"]["text"])
        offset = page["data"].get("nextOffset")

    assert len(pages) == 3
    assert all(page.endswith("\n") for page in pages)
    assert "".join(pages) == LONG


async def test_behind_the_end_there_is_nothing(services):
    result = await run_server_tool(read_tool_result, {"ref": "u1", "offset": 99}, services)

    assert result["data"] == {"ref": "u1", "text": "", "totalCharacters": 12}


async def test_the_places_with_a_text_are_shown_with_their_offsets(services):
    result = await run_server_tool(read_tool_result, {"ref": "u2", "query": "00\n"}, services)
    places = result["data"]["places"]

    assert result["summary"] == '9 places with "00\n" in u2.'
    assert result["data"]["more"] == 3
    assert [LONG[place["offset"] : place["offset"] + 3] for place in places] == ["00\n"] * 6
    assert " 99 100 101 " in " ".join(places[0]["text"].split())


async def test_an_offset_leads_to_its_place_behind_letters_that_grow_when_they_are_lowered(
    services, conversation
):
    text = "İ" * 5_000 + " Needle " + "x" * 5_000
    conversation.messages[1] = user("m2", text)
    result = await run_server_tool(read_tool_result, {"ref": "u2", "query": "needle"}, services)

    assert [place["offset"] for place in result["data"]["places"]] == [text.index("Needle")]
    assert "Needle" in result["data"]["places"][0]["text"]


async def test_a_text_that_does_not_occur_is_named(services):
    result = await run_server_tool(read_tool_result, {"ref": "u1", "query": "denoise"}, services)

    assert result["error"] == '"denoise" does not occur in u1.'


async def test_a_handle_of_nothing_is_told_with_those_that_there_are(services):
    result = await run_server_tool(read_tool_result, {"ref": "r9"}, services)

    assert result == {
        "ok": False,
        "error": 'There is nothing behind "r9". There are: u1 to u2.',
        "hint": "Use searchHistory to find a text by its words.",
    }


async def test_a_project_file_is_read_by_its_number(services, conversation):
    conversation.file_texts = {7: "A wide lens."}
    result = await run_server_tool(read_tool_result, {"ref": "d7"}, services)

    assert result["data"]["text"] == "A wide lens."
    assert "outside" not in result


async def test_what_a_project_file_says_is_text_by_others(services, conversation):
    book = SentFile(7, "all/book.md", "book.md", "text/markdown", "v1", 12)
    conversation.file_texts = {7: "A wide lens."}
    conversation.messages = [MessageMetadata(project=SentFiles((book,))).put_into(user("u1"))]
    for arguments in ({"ref": "d7"}, {"ref": "d7", "query": "lens"}):
        result = await run_server_tool(read_tool_result, arguments, services)
        assert result["outside"] == ['the project file "book.md"']
    assert "outside" not in await run_server_tool(read_tool_result, {"ref": "d7", "query": "sea"}, services)


async def test_the_places_behind_an_offset_are_those_that_were_left_out(services):
    call = {"ref": "u2", "query": "00\n"}
    first = await run_server_tool(read_tool_result, call, services)
    rest = await run_server_tool(read_tool_result, {**call, "offset": first["data"]["nextOffset"]}, services)

    assert rest["summary"].startswith(f'3 places with "00\n" in u2 after {first["data"]["nextOffset"]:,}')
    assert "more" not in rest["data"]
    places = [*first["data"]["places"], *rest["data"]["places"]]
    assert [LONG[place["offset"] - 7 : place["offset"] + 2].strip() for place in places] == [
        f"{number}00" for number in range(1, 10)
    ]
