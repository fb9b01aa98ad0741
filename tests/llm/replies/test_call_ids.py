from __future__ import annotations

from comfyui_assistant.engine.llm.replies.call_ids import new_call_id


def test_an_id_is_nine_letters_and_digits_and_no_two_are_the_same() -> None:
    made = [new_call_id() for _ in range(500)]
    assert all(len(each) == 9 and each.isascii() and each.isalnum() for each in made)
    assert len(set(made)) == len(made)
