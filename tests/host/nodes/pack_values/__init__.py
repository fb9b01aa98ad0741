# ruff: noqa: N802 - the names that ComfyUI calls
"""A custom node package for the tests: nodes whose page script keeps their values in ways of its own, as packs do."""

from __future__ import annotations

WEB_DIRECTORY = "./web"


class _Shown:
    """A node that shows what came of a run, and hands nothing on."""

    CATEGORY = "test"
    FUNCTION = "run"
    OUTPUT_NODE = True
    RETURN_TYPES = ()


class Film(_Shown):
    """Its page script adds widgets that depend on the format, and saves values by name."""

    @classmethod
    def INPUT_TYPES(cls):
        return {
            "required": {
                "images": ("IMAGE",),
                "frame_rate": ("FLOAT", {"default": 8, "min": 1, "step": 1}),
                "loop_count": ("INT", {"default": 0, "min": 0, "max": 100}),
                "filename_prefix": ("STRING", {"default": "film"}),
                "format": (["image/gif", "video/h264", "video/prores"],),
                "pingpong": ("BOOLEAN", {"default": False}),
            }
        }

    def run(self, images, **values):
        return {"ui": {"text": [f"{len(images)} frames as {values['format']}"]}}


class LoraStack:
    """Its page script adds a widget for each LoRA, whose value is an object, beside a heading, lines and a button."""

    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("MODEL", "CLIP")
    RETURN_NAMES = ("MODEL", "CLIP")

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {}, "optional": {"model": ("MODEL",), "clip": ("CLIP",)}}

    def run(self, model=None, clip=None, **_loras):
        return (model, clip)


class Packed:
    """Its page script saves all values as one text, and loads nothing else."""

    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"first": ("INT", {"default": 1}), "second": ("INT", {"default": 2})}}

    def run(self, first, second):
        raise NotImplementedError


class ShownText(_Shown):
    """Its page script adds a text that only shows what came of a run, and is empty in the prompt."""

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"source": ("INT", {"forceInput": True})}}

    def run(self, source):
        return {"ui": {"text": [str(source)]}}


class RollingSeed(_Shown):
    """Its page script makes a new seed for each prompt where it is -1."""

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"rolled": ("INT", {"default": -1, "min": -1, "max": 2**31})}}

    def run(self, rolled):
        return {"ui": {"text": [str(rolled)]}}


class SeedButton(RollingSeed):
    """Its page script adds a button, too, and gives it a new name with each prompt."""

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"drawn": ("INT", {"default": -1, "min": -1, "max": 2**31})}}

    def run(self, drawn):
        return {"ui": {"text": [str(drawn)]}}


class OwnCheck(_Shown):
    """A choice with a list, of which ComfyUI is told to take any value."""

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"backend": (["auto", "plain"],)}}

    @classmethod
    def VALIDATE_INPUTS(cls, backend):
        return True

    def run(self, backend):
        return {"ui": {"text": [backend]}}


NODE_CLASS_MAPPINGS = {
    "TestFilm": Film,
    "TestLoraStack": LoraStack,
    "TestOwnCheck": OwnCheck,
    "TestPacked": Packed,
    "TestRollingSeed": RollingSeed,
    "TestSeedButton": SeedButton,
    "TestShownText": ShownText,
}
