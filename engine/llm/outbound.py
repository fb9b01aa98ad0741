"""Messages as one endpoint takes them. What is stored and planned is the same for all; each gets its own form of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ..messages import Message

BRIDGE: Message = {"role": "assistant", "content": "(I have these results.)"}
"""Stands between results and a user message where an endpoint wants that."""

_MISTRAL = re.compile(
    r"(?<![a-z])(?:mi[sx]tral|ministral|magistral|devstral|codestral|pixtral)", re.IGNORECASE
)
_WANTS_BRIDGE = re.compile(r"after role .?tool|roles must alternate", re.IGNORECASE)
_MOST_IMAGES = re.compile(r"at most (\d+) image", re.IGNORECASE)
_NO_IMAGES = re.compile(
    r"images?( inputs?)? (is|are) not supported|not? (endpoints found that )?(support|accept|read|process)s? (any )?"
    r"(image|vision|multi-?modal)|n't (support|accept|read|process) (image|vision|multi-?modal)"
    r"|not a (vision|multi-?modal) model|missing data required for image input|unknown variant .?image_url"
    r"|image_url.{0,24} (not supported|only supported by)|content must be a string",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class OutboundRules:
    """How an endpoint wants its messages.

    The images of tool results stand in a user message behind the results, since a tool message is text. With
    `bridges_results` a line of the assistant stands between the two, as Mistral and some chat templates demand. Of
    all images only the newest `most_images` are sent, where that is not None. `replays_reasoning` gives back what
    the model thought before its calls.
    """

    bridges_results: bool = False
    most_images: int | None = None
    replays_reasoning: bool = False


def rules_for(base_url: str, model: str) -> OutboundRules:
    """What is known of an endpoint before it is asked."""
    return OutboundRules(bridges_results="mistral.ai" in base_url or bool(_MISTRAL.search(model)))


def after_refusal(rules: OutboundRules, said: str, messages: Sequence[Message]) -> OutboundRules:
    """The rules after an endpoint refused `messages`; the same where its words are about nothing of this.

    DeepSeek wants the reasoning of earlier calls back in its thinking mode; Groq and others refuse the field.
    """
    if "reasoning_content" in said:
        return replace(rules, replays_reasoning="passed back" in said)
    if _WANTS_BRIDGE.search(said) and any(map(_needs_bridge, messages, messages[1:])):
        return replace(rules, bridges_results=True)
    if any(map(_image_count, messages)):
        if match := _MOST_IMAGES.search(said):
            return replace(rules, most_images=int(match[1]))
        if _NO_IMAGES.search(said):
            return replace(rules, most_images=0)
    return rules


def outbound(messages: Sequence[Message], rules: OutboundRules) -> list[Message]:
    """The messages under the rules of an endpoint."""
    made = [_with_reasoning(message, replays=rules.replays_reasoning) for message in messages]
    if rules.most_images is not None:
        made = _with_newest_images(made, rules.most_images)
    return _bridged(made) if rules.bridges_results else made


def _needs_bridge(before: Message, message: Message) -> bool:
    return before["role"] == "tool" and message["role"] == "user"


def _bridged(messages: Sequence[Message]) -> list[Message]:
    made = list(messages[:1])
    for before, message in pairwise(messages):
        made += [BRIDGE, message] if _needs_bridge(before, message) else [message]
    return made


def _with_newest_images(messages: Sequence[Message], most: int) -> list[Message]:
    made: list[Message] = []
    for message in reversed(messages):
        content = message["content"]
        if isinstance(content, list):
            kept: list[dict[str, Any]] = []
            for part in reversed(content):
                if part.get("type") == "image_url":
                    part = part if most > 0 else {"type": "text", "text": "[An image that cannot be sent.]"}
                    most -= 1
                kept.append(part)
            message: Message = {**message, "content": kept[::-1]}
        made.append(message)
    return made[::-1]


def _image_count(message: Message) -> int:
    content = message["content"]
    return sum(part.get("type") == "image_url" for part in content) if isinstance(content, list) else 0


def _with_reasoning(message: Message, *, replays: bool) -> Message:
    if message["role"] != "assistant":
        return message
    if replays:
        return {**message, "reasoning_content": message.get("reasoning_content", "")}
    kept: Any = {name: value for name, value in message.items() if name != "reasoning_content"}
    return kept
