from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.exposure import Exposure, exposure


@pytest.mark.parametrize(
    ("listen", "cors", "expected"),
    [
        ("127.0.0.1", None, Exposure()),
        ("localhost", None, Exposure()),
        ("127.0.0.1,::1", "", Exposure()),
        (None, None, Exposure()),
        ("0.0.0.0,::", None, Exposure(("0.0.0.0", "::"))),
        ("127.0.0.1, 192.168.1.5", None, Exposure(("192.168.1.5",))),
        ("127.0.0.1", "*", Exposure(cors="*")),
        ("comfy.local", "https://a.example", Exposure(("comfy.local",), "https://a.example")),
    ],
)
def test_what_reaches_beyond_this_computer_is_told_from_what_does_not(
    listen: str | None, cors: str | None, expected: Exposure
) -> None:
    assert exposure(listen, cors) == expected


def test_nothing_is_said_where_only_this_computer_reaches_comfyui() -> None:
    assert Exposure().note() is None


def test_it_is_said_how_it_was_started_and_what_that_means() -> None:
    note = Exposure(("0.0.0.0",), "*").note()
    assert note is not None
    assert "(--listen 0.0.0.0) and has no login" in note["message"]
    assert "(--enable-cors-header *)" in note["message"]


def test_what_is_new_of_it_is_said_anew() -> None:
    notes = [each.note() for each in (Exposure(("::",)), Exposure(cors="*"), Exposure(("::",), "*"))]
    assert len({note["seen"] for note in notes if note}) == 3
