# ruff: noqa: N802 - the names that ComfyUI calls
"""A custom node package for the tests: inputs that bring others, that grow and that match, declared by hand.

ComfyUI expands such inputs for nodes of its newer form only. Here each node takes whatever the page sends for them, so
that every server runs it; what grows is optional, since of a required input the server wants one of its own name.
"""

from __future__ import annotations

from typing import Any

WEB_DIRECTORY = "./web"


class _AnyName(dict):
    """The optional inputs: the declared ones, and any other that the page sends."""

    def __contains__(self, name: object) -> bool:
        return True

    def __getitem__(self, name: str) -> Any:
        return super().get(name, ("*", {}))


class _Matched(str):
    """The type of an output that fits any input."""

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = str.__hash__


MATCHED = _Matched("COMFY_MATCHTYPE_V3")
IMAGES = {"input": {"required": {"image": ("IMAGE", {})}}, "prefix": "image", "min": 1, "max": 5}


def _option(key: str, **inputs: Any) -> dict[str, Any]:
    return {"key": key, "inputs": {"required": inputs}}


class ChosenShape:
    """A choice that brings widgets, one of them a choice that brings one itself, or any number of images."""

    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)
    OUTPUT_NODE = True

    @classmethod
    def INPUT_TYPES(cls):
        side = ("INT", {"default": 64, "min": 1, "max": 512})
        tint = (
            "COMFY_DYNAMICCOMBO_V3",
            {
                "options": [
                    _option("none"),
                    _option("gray", brightness=("FLOAT", {"default": 0.5, "max": 1.0})),
                ]
            },
        )
        return {
            "required": {
                "shape": (
                    "COMFY_DYNAMICCOMBO_V3",
                    {
                        "options": [
                            _option("square", side=side),
                            _option("wide", width=side, height=side, tint=tint),
                            _option("collage", images=("COMFY_AUTOGROW_V3", {"template": IMAGES}), side=side),
                            _option("mosaic", side=side, images=("COMFY_AUTOGROW_V3", {"template": IMAGES})),
                        ]
                    },
                )
            },
            "optional": _AnyName(),
        }

    @classmethod
    def VALIDATE_INPUTS(cls, input_types, **_inputs):
        return True

    def run(self, **values):
        import torch

        width = int(values.get("shape.width", values.get("shape.side", 1)))
        height = int(values.get("shape.height", values.get("shape.side", 1)))
        image = torch.full((1, height, width, 3), float(values.get("shape.tint.brightness", 0.0)))
        return {"ui": {"text": [repr(sorted(values.items()))]}, "result": (image,)}


class GrownBatch:
    """Any number of images, and numbers beside them that are widgets as long as nothing feeds them."""

    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)
    OUTPUT_NODE = True

    @classmethod
    def INPUT_TYPES(cls):
        weight = {
            "input": {"required": {"weight": ("INT", {"default": 1, "max": 9})}},
            "names": ["a", "b", "c"],
            "min": 0,
        }
        inputs = {
            "images": ("COMFY_AUTOGROW_V3", {"template": IMAGES}),
            "weights": ("COMFY_AUTOGROW_V3", {"template": weight}),
        }
        return {"required": {}, "optional": _AnyName(inputs)}

    @classmethod
    def VALIDATE_INPUTS(cls, input_types, **_inputs):
        return True

    def run(self, **values):
        import torch

        images = [values[name] for name in sorted(values) if name.startswith("images.")]
        told = [name if name.startswith("images.") else f"{name}={values[name]}" for name in sorted(values)]
        return {"ui": {"text": told}, "result": (torch.cat(images),)}


class MatchedSwitch:
    """Two inputs of one type, whichever that is, and an output of the same type."""

    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = (MATCHED,)
    RETURN_NAMES = ("chosen",)

    @classmethod
    def INPUT_TYPES(cls):
        side = ("COMFY_MATCHTYPE_V3", {"template": {"template_id": "side", "allowed_types": "IMAGE,MASK"}})
        return {"required": {"takes_second": ("BOOLEAN", {"default": False}), "first": side, "second": side}}

    @classmethod
    def VALIDATE_INPUTS(cls, input_types):
        return True

    def run(self, takes_second, first, second):
        return (second if takes_second else first,)


NODE_CLASS_MAPPINGS = {
    "TestChosenShape": ChosenShape,
    "TestGrownBatch": GrownBatch,
    "TestMatchedSwitch": MatchedSwitch,
}
