from __future__ import annotations

import json

import pytest
from comfyui_assistant.engine.comfy.downloads.heads import Head, head_of, read_head


def safetensors(shapes: dict[str, tuple[int, ...]], dtype: str = "BF16") -> bytes:
    entries = {
        name: {"dtype": dtype, "shape": shape, "data_offsets": [0, 0]} for name, shape in shapes.items()
    }
    header = json.dumps({"__metadata__": {"a": "b"}, **entries}).encode()
    return len(header).to_bytes(8, "little") + header


WAN = {
    "text_embedding.0.weight": (5120, 4096),
    "head.modulation": (1, 2, 5120),
    "head.head.weight": (64, 5120),
}


@pytest.mark.parametrize(
    ("shapes", "told"),
    [
        pytest.param(WAN, Head(takes_text=4096, latents=16), id="Wan"),
        pytest.param(
            {f"model.diffusion_model.{name}": shape for name, shape in WAN.items()},
            Head(takes_text=4096, latents=16),
            id="within a checkpoint",
        ),
        pytest.param(
            {**WAN, "head.head.weight": (192, 3072)}, Head(takes_text=4096, latents=48), id="Wan 2.2 5B"
        ),
        pytest.param(
            {
                "txt_in.weight": (3072, 3584),
                "txt_norm.weight": (3584,),
                "proj_out.weight": (64, 3072),
                "transformer_blocks.0.attn.add_k_proj.weight": (3072, 3072),
            },
            Head(takes_text=3584, latents=16),
            id="Qwen-Image",
        ),
        pytest.param(
            {
                "txt_in.weight": (3072, 4096),
                "img_in.weight": (3072, 64),
                "double_blocks.0.img_attn.proj.weight": (3072, 3072),
                "final_layer.linear.weight": (64, 3072),
            },
            Head(takes_text=4096, latents=16),
            id="Flux",
        ),
        pytest.param(
            {
                "txt_in.individual_token_refiner.blocks.0.norm1.weight": (3072,),
                "txt_in.input_embedder.weight": (3072, 4096),
                "img_in.proj.weight": (3072, 16, 1, 2, 2),
                "final_layer.linear.weight": (64, 3072),
            },
            Head(takes_text=4096, latents=16),
            id="Hunyuan Video",
        ),
        pytest.param(
            {
                "model.diffusion_model.input_blocks.0.0.weight": (320, 9, 3, 3),
                "model.diffusion_model.input_blocks.4.1.transformer_blocks.0.attn2.to_k.weight": (640, 2048),
                "model.diffusion_model.out.2.weight": (4, 320, 3, 3),
                "first_stage_model.decoder.conv_in.weight": (512, 4, 3, 3),
            },
            Head(takes_text=2048, latents=4, vae_latents=4),
            id="a checkpoint for filling masks",
        ),
        pytest.param(
            {"joint_blocks.0.context_block.attn.qkv.weight": (1, 1), "final_layer.linear.weight": (64, 1536)},
            Head(latents=16),
            id="Stable Diffusion 3, which takes texts of several widths",
        ),
        pytest.param({"model.layers.0.input_layernorm.weight": (3584,)}, Head(gives_text=3584), id="Qwen"),
        pytest.param({"encoder.block.0.layer.0.layer_norm.weight": (4096,)}, Head(gives_text=4096), id="T5"),
        pytest.param(
            {"text_model.encoder.layers.0.layer_norm1.weight": (768,)}, Head(gives_text=768), id="CLIP"
        ),
        pytest.param(
            {"decoder.middle.0.residual.0.gamma": (384, 1, 1, 1)}, Head(vae_latents=16), id="Wan's VAE"
        ),
        pytest.param(
            {"decoder.conv_in.conv.weight": (512, 16, 3, 3, 3)}, Head(vae_latents=16), id="a video VAE"
        ),
        pytest.param(
            {"decoder.conv_in.weight": (512, 32, 3, 3), "bn.running_mean": (128,)},
            Head(),
            id="a VAE that packs its channels",
        ),
        pytest.param({"lora_unet_down.weight": (4, 4)}, Head(), id="a LoRA tells nothing"),
    ],
)
def test_widths_and_channels_are_those_of_known_tensors(shapes, told):
    assert head_of(shapes) == told


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        pytest.param("a.safetensors", safetensors(WAN), Head(takes_text=4096, latents=16), id="a file"),
        pytest.param("a.safetensors", safetensors(WAN, "U8"), Head(), id="numbers that may be packed"),
        pytest.param("a.gguf", safetensors(WAN), Head(), id="another kind"),
        pytest.param("a.safetensors", b"", Head(), id="an empty file"),
        pytest.param("a.safetensors", b"\x04\0\0\0\0\0\0\0[[1]", Head(), id="a broken head"),
        pytest.param("a.safetensors", b"\xff" * 20, Head(), id="a head that is too long"),
    ],
)
def test_a_file_that_tells_nothing_is_no_failure(tmp_path, name, content, told):
    (tmp_path / name).write_bytes(content)

    assert read_head(tmp_path / name) == told


def test_a_file_that_is_gone_tells_nothing(tmp_path):
    assert read_head(tmp_path / "gone.safetensors") == Head()
