"""The embedded models: where they come from, what to expect of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Model:
    name: str
    label: str
    notice: str


MODELS = {
    "1.5b": Model(
        "1.5b", "Qwen2.5-Coder 1.5B (demonstration)", "A small demonstration model on this machine's CPU."
    ),
    "small": Model(
        "small", "SmolLM2 135M (demonstration)", "A tiny demonstration model: it chats, it cannot use tools."
    ),
}
