from __future__ import annotations

import pytest
from comfyui_assistant.engine.user.rule_changes import notes_of_rule_changes

ADDED = "Rule of the user since this chat began, always follow it"
GONE = "No longer a rule of the user"


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
    assert notes_of_rule_changes(before, now) == told


def test_of_very_many_the_first_are_told_and_the_others_counted() -> None:
    notes = notes_of_rule_changes((), [f"Rule {number}: {'be kind ' * 20}" for number in range(40)])
    assert sum(map(len, notes)) < 1_800
    shown = len(notes) - 1
    assert notes[-1] == f'{40 - shown} more of these: getUserSkill "rules" reads all that hold.'
