# ruff: noqa: N802 - the names that ComfyUI calls
"""A custom node package for the tests: its page script calls a node of an old type by the newer one once loaded."""

from __future__ import annotations


class Present:
    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("INT",)

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"value": ("INT", {"default": 1})}}

    def run(self, value):
        return (value,)


class Former(Present):
    """Has another name for its value, too."""

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"number": ("INT", {"default": 1})}}

    def run(self, number):
        return (number,)


NODE_CLASS_MAPPINGS = {"TestFormer": Former, "TestPresent": Present}
WEB_DIRECTORY = "./web"
