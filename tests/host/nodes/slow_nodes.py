# ruff: noqa: N802 - the names that ComfyUI calls
"""A custom node package for the tests: a node that runs long, one that is slow to describe itself on demand, one that
makes an image of a seed, one that fails, and one whose name says that it runs code."""

from __future__ import annotations

import os
import time

SLOW_WHILE_THERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slow-to-describe")
LONGEST_SECONDS = 20
RUNS_MAY_END = os.path.join(os.path.dirname(os.path.abspath(__file__)), "runs-may-end")


class SlowRun:
    CATEGORY = "test"
    FUNCTION = "run"
    OUTPUT_NODE = True
    RETURN_TYPES = ()

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"seconds": ("FLOAT", {"default": 30.0})}}

    @classmethod
    def IS_CHANGED(cls, **_inputs):
        return float("nan")

    def run(self, seconds):
        from comfy.model_management import throw_exception_if_processing_interrupted

        ends = time.monotonic() + seconds
        while time.monotonic() < ends and not os.path.exists(RUNS_MAY_END):
            throw_exception_if_processing_interrupted()
            time.sleep(0.05)
        return {}


class SlowToDescribe:
    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        ends = time.monotonic() + LONGEST_SECONDS
        while os.path.exists(SLOW_WHILE_THERE) and time.monotonic() < ends:
            time.sleep(0.05)
        return {"required": {}}

    def run(self):
        raise NotImplementedError


class SeededImage:
    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        seed = {"default": 0, "min": 0, "max": 0xFFFFFFFFFFFFFFFF, "control_after_generate": True}
        return {"required": {"seed": ("INT", seed)}}

    def run(self, seed):
        import torch

        return (torch.full((1, 32, 32, 3), (seed % 256) / 255),)


class Failing:
    CATEGORY = "test"
    FUNCTION = "run"
    RETURN_TYPES = ("IMAGE",)

    @classmethod
    def INPUT_TYPES(cls):
        return {"required": {"image": ("IMAGE",), "strength": ("FLOAT", {"default": 1.0})}}

    def run(self, image, strength):
        import torch

        if strength > 100:
            raise torch.cuda.OutOfMemoryError("Allocation on device")
        raise ValueError(f"a strength of {strength} is too much for {tuple(image.shape)}")


class RunScript(SlowRun):
    """By its name one that runs code."""


NODE_CLASS_MAPPINGS = {
    "TestSlowRun": SlowRun,
    "TestSlowToDescribe": SlowToDescribe,
    "TestSeededImage": SeededImage,
    "TestFailing": Failing,
    "TestRunScript": RunScript,
}
