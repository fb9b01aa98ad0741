from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.text_asked import text_asked

OLD = "beautiful scenery nature glass bottle landscape, purple galaxy bottle,"


@pytest.mark.parametrize(
    ("request_text", "new", "meant"),
    [
        ("change the prompt to a blue car", f"{OLD} a blue car", "a blue car"),
        (
            "write a castle in the clouds as prompt",
            f"castle in the clouds, {OLD}",
            "castle in the clouds",
        ),
        ("Ändere den Prompt zu: ein alter Turm", f"{OLD} old tower", "ein alter Turm"),
        ("Ändere den Prompt auf einen alten Turm", f"{OLD} old tower", "old tower"),
        ("make a picture of a cat on a roof", f"cat on roof, {OLD}", "cat on a roof"),
        ("change the prompt to a blue car", "a blue car", "a blue car"),
        ("change the prompt to a blue car", "a shiny blue car in a street", "a shiny blue car in a street"),
        ("add a blue car to the prompt", f"{OLD} a blue car", f"{OLD} a blue car"),
        ("füge noch ein blaues Auto hinzu", f"{OLD} ein blaues Auto", f"{OLD} ein blaues Auto"),
        ("make the bottle red", OLD.replace("purple", "red"), OLD.replace("purple", "red")),
        ("", f"{OLD} a blue car", f"{OLD} a blue car"),
    ],
)
def test_the_old_text_is_left_away_where_another_was_asked_for(
    request_text: str, new: str, meant: str
) -> None:
    assert text_asked(request_text, new, OLD) == meant
