"""The rules of an endpoint's requests, learned from the text with which it refused one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from ...base.errors import ProviderError
from ...base.messages import Message
from .request_body import EndpointRules, needs_bridge, spelled

_WANTS_BRIDGE = re.compile(r"after role .?tool|roles must alternate", re.IGNORECASE)
_ALTERNATING = re.compile(r"roles must alternate", re.IGNORECASE)
_NO_SYSTEM = re.compile(
    r"system (role|message|prompt|instruction)s? (is |are )?(not|un)[ -]?(supported|allowed|enabled|permitted)"
    r"|(does not|doesn't|cannot) (support|accept|take|use) (a |the |any )?(system|developer) "
    r"(role|message|prompt|instruct)"
    r"|developer instruction is not enabled|only (the )?.?user.? and .?(assistant|model).? roles",
    re.IGNORECASE,
)
_STREAM = re.compile(r"\bstream", re.IGNORECASE)
_TOOLS = re.compile(r"tool|function", re.IGNORECASE)
_REFUSED = re.compile(
    r"not (yet )?(be )?(support|allow|possible|compatible|implement|available|use)|n't|cannot|unsupported|without"
    r"|must be false|incompatible|disable",
    re.IGNORECASE,
)
_CANNOT_PARSE = re.compile(r"failed to parse input", re.IGNORECASE)
"""A stream whose tool calls llama.cpp cannot parse: in one piece it may."""
_MOST_IMAGES = re.compile(r"at most (\d+) image", re.IGNORECASE)
_NO_IMAGES = re.compile(
    r"images?( inputs?)? (is|are) not supported|not? (endpoints found that )?(support|accept|read|process)s? (any )?"
    r"(image|vision|multi-?modal)|n't (support|accept|read|process) (image|vision|multi-?modal)"
    r"|not a (vision|multi-?modal) model|missing data required for image input|unknown variant .?image_url"
    r"|image_url.{0,24} (not supported|only supported by)|content must be a string",
    re.IGNORECASE,
)

_REFUSED_BY: Mapping[str, re.Pattern[str]] = {
    "reasoning_effort": re.compile(
        r"reasoning[_ .]effort|(not|n't) support (thinking|reasoning)", re.IGNORECASE
    ),
    "temperature": re.compile("temperature", re.IGNORECASE),
    "prompt_cache_key": re.compile("prompt_cache_key"),
    "return_progress": re.compile("return_progress"),
}
"""Patterns of refusals by parameter. Ollama says that a model "does not support thinking"."""


def after_refusal(
    rules: EndpointRules,
    refusal: ProviderError,
    messages: Sequence[Message],
    *,
    has_tools: bool,
    parameters: Mapping[str, Any] | None = None,
) -> EndpointRules:
    """Return the rules after a refusal; unchanged where its text is about something else."""
    words = refusal.provider_message
    if "cache_control" in words and rules.marks_cache:
        return replace(rules, marks_cache=False)
    if "stream_options" in words and not rules.refuses_stream_options:
        return replace(rules, refuses_stream_options=True)
    rules_of_messages = _apply_message_refusal(rules, words, messages)
    if rules_of_messages != rules:
        return rules_of_messages
    if refused := refused_among(parameters or {}, words):
        return replace(rules, refused_parameters=(*rules.refused_parameters, refused))
    if "max_completion_tokens" in words and not rules.wants_max_completion_tokens:
        return replace(rules, wants_max_completion_tokens=True)
    if (
        has_tools
        and not (rules.streams_no_tools or rules.refuses_tools)
        and (_refuses_streamed_tools(words) or _CANNOT_PARSE.search(words))
    ):
        return replace(rules, streams_no_tools=True)
    return replace(
        rules, refuses_tools=rules.refuses_tools or (refusal.code == "no_tool_support" and has_tools)
    )


def _refuses_streamed_tools(words: str) -> bool:
    return all(pattern.search(words) for pattern in (_STREAM, _TOOLS, _REFUSED))


def _apply_message_refusal(rules: EndpointRules, words: str, messages: Sequence[Message]) -> EndpointRules:
    """Return the rules after a refusal that concerns messages.

    DeepSeek's and Kimi's thinking models want the reasoning of earlier calls back; Groq and others refuse the field.
    Gemini wants a signature with each call, which those of other models lack. A chat
    template without a system role, such as Gemma's and Mistral's first, says so, or that roles must alternate from
    the user on.
    """
    if "reasoning_content" in words:
        return replace(rules, replays_reasoning="passed back" in words or "is missing" in words)
    if "thought_signature" in words and "missing" in words:
        return replace(rules, fills_signatures=True)
    could_bridge = not rules.bridges_results and any(needs_bridge(*pair) for pair in pairwise(messages))
    if could_bridge and _WANTS_BRIDGE.search(words):
        return replace(rules, bridges_results=True)
    begins_with_system = bool(messages) and messages[0]["role"] == "system" and not rules.has_no_system_role
    if begins_with_system and (_NO_SYSTEM.search(words) or _ALTERNATING.search(words)):
        return replace(rules, has_no_system_role=True)
    if any(map(_has_images, messages)):
        if match := _MOST_IMAGES.search(words):
            return replace(rules, most_images=int(match[1]))
        if _NO_IMAGES.search(words):
            return replace(rules, most_images=0)
    return rules


def _has_images(message: Message) -> bool:
    content = message["content"]
    return isinstance(content, list) and any(part.get("type") == "image_url" for part in content)


def refused_among(parameters: Mapping[str, Any], words: str) -> str | None:
    """Return the key under which a refused parameter is remembered, if the endpoint's text is about one."""
    found = (name for name, pattern in _REFUSED_BY.items() if name in parameters and pattern.search(words))
    name = next(found, None)
    return None if name is None else spelled(name, parameters[name])
