"""The request that is planned for a conversation, where most of what a plan depends on does not matter."""

from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.context.plan import Budget, plan

READ_BACK = {"type": "function", "function": {"name": "readToolResult", "description": "", "parameters": {}}}


def planned(conversation: Any, **options: Any) -> Any:
    budget = Budget(options.pop("window", 32_000), options.pop("reserve", 0), **options.pop("limits", {}))
    given: dict[str, Any] = {
        "system": "Rules.",
        "form": "full",
        "tools": [READ_BACK],
        "facts": {},
        "skills": {},
        **options,
    }
    return plan(conversation, budget=budget, **given)


def contents(made: Any) -> str:
    return "\n".join(str(message["content"]) for message in made.messages)
