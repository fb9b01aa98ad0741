"""Facts on an image that a model no longer sees: its size, and the ingredients of its run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from ...base.files.regular_file import find_file
from ...base.messages import dump
from ...base.text.clip import clip_line, clip_words
from ...base.text.portable_text import valid_unicode
from ...context.images import size_in
from ..host import ComfyHost, FileKind
from .history_entry import PromptFacts, prompt_facts
from .picture_file import read_picture_file

_LONGEST_PROMPT = 1_000_000
"""The longest prompt to parse, in characters of JSON: about 10 ms."""
_KINDS: Mapping[str, FileKind] = {"input": "input", "output": "output", "temp": "temp"}
_MOST_TEXTS, _LONGEST_TEXT = 3, 240
_MOST_SEEDS, _MOST_MODELS, _LONGEST_NAME = 4, 4, 80


class RunsByFile(Protocol):
    async def find_by_file(self, file: Mapping[str, str]) -> PromptFacts | None:
        """Return the facts of the newest run that left `{filename, subfolder, type}`."""
        ...


class PictureFacts:
    def __init__(self, host: ComfyHost, runs: RunsByFile) -> None:
        self._host = host
        self._runs = runs

    async def describe(self, name: str) -> str:
        """Describe an image such as `output/fox.png` in one line; "" where nothing is known of it.

        A file holds the whole prompt, including nodes that did not lead to it, so the facts of its run replace those
        of the file where the two agree. Runs are not searched for an input, which may have any name.
        """
        prefix, _, path = name.partition("/")
        kind = _KINDS.get(prefix)
        if kind is None or not path:
            return ""
        size, facts = await asyncio.to_thread(_read, self._host.file_directory(kind), path)
        if kind != "input":
            subfolder, _, filename = path.rpartition("/")
            of_run = await self._runs.find_by_file(
                {"filename": filename, "subfolder": subfolder, "type": kind}
            )
            if of_run is not None and (facts == PromptFacts() or of_run.is_within(facts)):
                facts = of_run
        return _line(size, facts)


def _read(folder: Path, name: str) -> tuple[tuple[int, int] | None, PromptFacts]:
    path = find_file(folder, name)
    if path is None:
        return None, PromptFacts()
    try:
        head, texts = read_picture_file(path)
    except OSError:
        return None, PromptFacts()
    return size_in(head), _facts(texts.get("prompt", ""))


def _facts(prompt: str) -> PromptFacts:
    if not 0 < len(prompt) <= _LONGEST_PROMPT:
        return PromptFacts()
    try:
        return prompt_facts(json.loads(prompt))
    except (ValueError, RecursionError):
        return PromptFacts()


def _line(size: tuple[int, int] | None, facts: PromptFacts) -> str:
    parts: dict[str, Any] = {
        "prompt": [clip_words(text, _LONGEST_TEXT) for text in facts.texts[:_MOST_TEXTS]],
        "seed": list(facts.seeds[:_MOST_SEEDS]),
        "models": [clip_line(name, _LONGEST_NAME) for name in facts.models[:_MOST_MODELS]],
    }
    parts = {name: values for name, values in parts.items() if values}
    all_of_it = sum(map(len, (facts.texts, facts.seeds, facts.models)))
    if (left_out := all_of_it - sum(map(len, parts.values()))) > 0:
        parts["leftOut"] = left_out
    lines = [f"{size[0]}x{size[1]}"] if size else []
    if parts:
        lines.append(f"made of (text from outside): {valid_unicode(dump(parts)).replace('<', '‹')}")
    return "; ".join(lines)
