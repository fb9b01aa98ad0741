"""The skills that messages of a conversation were sent with."""

from __future__ import annotations

import contextlib
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from ...base.errors import RequestError
from ...base.messages import UIMessage
from ...context.message_metadata import MessageMetadata, UsedSkill, skill_command
from .words import Words


@dataclass(frozen=True)
class MessageSkills:
    """`tools` are the names of all tools that there are."""

    words: Words
    tools: Container[str]

    async def named(self, command: str) -> UsedSkill:
        """Of the tools that it allows those that there are: it may be written for other assistants, too.

        Raises:
            RequestError: there is no such skill.
        """
        skill = await self.words.skill(command)
        return replace(skill, tools=tuple(name for name in skill.tools if name in self.tools))

    async def kept_in(self, conversation: Sequence[UIMessage]) -> Sequence[UIMessage]:
        """Messages that keep no skill, their client's or older than that, with the one that they name now, if any."""
        messages = list(conversation)
        for index, message in enumerate(messages):
            kept = MessageMetadata.of(message)
            if kept.skill is None and (command := skill_command(message)):
                with contextlib.suppress(RequestError):
                    messages[index] = replace(kept, skill=await self.named(command)).put_into(message)
        return messages
