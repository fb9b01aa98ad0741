"""Optional facts by a host on a file: the license, the hash, the name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...base.text.clip import clip_line
from .source import Source

_MAX_LICENCE = 60


@dataclass(frozen=True)
class HostFacts:
    licence: str = ""
    sha256: str = ""
    name: str = ""


def read_facts(source: Source, body: bytes) -> HostFacts:
    try:
        answer = json.loads(body)
        if source.repository:
            return HostFacts(licence=_line(_repository_licence(answer)))
        files = [file for file in answer.get("files") or () if isinstance(file, Mapping)]
        chosen = next((file for file in files if file.get("primary")), files[0] if files else {})
        # A URL with a query may mean another file of the version than the primary one.
        if "?" in source.url:
            return HostFacts()
        hashes = chosen.get("hashes") or {}
        return HostFacts(sha256=str(hashes.get("SHA256") or "").lower(), name=str(chosen.get("name") or ""))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return HostFacts()


def _repository_licence(answer: Mapping[str, Any]) -> object:
    card = answer.get("cardData") or {}
    licence = card.get("license_name") if card.get("license") == "other" else card.get("license")
    tags = [str(tag) for tag in answer.get("tags") or ()]
    tagged = next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), "")
    return licence or tagged


def _line(value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
    return clip_line(text, _MAX_LICENCE)
