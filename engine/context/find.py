"""Finding something again in a conversation, condensed or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..messages import UIMessage, said_in, text_of, tool_name
from .documents import document_number, document_text, is_document
from .position import blocks
from .results import one_line, result_text

_WORD = re.compile(r"\w+", re.UNICODE)
_EXCERPT = 240
_LONGEST_SEARCHED = 200_000


@dataclass(frozen=True)
class Found:
    """`ref` is the handle of the whole text; `excerpt` the place in it where most of the words stand together."""

    ref: str
    kind: str
    excerpt: str


def find_in_conversation(conversation: Sequence[UIMessage], query: str, *, limit: int = 8) -> list[Found]:
    """The texts that hold most words of the query, newest first among equals."""
    words = sorted({word.lower() for word in _WORD.findall(query) if len(word) > 1 or word.isdigit()})
    if not words:
        return []
    found: list[tuple[float, int, Found]] = []
    for order, (ref, kind, text) in enumerate(_texts(conversation)):
        lowered = text[:_LONGEST_SEARCHED].lower()
        hits = [lowered.find(word) for word in words]
        present = [hit for hit in hits if hit >= 0]
        if present:
            score = len(present) / len(words)
            found.append((score, order, Found(ref, kind, excerpt(text, min(present)))))
    ranked = sorted(found, key=lambda entry: (-entry[0], -entry[1]))
    return [entry for _, _, entry in ranked[:limit]]


def excerpt(text: str, position: int, *, length: int = _EXCERPT) -> str:
    """The surroundings of a place in a text, on one line."""
    start = max(0, position - length // 3)
    end = min(len(text), start + length)
    shown = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{shown}{' …' if end < len(text) else ''}"


def _texts(conversation: Sequence[UIMessage]) -> Iterator[tuple[str, str, str]]:
    for block in blocks(conversation):
        if block.kind == "user":
            yield f"u{block.user}", "user message", text_of(block.message)
            for part in filter(is_document, block.parts):
                yield f"d{document_number(part)}", "attached document", document_text(part)
            continue
        if said := said_in(block.parts):
            yield f"a{block.user}", "answer", said
        for number, part in enumerate(block.calls, block.results + 1):
            yield f"r{number}", f"result of {tool_name(part)}", f"{one_line(part)}\n{result_text(part)}"
