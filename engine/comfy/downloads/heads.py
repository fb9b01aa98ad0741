"""Headers of safetensors files: the widths and channels of the model in them, by which files fit each other.

The rules are those by which ComfyUI itself detects models: `comfy/model_detection.py` for diffusion models,
`detect_te_model` and `class VAE` in `comfy/sd.py` for the others. Nothing else is guessed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_MOST_PARSED = 1_000_000
"""The largest header to parse, in bytes: a megabyte holds the interpreter's lock for some 10 ms."""
_PACKED = {"U8", "I8", "I32", "F4"}
"""Types that may pack several numbers into one, so that a shape tells no width."""

Shape = tuple[int, ...]
Shapes = Mapping[str, Shape]


@dataclass(frozen=True)
class Head:
    """Widths and channels; None where the header does not tell.

    `takes_text` is the text width that a model takes, `gives_text` that of an encoder's output; `latents` are the
    channels that a model works on, `vae_latents` those of a VAE.
    """

    takes_text: int | None = None
    gives_text: int | None = None
    latents: int | None = None
    vae_latents: int | None = None

    def as_json(self) -> dict[str, int]:
        facts = {
            "takesText": self.takes_text,
            "givesText": self.gives_text,
            "latents": self.latents,
            "vaeLatents": self.vae_latents,
        }
        return {name: number for name, number in facts.items() if number is not None}


def read_head(path: Path) -> Head:
    """Read the header of a file; empty for one that is no safetensors file or has a long header. Blocks."""
    if path.suffix.lower() not in (".safetensors", ".sft"):
        return Head()
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = file.read(length) if length <= _MOST_PARSED else b""
        return head_of(_shapes(json.loads(header)))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Head()


def head_of(shapes: Shapes) -> Head:
    model = _part(shapes, "model.diffusion_model.") or shapes
    vae = _part(shapes, "first_stage_model.") or _part(shapes, "vae.") or shapes
    return Head(_takes_text(model), _gives_text(shapes), _latents(model), _vae_latents(vae))


def _shapes(header: Mapping[str, Mapping[str, object]]) -> dict[str, Shape]:
    return {
        name: tuple(int(size) for size in entry["shape"])  # pyright: ignore[reportGeneralTypeIssues]
        for name, entry in header.items()
        if name != "__metadata__" and str(entry["dtype"]) not in _PACKED
    }


def _part(shapes: Shapes, prefix: str) -> dict[str, Shape]:
    return {name.removeprefix(prefix): shape for name, shape in shapes.items() if name.startswith(prefix)}


_TEXT_INPUTS = (
    "text_embedding.0.weight",  # Wan
    "txt_in.input_embedder.weight",  # Hunyuan Video
    "txt_in.weight",  # Flux, Chroma, Qwen-Image
    "cap_embedder.1.weight",  # Lumina 2, Z-Image
    "cond_seq_linear.weight",  # AuraFlow
    "input_blocks.4.1.transformer_blocks.0.attn2.to_k.weight",  # Stable Diffusion 1, 2 and XL
)
_CONVERTS_TEXT = "encoder_hid_proj.weight"
"""The layer before the text input of a Stable Diffusion with another encoder, such as Kolors."""


def _takes_text(shapes: Shapes) -> int | None:
    if _CONVERTS_TEXT in shapes:
        return None
    found = (shapes[name] for name in _TEXT_INPUTS if name in shapes)
    return next((shape[1] for shape in found if len(shape) == 2), None)


_TEXT_NORMS = (
    "encoder.block.0.layer.0.layer_norm.weight",  # T5 and its kind
    "model.layers.0.input_layernorm.weight",  # Llama, Qwen, Mistral, Gemma
    "model.language_model.layers.0.input_layernorm.weight",
    "text_model.encoder.layers.0.layer_norm1.weight",  # CLIP
)
"""Norms of text encoders, as wide as the output, and kept whole where the rest is quantized."""


def _gives_text(shapes: Shapes) -> int | None:
    found = (shapes[name] for name in _TEXT_NORMS if name in shapes)
    return next((shape[0] for shape in found if len(shape) == 1), None)


def _latents(shapes: Shapes) -> int | None:
    """Return the output channels: the input may have more, such as masks and images."""
    if "head.modulation" in shapes:  # Wan
        return _share(shapes.get("head.head.weight"), 4)
    if "txt_in.individual_token_refiner.blocks.0.norm1.weight" in shapes:  # Hunyuan Video
        patch = shapes.get("img_in.proj.weight", ())[2:]
        return _share(shapes.get("final_layer.linear.weight"), math.prod(patch))
    if "joint_blocks.0.context_block.attn.qkv.weight" in shapes:  # Stable Diffusion 3
        return _share(shapes.get("final_layer.linear.weight"), 4)
    if "double_blocks.0.img_attn.proj.weight" in shapes and "img_in.weight" in shapes:  # Flux, Chroma
        is_of_one_pixel = "double_stream_modulation_img.lin.weight" in shapes  # Flux 2
        return None if is_of_one_pixel else _share(shapes.get("final_layer.linear.weight"), 4)
    if "transformer_blocks.0.attn.add_k_proj.weight" in shapes and "txt_norm.weight" in shapes:  # Qwen-Image
        return _share(shapes.get("proj_out.weight"), 4)
    return _share(shapes.get("out.2.weight"), 1) if "input_blocks.0.0.weight" in shapes else None


def _vae_latents(shapes: Shapes) -> int | None:
    if "decoder.middle.0.residual.0.gamma" in shapes:  # Wan
        return 48 if "decoder.upsamples.0.upsamples.0.residual.2.weight" in shapes else 16
    if "bn.running_mean" in shapes:  # Flux 2, which packs its channels
        return None
    found = shapes.get("decoder.conv_in.weight") or shapes.get("decoder.conv_in.conv.weight", ())
    return found[1] if len(found) in (4, 5) else None


def _share(shape: Shape | None, parts: int) -> int | None:
    return shape[0] // parts if shape and parts and shape[0] % parts == 0 else None
