# ruff: noqa: N802 - the names that ComfyUI calls
"""A custom node package for the tests: its page script finishes its nodes a moment after ComfyUI has made them."""

from __future__ import annotations


class LateLooks:
    """Gets directions, labels and colors of its slots then."""

    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",)}}

    def run(self, image):
        return (image,)


class LateInput(LateLooks):
    """Gets one more input then."""

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",)}, "optional": {"image_2": ("IMAGE",)}}

    def run(self, image, image_2=None):
        return (image,)


NODE_CLASS_MAPPINGS = {"TestLateLooks": LateLooks, "TestLateInput": LateInput}
WEB_DIRECTORY = "./js"
