"""Handles: short names by which the model, and the user, can read what a request left out.

`r12` is the 12th tool result of the conversation, `u3` the 3rd user message, `a3` the answer to it, `d2` the attached
document number 2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..base.messages import UIMessage, message_text, tool_parts, user_count
from .documents import (
    document_number,
    document_text,
    documents,
    find_project_file,
    last_document_number,
    request_text,
)
from .message_metadata import MessageMetadata, with_skill
from .picture_descriptions import picture_descriptions
from .results import result_text

_HANDLE = re.compile(r"\A\s*([ruad])\s*0*(\d{1,9})\s*\Z", re.IGNORECASE)


def read_back(conversation: Sequence[UIMessage], ref: str) -> str | None:
    """Return the whole text behind a handle; None if the conversation has no such thing."""
    match = _HANDLE.match(ref)
    if match is None:
        return None
    kind, number = match[1].lower(), int(match[2])
    if kind == "r":
        parts = (
            part for message in conversation if message["role"] == "assistant" for part in tool_parts(message)
        )
        result = next((part for index, part in enumerate(parts, 1) if index == number), None)
        return result_text(result) if result is not None else None
    if kind == "d":
        document = next((part for part in documents(conversation) if document_number(part) == number), None)
        if document is None:
            return _project_text(conversation, number)
        return document_text(document) if number else None
    users = [index for index, message in enumerate(conversation) if message["role"] == "user"]
    if not 0 < number <= len(users):
        return None
    if kind == "u":
        message = conversation[users[number - 1]]
        said = with_skill(message) if MessageMetadata.of(message).skill else request_text(message)
        return "\n".join([said, *picture_descriptions(message)])
    end = users[number] if number < len(users) else len(conversation)
    answers = [
        message for message in conversation[users[number - 1] + 1 : end] if message["role"] == "assistant"
    ]
    return "\n\n".join(filter(None, map(message_text, answers))) or None


def parse_document_ref(ref: str) -> int:
    """Return the number of the document that a handle names; 0 if it names none."""
    match = _HANDLE.match(ref)
    return int(match[2]) if match and match[1].lower() == "d" else 0


def _project_text(conversation: Sequence[UIMessage], number: int) -> str | None:
    """Return the newest text of a project file; None for one that is only searched."""
    file = find_project_file(conversation, number)
    return file.text if file else None


def list_handles(conversation: Sequence[UIMessage]) -> str:
    """Return the handles of a conversation as a phrase: `r1 to r12, u1 to u3, a1 to a3`."""
    users = user_count(conversation)
    last_answer = next((number for number in range(users, 0, -1) if read_back(conversation, f"a{number}")), 0)
    results = sum(
        sum(1 for _ in tool_parts(message)) for message in conversation if message["role"] == "assistant"
    )
    counts = (("r", results), ("u", users), ("a", last_answer), ("d", last_document_number(conversation)))
    phrases = [f"{kind}1 to {kind}{count}" for kind, count in counts if count]
    return ", ".join(phrases) or "none yet"
