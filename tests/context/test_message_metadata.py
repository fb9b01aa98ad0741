from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.handles import read_back
from comfyui_assistant.engine.context.message_metadata import (
    NO_FILES,
    NO_METADATA,
    MessageMetadata,
    SentFile,
    SentFiles,
    UsedSkill,
    newest_metadata,
    skill_command,
    with_skill,
    without_file_texts,
    without_skill,
)

from .conversations import answer, file, text, user
from .planned import planned

STYLE = SentFile(1, "style.md", "style.md", "text/markdown", "v1", 23, "No neon.")
BOOK = SentFile(2, "all/book.txt", "book.txt", "text/plain", "v1", 9_000)
GONE = SentFile(3, "c.md", "c.md", "text/markdown", "v2", 3, is_gone=True)
SKILL = UsedSkill("look", "Look first.", "what is this?", ("viewImages",), is_users=True, files="look/a.md")
ALL = MessageMetadata(
    reminder="It is Monday.",
    persona="0:abc",
    workflow="3 KSampler",
    workflow_names={"3": "KSampler"},
    project=SentFiles((STYLE, BOOK, GONE), '[{"document":2}]'),
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
    assert newest_metadata(conversation) == second
    assert newest_metadata([*conversation, user("u3")]) == newest_metadata([]) == NO_METADATA


def test_the_panel_is_told_which_files_there_are_and_not_what_stands_in_them() -> None:
    message = MessageMetadata(reminder="a", project=SentFiles((STYLE,))).put_into(user("u1"))
    bare: Any = without_file_texts(message)
    assert "No neon." not in str(bare)
    assert bare["metadata"]["reminder"] == "a"
    assert bare["metadata"]["project"]["files"][0]["isWhole"] is True
    assert MessageMetadata.of(message).project.files == (STYLE,)
    assert without_file_texts(user("u2")) == user("u2")
    assert MessageMetadata.of(user("u2")).project is NO_FILES


def using(message: Any, name: str, told: str, request: str) -> Any:
    return MessageMetadata(skill=UsedSkill(name, told, request)).put_into(message)


INPAINT = using(user("u1", "/skill inpaint fix the face"), "inpaint", "\nMask first.\n", "fix the face")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("/skill inpaint", "inpaint"),
        ("  /Skill Neon look make it\nso ", "Neon look make it\nso"),
        ("/skill", None),
        ("/skill  ", None),
        ("/home/me/wf.json please load", None),
        ("use /skill inpaint", None),
        ("/skills", None),
    ],
)
def test_a_slash_skill_is_told_from_a_path(typed: str, expected: Any) -> None:
    assert skill_command(user("u1", typed)) == expected


def test_only_the_person_activates_skills() -> None:
    assert skill_command(answer("a1", [text("/skill inpaint")])) is None


def test_an_activated_skill_goes_to_the_model_with_its_message_and_stays_there() -> None:
    conversation = [INPAINT, answer("a1", [text("Done.")]), user("u2", "and now?")]
    first, last = (planned(conversation).messages[index] for index in (1, -1))
    assert "Mask first." in first["content"]
    assert "fix the face" in first["content"]
    assert "/skill inpaint" not in first["content"]
    assert last["content"] == "and now?"


def test_a_skill_stands_before_what_was_asked_and_what_was_attached_behind_it() -> None:
    notes = file("notes.bin", "application/zip", "data:application/zip,x")
    message = using(user("u1", "/skill inpaint the face", notes), "inpaint", "Mask.", "the face")
    told, attached = planned([message]).messages[1]["content"]
    assert told["text"].splitlines() == [
        'The person activated the skill "inpaint". Follow it for this request.',
        '<skill name="inpaint">',
        "Mask.",
        "</skill>",
        "",
        "the face",
    ]
    assert "notes.bin" in attached["text"]


def test_a_skill_without_a_request_is_applied_to_the_workflow() -> None:
    message = using(user("u1", "/skill inpaint"), "inpaint", "Mask.", "")
    assert with_skill(message).endswith("Apply it to the open workflow, or say what you need to know first.")


def test_a_skill_that_has_done_its_work_is_named_with_the_handle_of_its_text() -> None:
    assert without_skill(INPAINT, how="; u1 reads it") == (
        '[For this the person activated the skill "inpaint"; u1 reads it]\nfix the face'
    )
    assert "Mask first." in str(read_back([INPAINT], "u1"))


def test_what_is_asked_with_a_skill_that_is_too_long_stays_whole() -> None:
    long = using(user("u1", "/skill inpaint x"), "inpaint", "Mask this and that. " * 9_000, "Keep seed 4411.")
    made = planned([long], window=8_000)
    assert "Keep seed 4411." in made.messages[1]["content"]
    assert "u1: " in made.messages[1]["content"]
    assert made.tokens <= 8_000


def test_a_message_without_a_skill_stays_as_it_is() -> None:
    message = user("u1", "/skill gone do it")
    assert with_skill(message) == without_skill(message, how="") == "/skill gone do it"


def test_the_tools_that_a_skill_allows_are_told() -> None:
    skill = UsedSkill("look", "Look first.", "what is this?", ("getWorkflowInfo", "viewImages"))
    message = MessageMetadata(skill=skill).put_into(user("u1", "/skill look"))
    assert "Call no tools for it but getWorkflowInfo, viewImages." in with_skill(message)
    assert "Call no tools" not in with_skill(INPAINT)
