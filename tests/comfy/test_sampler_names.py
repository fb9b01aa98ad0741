from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.sampler_names import common_name, sampler_and_scheduler

SAMPLERS = ["euler", "euler_ancestral", "dpmpp_2m", "dpmpp_sde", "dpm_2_ancestral", "uni_pc"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Euler a", "euler_ancestral"),
        ("DPM++ SDE", "dpmpp_sde"),
        ("DPM2 a", "dpm_2_ancestral"),
        ("UniPC", "uni_pc"),
    ],
)
def test_a_name_is_one_however_it_is_written(written: str, name: str) -> None:
    assert common_name(written) == common_name(name)


@pytest.mark.parametrize(
    ("written", "both"),
    [
        ("dpm++ 2m karras", ("dpmpp_2m", "karras")),
        ("Euler a SGM Uniform", ("euler_ancestral", "sgmuniform")),
        ("chocolate karras", None),
        ("karras", None),
        ("euler", None),
    ],
)
def test_a_scheduler_behind_a_sampler_is_told_apart(written: str, both: tuple[str, str] | None) -> None:
    assert sampler_and_scheduler(written, SAMPLERS) == both
