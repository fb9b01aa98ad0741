from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.handles import read_back
from comfyui_assistant.engine.context.message_metadata import MessageMetadata, UsedSkill
from comfyui_assistant.engine.context.slash_skill import skill_command, with_skill, without_skill

from .conversations import answer, file, text, user
from .planned import planned


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
