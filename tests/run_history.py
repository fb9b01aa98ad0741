"""Records of runs in ComfyUI's form."""

from __future__ import annotations

from typing import Any


def record(text: str, *, file: str = "fox.png", seed: int = 7, status: str = "success") -> dict[str, Any]:
    prompt = {
        "1": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "sdxl.safetensors"}},
        "2": {"class_type": "CLIPTextEncode", "inputs": {"text": text, "clip": ["1", 1]}},
        "3": {
            "class_type": "KSampler",
            "inputs": {"seed": seed, "sampler_name": "euler", "model": ["1", 0], "positive": ["2", 0]},
        },
        "9": {"class_type": "SaveImage", "inputs": {"images": ["3", 0], "filename_prefix": "fox"}},
    }
    workflow = {"nodes": [], "links": [], "version": 0.4}
    return {
        "prompt": (1, "id", prompt, {"extra_pnginfo": {"workflow": workflow}}, ["9"]),
        "outputs": {"9": {"images": [{"filename": file, "subfolder": "", "type": "output"}]}},
        "status": {"status_str": status, "completed": status == "success"},
    }
