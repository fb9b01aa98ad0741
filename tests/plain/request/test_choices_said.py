from __future__ import annotations

from comfyui_assistant.engine.plain.names import values_by_name
from comfyui_assistant.engine.plain.request.choices_said import choices_said

from ..workflows import DEFAULT
from .test_values_said import DEFINITIONS


def said(request: str) -> dict[str, str]:
    return {value.name: new for value, new in choices_said(values_by_name(DEFAULT), DEFINITIONS, request)}


def test_choices_are_known_however_they_are_written() -> None:
    assert said("use DPM++ 2M SDE, Karras") == {"sampler": "dpmpp_2m_sde", "scheduler": "karras"}
    assert said("scheduler: simple") == {"scheduler": "simple"}


def test_everyday_words_and_what_is_not_wanted_are_no_choices() -> None:
    assert said("keep it simple") == {}
    assert said("not karras") == {}
