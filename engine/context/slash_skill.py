"""`/skill <name>` at the head of a user message: the skill's text is kept with it, and goes to the model with it."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..base.messages import UIMessage, text_of
from .message_metadata import MessageMetadata, UsedSkill

_BEGINNING = re.compile(r"\s*/skill[ \t]", re.IGNORECASE)
"""Looked for first, since all messages of a thread are looked through for each request."""
_COMMAND = re.compile(r"\A\s*/skill[ \t]+(\S.*)\Z", re.DOTALL | re.IGNORECASE)


def skill_command(message: UIMessage) -> str | None:
    """What stands behind `/skill` in a user message; None where it is no such command."""
    if message["role"] != "user":
        return None
    first = next((part["text"] for part in message["parts"] if part["type"] == "text"), "")
    if not _BEGINNING.match(first):
        return None
    match = _COMMAND.match(text_of(message))
    return match[1].strip() if match else None


def with_skill(
    message: UIMessage, *, shorten: Callable[[str], str] = str.strip, can_read_files: bool = True
) -> str:
    """A user message's text with that of its skill before it, `shorten`ed."""
    skill = MessageMetadata.of(message).skill
    if skill is None:
        return text_of(message)
    tools = f"Call no tools for it but {', '.join(skill.tools)}.\n" if skill.tools else ""
    return (
        f'The person activated the skill "{skill.name}". Follow it for this request.\n{tools}'
        f'<skill name="{skill.name}">\n{shorten(skill.text.strip())}{_files(skill, can_read_files)}\n</skill>\n\n'
        f"{_request(skill)}"
    )


def without_skill(message: UIMessage, *, how: str) -> str:
    """The same where the skill has done its work; `how` says how its text is read."""
    skill = MessageMetadata.of(message).skill
    if skill is None:
        return text_of(message)
    return f'[For this the person activated the skill "{skill.name}"{how}]\n{_request(skill)}'


def _files(skill: UsedSkill, can_read: bool) -> str:
    if not skill.files:
        return ""
    how = "read by getUserSkill with the path as slug" if can_read else "which you cannot read"
    return f"\n\nFiles of this skill, {how}: {skill.files}."


def _request(skill: UsedSkill) -> str:
    return skill.request or "Apply it to the open workflow, or say what you need to know first."
