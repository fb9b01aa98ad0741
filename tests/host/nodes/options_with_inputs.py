# ruff: noqa: N802 - the names that ComfyUI calls
"""A custom node package for the tests: a node with a choice whose options bring inputs of their own."""

from __future__ import annotations

NUMBER = ("FLOAT", {"default": 1.0})
OPTIONS = [
    {"key": "by", "inputs": {"required": {"factor": NUMBER}}},
    {"key": "to", "inputs": {"required": {"width": NUMBER, "height": NUMBER}}},
]


class OptionsWithInputs:
    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        choice = ("COMFY_DYNAMICCOMBO_V3", {"options": OPTIONS})
        return {"required": {"image": ("IMAGE",), "size": choice, "method": (["area", "lanczos"],)}}

    def run(self, image, **_inputs):
        return (image,)


NODE_CLASS_MAPPINGS = {"TestOptionsWithInputs": OptionsWithInputs}
