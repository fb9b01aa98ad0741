"""`make run`: a real ComfyUI with the panel in it, and a model to talk to."""

from __future__ import annotations


def run() -> bool:
    raise NotImplementedError


def demo() -> bool:
    raise NotImplementedError
