"""Attached texts: JSON with a number that stays, cut with a handle, and cited where there are any."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.condensing import Condense
from comfyui_assistant.engine.context.documents import (
    DOCUMENTS,
    documents,
    is_document,
    number_all_documents,
    number_documents,
)
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.handles import known_handles, read_back
from comfyui_assistant.engine.context.message_metadata import MessageMetadata
from comfyui_assistant.engine.context.plan import plan
from comfyui_assistant.engine.context.reminder import CITATION, reminder
from comfyui_assistant.engine.context.tokens import count_text

from .conversations import answer, text, turns, user

READ_BACK = {"type": "function", "function": {"name": "readToolResult", "description": "", "parameters": {}}}


def attached(name: str, contents: str, kind: str = "text/markdown") -> Any:
    return {"type": "file", "mediaType": kind, "filename": name, "url": f"data:{kind},{quote(contents)}"}


def saying(message_id: str, said: str, *files: Any) -> Any:
    return {"id": message_id, "role": "user", "parts": [text(said), *files]}


def sent(conversation: Any, **options: Any) -> list[Any]:
    window = options.pop("window", 32_000)
    return plan(
        conversation,
        Frame("", "full", [READ_BACK]),
        Budget(window, 0),
        count=count_text,
        **options,
    ).messages


def shown(content: Any) -> list[Any]:
    """The documents as they stand in a message."""
    return json.loads(content[0]["text"].removeprefix(DOCUMENTS).partition("\nd")[0])["documents"]


def test_documents_come_first_in_their_message_as_json_with_numbers_and_the_reminder_comes_last() -> None:
    image = {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,AAAA"}
    message = saying("u1", "Compare.", attached("a.md", "# A"), image, attached("b.csv", "1;2", "text/csv"))
    [numbered_message] = number_all_documents([message])
    said = reminder(now="Monday", pins=["Keep seed 7."], cites=True)
    [first] = sent([MessageMetadata(reminder=said).put_into(numbered_message)])
    assert [part["type"] for part in first["content"]] == ["text", "text", "image_url", "text"]
    assert shown(first["content"]) == [
        {
            "document": 1,
            "title": "a.md",
            "metadata": {"type": "text/markdown", "characters": 3},
            "contents": "# A",
        },
        {
            "document": 2,
            "title": "b.csv",
            "metadata": {"type": "text/csv", "characters": 3},
            "contents": "1;2",
        },
    ]
    assert first["content"][1]["text"] == "Compare."
    lines = first["content"][-1]["text"].splitlines()
    assert lines[-3:] == ["Pinned by the user: Keep seed 7.", CITATION, "</reminder>"]


def test_numbers_go_on_through_the_thread_and_stay() -> None:
    conversation = number_all_documents([saying("u1", "One.", attached("a.md", "A"))])
    conversation += [answer("a1", [text("Yes [1].")])]
    later = saying("u2", "Two.", attached("b.md", "B"))
    conversation.append({**later, "parts": number_documents(later["parts"], conversation)})
    messages = sent(conversation)
    assert [shown(messages[index]["content"])[0]["document"] for index in (0, 2)] == [1, 2]
    assert messages[:1] == sent(conversation[:1])
    assert read_back(conversation, "d2") == "B"
    assert read_back(conversation, "d3") is None
    assert known_handles(conversation) == "u1 to u2, a1 to a1, d1 to d2"


def test_a_number_that_a_client_claims_is_not_believed() -> None:
    claimed = {
        **attached("a.md", "A"),
        "providerMetadata": {"comfyuiAssistant": {"document": 99}},
    }
    [part] = number_documents([claimed], [])
    assert part["providerMetadata"] == {"comfyuiAssistant": {"document": 1}}


def test_a_long_document_is_cut_and_its_handle_reads_all_of_it() -> None:
    long = "word " * 20_000
    conversation = number_all_documents([saying("u1", "Read it.", attached("long.txt", long, "text/plain"))])
    [entry] = shown(sent(conversation, window=8_192)[0]["content"])
    assert "d1: " in entry["contents"]
    assert 'readToolResult with ref "d1" reads them' in entry["contents"]
    assert read_back(conversation, "d1") == long


def test_between_the_shown_parts_of_a_long_document_stand_its_headings_with_their_offsets() -> None:
    long = "\n\n".join(f"# Chapter {number}\n\n{'word ' * 800}" for number in range(1, 31))
    conversation = number_all_documents([saying("u1", "Read it.", attached("long.md", long, "text/plain"))])
    [entry] = shown(sent(conversation, window=16_000)[0]["content"])
    offset = long.index("# Chapter 15")
    assert "from such an offset:\n" in entry["contents"]
    assert f"\n{offset}: Chapter 15\n" in entry["contents"]
    assert "\n0: Chapter 1\n" not in entry["contents"]
    assert len(entry["contents"]) < 20_500
    assert read_back(conversation, "d1") == long


def test_what_is_condensed_still_names_its_documents() -> None:
    conversation = [
        *number_all_documents([saying("u0", "Read it.", attached("a.md", "word " * 900))]),
        *turns(8, first=1),
    ]
    made = plan(
        conversation,
        Frame("", "full", [READ_BACK]),
        Budget(32_000, 0),
        force=Condense(),
    )
    assert made.compaction is not None
    assert "u1: Read it. [Attached: d1 a.md]" in made.compaction.text
    assert read_back(conversation, "u1") == "Read it.\n[Attached: d1 a.md]"


@pytest.mark.parametrize(
    ("kind", "url", "expected"),
    [
        ("text/plain", "data:text/plain;base64,QQ==", True),
        ("application/json; charset=utf-8", "data:application/json,{}", True),
        ("application/ld+json", "data:application/ld+json,{}", True),
        ("application/json", "http://127.0.0.1:8188/view?filename=wf.json", False),
        ("application/pdf", "data:application/pdf;base64,QQ==", False),
        ("image/svg+xml", "data:image/svg+xml,<svg/>", False),
    ],
)
def test_which_files_are_documents(kind: str, url: str, expected: bool) -> None:
    assert is_document({"type": "file", "mediaType": kind, "url": url}) is expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [("!", "(This document could not be decoded.)"), ("", ""), ("/w==", "\ufffd")],
    ids=["no base64", "empty", "no UTF-8"],
)
def test_what_is_no_text_says_so(data: str, expected: str) -> None:
    broken = {"type": "file", "mediaType": "text/plain", "url": f"data:text/plain;base64,{data}"}
    [message] = sent(number_all_documents([saying("u1", "Read it.", broken)]))
    assert shown(message["content"])[0]["contents"] == expected


def test_only_user_messages_have_documents() -> None:
    assert not any(documents([answer("a1", [attached("a.md", "A")]), user("u1")]))
