from __future__ import annotations

from dataclasses import dataclass

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.chat.thread_context.words import MessageSkills, message_reminder
from comfyui_assistant.engine.context.message_metadata import MessageMetadata, UsedSkill

from tests.chat.a_chat import WrittenWords

SKILLS = MessageSkills(WrittenWords(), tools={"getWorkflowInfo"})


@dataclass(frozen=True)
class Said:
    rules: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ("Save often.",)
    preferences: tuple[tuple[str, str], ...] = ()
    soul: str = "A calm gardener."
    goals: str = "Finish the poster."


def test_a_small_model_reads_reminders_and_pins_last_and_no_more() -> None:
    said = [
        message_reminder(Said(), ["Keep it red."], None, is_slim=is_slim, notes=[], cites=False)
        for is_slim in (True, False)
    ]
    for text in ("Save often.", "Keep it red."):
        assert all(text in each for each in said)
    for text in ("A calm gardener.", "Finish the poster."):
        assert [text in each for each in said] == [False, True]


async def test_a_skill_allows_only_tools_that_there_are() -> None:
    skill = await SKILLS.find("sky")
    assert skill == UsedSkill("sky", "Make it red.", "", ("getWorkflowInfo",))
    with pytest.raises(RequestError, match="There is no skill sea"):
        await SKILLS.find("sea")


async def test_a_message_without_its_skill_is_given_it() -> None:
    said = [_said("/skill sky"), _said("/skill sea"), _said("sky")]
    skills = [MessageMetadata.of(message).skill for message in await SKILLS.fill_in(said)]
    names = [skill and skill.name for skill in skills]
    assert names == ["sky", None, None]


async def test_a_message_keeps_the_skill_that_it_was_sent_with() -> None:
    (kept,) = await SKILLS.fill_in([_said("/skill sky")])
    words = WrittenWords()
    (again,) = await MessageSkills(words, tools=set()).fill_in([kept])
    assert again == kept
    assert words.asked == []


def _said(text: str):
    return {"id": "u1", "role": "user", "parts": [{"type": "text", "text": text}]}
