"""Whether a model sees images: as its server says, else by what its name says."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from .probe import ask_server

_SEES = re.compile(
    r"(?<![a-z])(?:vl|vlm|vision|omni|llava|bakllava|pixtral|internvl|moondream|minicpm-?v|cogvlm|idefics|molmo|ovis"
    r"|smolvlm|fuyu|phi-?[34](?:\.5)?-(?:vision|multimodal)|gemma-?3n?|gemini|claude|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5"
    r"|chatgpt|o1|o3|o4|llama-?4|mistral-(?:small-3|medium)|magistral|grok-(?:4|2-vision)|nova-(?:lite|pro|premier))"
    r"(?![a-z])"
    r"|\d(?:\.\d)?-?vl(?![a-z])|glm-\d(?:\.\d)?v",
    re.IGNORECASE,
)
_BLIND = re.compile(
    r"(?<![a-z])(?:gemma-?3(?:-it)?[:-](?:270m|1b)|claude-(?:2|instant)|o1-mini|o3-mini|gpt-3\.5|gpt-oss|deepseek-(?:chat"
    r"|reasoner|v[23]|r1|coder)|codestral|devstral|qwen-?(?:2\.5|3)?-?coder|qwen-?(?:2|2\.5|3)[:-]\d|llama-?3(?:\.[13])?"
    r"[:-]\d|mixtral|phi-?4(?:-mini)?(?:$|:)|kimi-k2|command-r|starcoder)",
    re.IGNORECASE,
)


async def sees_images(base_url: str, model: str, *, is_local: bool) -> bool | None:
    """None where neither the server nor the name tells. Only servers on this machine are asked."""
    told = await _as_its_server_says(base_url, model) if is_local else None
    return by_name(model) if told is None else told


def by_name(model: str) -> bool | None:
    """The last part of the name counts: hubs put the maker before it."""
    name = model.rsplit("/", 1)[-1]
    if _BLIND.search(name):
        return bool(re.search(r"(?<![a-z])(?:vl|vision)(?![a-z])", name, re.IGNORECASE))
    return True if _SEES.search(name) else None


async def _as_its_server_says(base_url: str, model: str) -> bool | None:
    root = base_url.removesuffix("/v1")
    shown, props, studio = await asyncio.gather(
        ask_server("POST", f"{root}/api/show", {"model": model}),
        ask_server("GET", f"{root}/props"),
        ask_server("GET", f"{root}/api/v0/models/{model}"),
    )
    return said_of_vision(shown, props, studio)


def said_of_vision(
    ollama: Mapping[str, Any] | None, llamacpp: Mapping[str, Any] | None, lm_studio: Mapping[str, Any] | None
) -> bool | None:
    """Ollama's `/api/show` lists capabilities, llama.cpp's `/props` modalities, LM Studio the type of a model."""
    capabilities = ollama.get("capabilities") if ollama else None
    if isinstance(capabilities, list):
        return "vision" in capabilities
    modalities = llamacpp.get("modalities") if llamacpp else None
    if isinstance(modalities, Mapping) and isinstance(modalities.get("vision"), bool):
        return modalities["vision"]
    kind = lm_studio.get("type") if lm_studio else None
    return kind == "vlm" if kind in ("llm", "vlm") else None
