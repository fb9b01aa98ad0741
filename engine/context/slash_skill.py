"""`/skill <name>` at the head of a user message: the skill's text is kept with it, and goes to the model with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..base.messages import UIMessage, text_of

SKILL = "skill"
"""The metadata key under which a user message keeps the skill that it was sent with."""

_BEGINNING = re.compile(r"\s*/skill[ \t]", re.IGNORECASE)
"""Looked for first, since all messages of a thread are looked through for each request."""
_COMMAND = re.compile(r"\A\s*/skill[ \t]+(\S.*)\Z", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class UsedSkill:
    """A skill as it was when a message used it, and what the message asks beside it.

    `tools` are those that may be called for it; without any, all of them. `files` names those that lie beside it, as
    paths for `getUserSkill`.
    """

    name: str
    text: str
    request: str
    tools: tuple[str, ...] = ()
    is_users: bool = False
    """From the user's folders, into which they may have put what others wrote."""
    files: str = ""

    def as_metadata(self) -> dict[str, Any]:
        told: dict[str, Any] = {"name": self.name, "text": self.text, "request": self.request}
        if self.tools:
            told["tools"] = list(self.tools)
        if self.is_users:
            told["isUsers"] = True
        if self.files:
            told["files"] = self.files
        return told


def skill_command(message: UIMessage) -> str | None:
    """What stands behind `/skill` in a user message; None where it is no such command."""
    if message["role"] != "user":
        return None
    first = next((part["text"] for part in message["parts"] if part["type"] == "text"), "")
    if not _BEGINNING.match(first):
        return None
    match = _COMMAND.match(text_of(message))
    return match[1].strip() if match else None


def used_skill(message: UIMessage) -> UsedSkill | None:
    """The skill that is kept with a message: what was sent does not change with the skill's file."""
    kept: Any = message.get("metadata", {}).get(SKILL)
    match kept:
        case {"name": str(name), "text": str(text), "request": str(request), **more}:
            tools = more.get("tools")
            names = tools if isinstance(tools, list) else ()
            allowed = tuple(name for name in names if isinstance(name, str))
            files = more.get("files")
            listed = files if isinstance(files, str) else ""
            return UsedSkill(name, text, request, allowed, more.get("isUsers") is True, listed)
        case _:
            return None


def with_skill(
    message: UIMessage, *, shorten: Callable[[str], str] = str.strip, can_read_files: bool = True
) -> str:
    """A user message's text with that of its skill before it, `shorten`ed."""
    skill = used_skill(message)
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
    skill = used_skill(message)
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
