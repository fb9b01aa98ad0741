"""`/skill <name>` at the head of a user message: the skill's text goes to the model with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..messages import UIMessage, text_of

_COMMAND = re.compile(r"\A\s*/skill[ \t]+(\S+)[ \t]*(.*)\Z", re.DOTALL)


def slash_skill(text: str) -> tuple[str, str] | None:
    """The named skill and the rest of the message, or None where the text is no `/skill` command."""
    match = _COMMAND.match(text)
    return (match[1], match[2].strip()) if match else None


def named_skills(messages: Sequence[UIMessage]) -> list[str]:
    """Every skill that a user message of the conversation activates, in order and once."""
    commands = (
        slash_skill(text_of(message))
        for message in messages
        if message["role"] == "user" and _may_hold_a_command(message)
    )
    return list(dict.fromkeys(command[0] for command in commands if command))


def _may_hold_a_command(message: UIMessage) -> bool:
    """Quick, since all messages of a thread are looked through for each request."""
    return any("/skill" in part["text"] for part in message["parts"] if part["type"] == "text")


def inject_skills(messages: Sequence[UIMessage], skills: Mapping[str, str]) -> list[UIMessage]:
    """Put the text of each activated skill in front of the message that activated it.

    It stays there in later requests: a message that has been sent does not change, so the provider's prefix cache
    goes on to match.
    """
    return [_injected(message, skills) if message["role"] == "user" else message for message in messages]


def _injected(message: UIMessage, skills: Mapping[str, str]) -> UIMessage:
    command = slash_skill(text_of(message))
    if command is None or command[0] not in skills:
        return message
    name, rest = command
    text = (
        f'The person activated the skill "{name}". Follow it for this request.\n'
        f'<skill name="{name}">\n{skills[command[0]].strip()}\n</skill>\n\n'
        f"{rest or 'Apply it to the open workflow, or say what you need to know first.'}"
    )
    others = [part for part in message["parts"] if part["type"] != "text"]
    return {**message, "parts": [{"type": "text", "text": text}, *others]}
