from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.message_metadata import (
    NO_METADATA,
    NOTHING_TOLD,
    MessageMetadata,
    Telling,
    ToldFile,
    UsedSkill,
    metadata_of_newest,
    without_file_texts,
)

from .conversations import answer, text, user

STYLE = ToldFile(1, "style.md", "style.md", "text/markdown", "v1", 23, "No neon.")
BOOK = ToldFile(2, "all/book.txt", "book.txt", "text/plain", "v1", 9_000)
GONE = ToldFile(3, "c.md", "c.md", "text/markdown", "v2", 3, is_gone=True)
SKILL = UsedSkill("look", "Look first.", "what is this?", ("viewImages",), is_users=True, files="look/a.md")
ALL = MessageMetadata(
    reminder="It is Monday.",
    persona="0:abc",
    workflow="3 KSampler",
    workflow_names={"3": "KSampler"},
    project=Telling((STYLE, BOOK, GONE), '[{"document":2}]'),
    is_beyond_budget=True,
    skill=SKILL,
)


def test_what_is_kept_is_read_as_it_was() -> None:
    assert MessageMetadata.of(ALL.put_into(user("u1"))) == ALL
    assert MessageMetadata.of(NO_METADATA.put_into(user("u1"))) == NO_METADATA


def test_only_what_there_is_is_kept_under_the_names_that_threads_have_it_under() -> None:
    assert "metadata" not in NO_METADATA.put_into(user("u1"))
    assert MessageMetadata(reminder="a", skill=UsedSkill("b", "c", "")).as_json() == {
        "reminder": "a",
        "skill": {"name": "b", "text": "c", "request": ""},
    }
    kept = ALL.as_json()
    names = ["reminder", "persona", "workflow", "workflowNames", "project", "beyondBudget", "skill"]
    assert [*kept] == names
    assert kept["project"] == {
        "files": [
            {
                "number": 1,
                "path": "style.md",
                "title": "style.md",
                "kind": "text/markdown",
                "version": "v1",
                "characters": 23,
                "isWhole": True,
                "text": "No neon.",
            },
            {
                "number": 2,
                "path": "all/book.txt",
                "title": "book.txt",
                "kind": "text/plain",
                "version": "v1",
                "characters": 9_000,
                "isWhole": False,
            },
            {
                "number": 3,
                "path": "c.md",
                "title": "c.md",
                "kind": "text/markdown",
                "version": "v2",
                "characters": 3,
                "isWhole": False,
                "isGone": True,
            },
        ],
        "places": '[{"document":2}]',
    }
    assert kept["skill"]["tools"] == ["viewImages"]
    assert (kept["skill"]["isUsers"], kept["skill"]["files"]) == (True, "look/a.md")


@pytest.mark.parametrize(
    "kept",
    [
        *(None, [], "odd", {}, {"reminder": 7, "persona": None, "workflow": ["a"], "workflowNames": "a"}),
        *({"skill": kept} for kept in (None, "Mask.", {}, {"name": "a", "text": None, "request": ""}, [])),
        *({"project": kept} for kept in (None, {"files": "none"}, {"files": [{"number": "1"}, 7]}, [1])),
        *({"project": {"places": [1]}}, {"beyondBudget": "yes"}),
    ],
)
def test_what_has_another_form_is_as_if_it_were_not_there(kept: Any) -> None:
    assert MessageMetadata.of(user("u1", metadata=kept)) == NO_METADATA


def test_an_answer_has_metadata_of_its_own() -> None:
    said: Any = {**answer("a1", [text("Yes.")]), "metadata": {"custom": {"steps": 1}, "reminder": "a"}}
    assert MessageMetadata.of(said) == NO_METADATA


def test_what_others_keep_with_a_message_stays() -> None:
    message = user("u1", metadata={"custom": 1, "reminder": "before"})
    assert MessageMetadata(reminder="now").put_into(message)["metadata"] == {"custom": 1, "reminder": "now"}
    assert message["metadata"]["reminder"] == "before"


def test_the_newest_message_of_the_person_counts() -> None:
    first, second = (MessageMetadata(reminder=said) for said in ("first", "second"))
    conversation: list[Any] = [first.put_into(user("u1")), second.put_into(user("u2")), answer("a2")]
    assert metadata_of_newest(conversation) == second
    assert metadata_of_newest([*conversation, user("u3")]) == metadata_of_newest([]) == NO_METADATA


def test_the_panel_is_told_which_files_there_are_and_not_what_stands_in_them() -> None:
    message = MessageMetadata(reminder="a", project=Telling((STYLE,))).put_into(user("u1"))
    bare: Any = without_file_texts(message)
    assert "No neon." not in str(bare)
    assert bare["metadata"]["reminder"] == "a"
    assert bare["metadata"]["project"]["files"][0]["isWhole"] is True
    assert MessageMetadata.of(message).project.files == (STYLE,)
    assert without_file_texts(user("u2")) == user("u2")
    assert MessageMetadata.of(user("u2")).project is NOTHING_TOLD
