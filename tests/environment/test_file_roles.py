from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.environment.file_roles import ROLES, has_other_role

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("name", "other", "is_other"),
    [
        ("wan2.2_i2v_low_noise_14B.safetensors", "wan2.2_i2v_high_noise_14B.safetensors", True),
        ("Wan2_2-I2V-A14B-LOW.safetensors", "wan/Wan2_2-I2V-A14B-HighNoise.safetensors", True),
        ("wan2.2_i2v_low_noise_14B.safetensors", "wan2.2_t2v_low_noise_14B.safetensors", True),
        ("sd_xl_refiner_1.0.safetensors", "sd_xl_base_1.0.safetensors", True),
        ("control_sd15_canny.pth", "control_sd15_depth.pth", True),
        ("control_sd15_pose.pth", "control_sd15_openpose.pth", False),
        ("wan2.2_i2v_low_noise_14B.safetensors", "mine/wan2.2_i2v_low_noise_14B_q8.gguf", False),
        ("controlnet_union_sdxl.safetensors", "controlnet_canny_sdxl.safetensors", False),
        ("high/wan_low_noise.safetensors", "wan_low_noise.safetensors", False),
    ],
)
def test_a_file_for_something_else_is_told_by_its_name(name, other, is_other):
    assert has_other_role(name, other) is has_other_role(other, name) is is_other


def test_the_page_goes_by_the_same_words():
    assert ROLES in (ROOT / "ui/src/graph/fileRoles.ts").read_text(encoding="utf-8")
