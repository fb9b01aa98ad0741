"""Rules for the requests of an endpoint, known in advance or learned from its refusals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ...base.errors import ProviderError
from ...base.messages import Message
from .optional_parameters import refused_among

_MISTRAL = re.compile(
    r"(?<![a-z])(?:mi[sx]tral|ministral|magistral|devstral|codestral|pixtral)", re.IGNORECASE
)
_CLAUDE = re.compile(r"(?<![a-z])claude(?![a-z])", re.IGNORECASE)
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
_MOST_IMAGES = re.compile(r"at most (\d+) image", re.IGNORECASE)
_NO_IMAGES = re.compile(
    r"images?( inputs?)? (is|are) not supported|not? (endpoints found that )?(support|accept|read|process)s? (any )?"
    r"(image|vision|multi-?modal)|n't (support|accept|read|process) (image|vision|multi-?modal)"
    r"|not a (vision|multi-?modal) model|missing data required for image input|unknown variant .?image_url"
    r"|image_url.{0,24} (not supported|only supported by)|content must be a string",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class EndpointRules:
    """The deviations of an endpoint from OpenAI's form of requests.

    Images of tool results stand in a user message after the results, since a tool message is text. With
    `bridges_results` an assistant message stands between the two, as Mistral and some chat templates demand. Only the
    newest `most_images` images are sent, where that is not None. `replays_reasoning` sends the reasoning before
    earlier calls back.

    With `has_no_system_role` the system message goes into the first user message. With `streams_no_tools` a request
    with tools is answered in one piece. Calls in a reply's text are read where the endpoint never has shown that it
    `sends_calls` as such; for a remote one only if it `writes_calls` there. With `marks_cache` a request marks what
    the provider may cache, as Anthropic's models require behind gateways. `refused_parameters` are left out, each
    with its value.
    """

    bridges_results: bool = False
    most_images: int | None = None
    replays_reasoning: bool = False
    refuses_stream_options: bool = False
    refuses_tools: bool = False
    wants_max_completion_tokens: bool = False
    has_no_system_role: bool = False
    streams_no_tools: bool = False
    sends_calls: bool = False
    writes_calls: bool = False
    marks_cache: bool = False
    refused_parameters: tuple[str, ...] = ()


def rules_for(base_url: str, model: str) -> EndpointRules:
    """Return the rules that are known of an endpoint before its first refusal."""
    return EndpointRules(
        bridges_results="mistral.ai" in base_url or bool(_MISTRAL.search(model)),
        # Anthropic's own address accepts no marks in OpenAI's form of requests.
        marks_cache=bool(_CLAUDE.search(model)) and "api.anthropic.com" not in base_url,
    )


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
    if has_tools and not (rules.streams_no_tools or rules.refuses_tools) and _refuses_streamed_tools(words):
        return replace(rules, streams_no_tools=True)
    return replace(
        rules, refuses_tools=rules.refuses_tools or (refusal.code == "no_tool_support" and has_tools)
    )


def _refuses_streamed_tools(words: str) -> bool:
    return all(pattern.search(words) for pattern in (_STREAM, _TOOLS, _REFUSED))


def _apply_message_refusal(rules: EndpointRules, words: str, messages: Sequence[Message]) -> EndpointRules:
    """Return the rules after a refusal that concerns messages.

    DeepSeek's thinking mode wants the reasoning of earlier calls back; Groq and others refuse the field. A chat
    template without a system role, such as Gemma's and Mistral's first, says so, or that roles must alternate from
    the user on.
    """
    if "reasoning_content" in words:
        return replace(rules, replays_reasoning="passed back" in words)
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


def needs_bridge(previous: Message, message: Message) -> bool:
    return previous["role"] == "tool" and message["role"] == "user"


def _has_images(message: Message) -> bool:
    content = message["content"]
    return isinstance(content, list) and any(part.get("type") == "image_url" for part in content)
