from __future__ import annotations

from dataclasses import dataclass

from comfyui_assistant.engine.chat.thread_context.words import reminder_of_message


@dataclass(frozen=True)
class Said:
    rules: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ("Save often.",)
    preferences: tuple[tuple[str, str], ...] = ()
    soul: str = "A calm gardener."
    goals: str = "Finish the poster."


def test_a_small_model_reads_reminders_and_pins_last_and_no_more() -> None:
    said = [
        reminder_of_message(Said(), ["Keep it red."], None, is_slim=is_slim, notes=[], cites=False)
        for is_slim in (True, False)
    ]
    for text in ("Save often.", "Keep it red."):
        assert all(text in each for each in said)
    for text in ("A calm gardener.", "Finish the poster."):
        assert [text in each for each in said] == [False, True]
