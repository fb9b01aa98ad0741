# ruff: noqa: N802 - the names that ComfyUI calls
"""A custom node package for the tests: a node that runs long, and one that is slow to describe itself on demand."""

from __future__ import annotations

import os
import time

SLOW_WHILE_THERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slow-to-describe")
LONGEST_SECONDS = 20


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
        while time.monotonic() < ends:
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


NODE_CLASS_MAPPINGS = {"TestSlowRun": SlowRun, "TestSlowToDescribe": SlowToDescribe}
