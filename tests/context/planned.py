"""The request that is planned for a conversation, where most of what a plan depends on does not matter."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.plan import plan

READ_BACK = {"type": "function", "function": {"name": "readToolResult", "description": "", "parameters": {}}}


def planned(conversation: Any, **options: Any) -> Any:
    budget = Budget(options.pop("window", 32_000), options.pop("reserve", 0), **options.pop("limits", {}))
    carried: dict[str, Any] = {"system": "Rules.", "form": "full", "tools": [READ_BACK]}
    carried |= {field.name: options.pop(field.name) for field in fields(Frame) if field.name in options}
    return plan(conversation, Frame(**carried), budget, **options)


def contents(made: Any) -> str:
    return "\n".join(str(message["content"]) for message in made.messages)
