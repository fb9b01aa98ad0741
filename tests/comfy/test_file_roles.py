from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.comfy.file_roles import FAMILIES, ROLES, has_other_role

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
        ("wan2.1_i2v_480p_14B_fp16.safetensors", "wan2.2_i2v_14B_fp8.safetensors", True),
        ("wan_14B_fp16.safetensors", "wan_high_noise_14B_fp8.safetensors", True),
        ("wan_2.1_vae.safetensors", "Wan2_1_VAE_bf16.safetensors", False),
        ("wan_2.1_vae.safetensors", "wan2.2_vae.safetensors", True),
        ("flux1-dev.safetensors", "flux2-dev.safetensors", True),
        ("flux1-dev.safetensors", "flux_dev_fp8.safetensors", False),
        ("qwen_2.5_vl_7b.safetensors", "qwen_3_4b.safetensors", True),
        ("qwen_3_4b.safetensors", "qwen3_4b_fp8.safetensors", False),
        ("hunyuanvideo1.5_720p_i2v.safetensors", "hunyuanvideo15_i2v.safetensors", False),
        ("v1-5-pruned.safetensors", "v2-1_768.safetensors", True),
        ("juggernautXL_v8.safetensors", "juggernautXL_v9.safetensors", False),
        ("ltxv-2b-0.9.8.safetensors", "ltxv-13b-0.9.8.safetensors", False),
        ("high/wan_low_noise.safetensors", "wan_low_noise.safetensors", False),
    ],
)
def test_a_file_for_something_else_is_told_by_its_name(name, other, is_other):
    assert has_other_role(name, other) is has_other_role(other, name) is is_other


def test_the_page_goes_by_the_same_words():
    page = (ROOT / "ui/src/graph/fileRoles.ts").read_text(encoding="utf-8")
    assert ROLES in page
    assert f'"{FAMILIES}"' in page
