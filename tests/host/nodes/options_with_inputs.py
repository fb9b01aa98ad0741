# ruff: noqa: N802 - the names that ComfyUI calls
"""A custom node package for the tests: a choice whose options bring inputs of their own, and inputs that grow."""

from __future__ import annotations

NUMBER = ("FLOAT", {"default": 1.0})
OPTIONS = [
    {"key": "by", "inputs": {"required": {"factor": NUMBER}}},
    {"key": "to", "inputs": {"required": {"width": NUMBER, "height": NUMBER}}},
]
IMAGES = {"input": {"required": {"image": ("IMAGE", {})}}, "prefix": "image", "min": 1, "max": 9}


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


class Growing:
    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ()
    OUTPUT_NODE = True

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"images": ("COMFY_AUTOGROW_V3", {"template": IMAGES})}}

    def run(self, **_inputs):
        return ()


NODE_CLASS_MAPPINGS = {"TestOptionsWithInputs": OptionsWithInputs, "TestGrowing": Growing}
