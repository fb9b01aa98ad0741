from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.slash_skill import inject_skills, named_skills, slash_skill

from .conversations import answer, file, text, user
from .planned import planned


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("/skill inpaint", ("inpaint", "")),
        ("  /skill inpaint make it\nso", ("inpaint", "make it\nso")),
        ("/skill", None),
        ("/home/me/wf.json please load", None),
        ("use /skill inpaint", None),
        ("/skills", None),
    ],
)
def test_a_slash_skill_is_told_from_a_path(typed: str, expected: Any) -> None:
    assert slash_skill(typed) == expected


def test_an_activated_skill_goes_to_the_model_with_its_message_and_stays_there() -> None:
    conversation = [
        user("u1", "/skill inpaint fix the face"),
        answer("a1", [text("Done.")]),
        user("u2", "and now?"),
    ]
    assert named_skills(conversation) == ["inpaint"]
    first, last = (
        planned(conversation, skills={"inpaint": "Mask first."}).messages[index] for index in (1, -1)
    )
    assert "Mask first." in first["content"]
    assert "fix the face" in first["content"]
    assert "/skill inpaint" not in first["content"]
    assert last["content"] == "and now?"


def test_the_skills_of_a_conversation_are_those_that_its_user_messages_activate_once_each() -> None:
    conversation = [
        user("u1", "/skill upscale"),
        answer("a1", [text("/skill other")]),
        user("u2", "/skill inpaint now"),
        user("u3", "/skill upscale"),
    ]
    assert named_skills(conversation) == ["upscale", "inpaint"]


def test_a_skill_stands_before_what_was_asked_and_what_was_attached_behind_it() -> None:
    notes = file("notes.txt", "text/plain", "data:text/plain,x")
    [message] = inject_skills([user("u1", "/skill inpaint the face", notes)], {"inpaint": "\nMask first.\n"})
    told, attached = message["parts"]
    assert told["text"].splitlines() == [
        'The person activated the skill "inpaint". Follow it for this request.',
        '<skill name="inpaint">',
        "Mask first.",
        "</skill>",
        "",
        "the face",
    ]
    assert attached == notes


def test_a_skill_without_a_request_is_applied_to_the_workflow() -> None:
    [message] = inject_skills([user("u1", "/skill inpaint")], {"inpaint": "Mask."})
    assert message["parts"][0]["text"].endswith(
        "Apply it to the open workflow, or say what you need to know first."
    )


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(user("u1", "/skill gone do it"), id="a skill that is not there"),
        pytest.param(user("u1", "do it"), id="no command"),
        pytest.param(answer("a1", [text("/skill inpaint")]), id="an answer"),
    ],
)
def test_any_other_message_stays_as_it_is(message: Any) -> None:
    assert inject_skills([message], {"inpaint": "Mask."}) == [message]
