from __future__ import annotations

from comfyui_assistant.engine.stream.sse import encode


def test_a_chunk_is_one_line_of_json_whatever_it_holds() -> None:
    assert encode({"type": "text-delta", "id": "t", "delta": "a\n\r\u2028ä😀"}) == (
        'data: {"type":"text-delta","id":"t","delta":"a\\n\\r\u2028ä😀"}\n\n'.encode()
    )


def test_half_a_character_becomes_a_question_mark() -> None:
    assert encode({"type": "text-delta", "id": "t", "delta": "a\ud83d"}) == (
        b'data: {"type":"text-delta","id":"t","delta":"a?"}\n\n'
    )
