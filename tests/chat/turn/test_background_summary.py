from __future__ import annotations

import pytest
from comfyui_assistant.engine.chat.turn.background_summary import _HEADINGS, _SHORTEST, fault

SOUND = "\n".join([*_HEADINGS, "always save as webp", "x" * _SHORTEST])


@pytest.mark.parametrize(
    ("text", "pins", "words"),
    [
        (SOUND, [], ""),
        (SOUND, ["always save as webp"], ""),
        (SOUND, ["never touch seeds"], "it lacks a pinned line"),
        (SOUND.replace(_HEADINGS[0], ""), [], f"it lacks {_HEADINGS[0]}"),
        ("short", [], "it has 5 characters"),
    ],
)
def test_a_summary_is_believed_only_with_what_it_must_hold(text: str, pins: list[str], words: str) -> None:
    problem = fault(text, pins)
    assert problem.startswith(words) if words else problem == ""
