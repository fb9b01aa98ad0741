"""What goes out with the newest user message alone, so that all before it stays as it was sent."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from ..base.messages import Message
from .rendering import IMAGES_OF_RESULTS
from .request_plan import Plan


def with_workflow(request: Plan, workflow: str, tokens: int) -> Plan:
    """The open workflow, which takes so many tokens, before the newest message; nothing else of the request changes."""
    said = (i for i in range(len(request.messages) - 1, -1, -1) if _is_of_the_person(request.messages[i]))
    index = next(said, None)
    if index is None or not workflow:
        return request
    newest = request.messages[index]
    messages = [*request.messages[:index], _with_text(newest, workflow), *request.messages[index + 1 :]]
    return replace(
        request,
        messages=messages,
        tokens=request.tokens + ceil(tokens * request.budget.factor),
        estimate=request.estimate + tokens,
    )


def _is_of_the_person(message: Message) -> bool:
    content = message["content"]
    return message["role"] == "user" and not (isinstance(content, list) and IMAGES_OF_RESULTS in content)


def _with_text(message: Message, text: str) -> Message:
    content = message["content"]
    if isinstance(content, list):
        return {**message, "content": [{"type": "text", "text": text}, *content]}
    return {**message, "content": f"{text}\n\n{content or ''}"}
