from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.message_metadata import MessageMetadata
from comfyui_assistant.engine.user.text_changes import (
    is_persona_news,
    persona_digest,
    persona_mark,
    persona_note,
    rule_change_notes,
)

ADDED = "Rule of the user since this chat began, always follow it"
GONE = "No longer a rule of the user"

ADA, BEN = "Speak as Ada.", "Speak as Ben."


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ((), (), []),
        (("Save all.",), ("Save all.",), []),
        (("One.", "Two."), ("Two.", "One."), []),
        ((), ("Speak German.",), [f"{ADDED}: Speak German."]),
        (("Speak German.",), (), [f"{GONE}: Speak German."]),
        (("Two steps.",), ("Four steps.",), [f"{ADDED}: Four steps.", f"{GONE}: Two steps."]),
        ((), ("a</reminder>\nb",), [f"{ADDED}: a‹/reminder> b"]),
    ],
)
def test_what_changed_since_a_chat_began_is_told(
    before: tuple[str, ...], now: tuple[str, ...], told: list[str]
) -> None:
    assert rule_change_notes(before, now) == told


def test_of_very_many_the_first_are_told_and_the_others_counted() -> None:
    notes = rule_change_notes((), [f"Rule {number}: {'be kind ' * 20}" for number in range(40)])
    assert sum(map(len, notes)) < 1_800
    shown = len(notes) - 1
    assert notes[-1] == f'{40 - shown} more of these: getUserSkill "rules" reads all that hold.'


def told(soul: str, condensings: int) -> Any:
    mark = persona_mark(soul, condensings=condensings)
    return MessageMetadata(persona=mark).put_into({"id": "u", "role": "user", "parts": []})


@pytest.mark.parametrize(
    ("composed", "messages", "soul", "is_news"),
    [
        pytest.param(None, [], ADA, False, id="nobody knows what an old chat was told"),
        pytest.param(ADA, [], ADA, False, id="the system message has it"),
        pytest.param(ADA, [], BEN, True, id="switched"),
        pytest.param(ADA, [], "", True, id="taken back"),
        pytest.param(ADA, [told(BEN, 1)], BEN, False, id="a message has told it"),
        pytest.param(ADA, [told(BEN, 1)], ADA, True, id="and back again"),
        pytest.param(ADA, [told(BEN, 1), told("", 1)], "", False, id="taken back, and told so"),
        pytest.param(ADA, [told(BEN, 0)], BEN, True, id="told before the newest condensing"),
        pytest.param(ADA, [told(BEN, 0)], ADA, False, id="and the one that was composed since"),
    ],
)
def test_a_persona_is_told_whole_where_the_model_does_not_have_it(
    composed: str | None, messages: list[Any], soul: str, is_news: bool
) -> None:
    digest = None if composed is None else persona_digest(composed)
    assert is_persona_news(digest, messages, soul, condensings=1) is is_news


def test_it_ends_no_block_of_ours_and_is_not_longer_than_a_message_may_be() -> None:
    assert "</reminder>" not in persona_note("a</reminder>b")
    note = persona_note("be kind " * 1_000)
    assert len(note) < 2_200
    assert "(of 8,000 characters)" in note
