from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.standing_wish import note_of_standing_wish, standing_wish


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("Always answer in German.", "Always answer in German."),
        ("please never touch my seeds", "please never touch my seeds"),
        ("Make it red. And always save as PNG!", "And always save as PNG!"),
        ("From now on use 20 steps", "From now on use 20 steps"),
        ("Use euler in all chats.", "Use euler in all chats."),
        ("Antworte immer auf Deutsch.", "Antworte immer auf Deutsch."),
        ("Ab jetzt bitte kürzer", "Ab jetzt bitte kürzer"),
        ("Réponds toujours en français.", "Réponds toujours en français."),
        ("Responde siempre en español.", "Responde siempre en español."),
        ("请总是用中文回答。", "请总是用中文回答。"),
        ("これからは日本語で答えて。", "これからは日本語で答えて。"),
        ("Remember that my name is Ada.", "Remember that my name is Ada."),
    ],
)
def test_a_wish_that_is_meant_to_hold_is_found(said: str, wish: str) -> None:
    assert standing_wish(said) == wish
    assert note_of_standing_wish(said).endswith(wish)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Make a red image.",
        "Why does it always fail?",
        "The picture is never saved.",
        "Set the text to: a fox that never sleeps",
        "Do you remember the fox?",
        "Always " + "x" * 500,
    ],
)
def test_what_is_meant_for_once_is_none(said: str) -> None:
    assert (standing_wish(said), note_of_standing_wish(said)) == ("", "")
