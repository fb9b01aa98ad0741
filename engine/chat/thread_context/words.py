"""The texts for a model beside the conversation: system message, the user's words, skills, reminder."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ...base.errors import RequestError
from ...base.messages import UIMessage
from ...context.frame import SystemForm, SystemMessage, SystemRoom
from ...context.message_metadata import MessageMetadata, UsedSkill, skill_command
from ...context.reminder import OpenWorkflow, reminder


class UserTextsInEffect(Protocol):
    """The user's texts for all chats; empty ones if there are none."""

    @property
    def rules(self) -> tuple[str, ...]: ...

    @property
    def reminders(self) -> tuple[str, ...]: ...

    @property
    def preferences(self) -> tuple[tuple[str, str], ...]: ...

    @property
    def soul(self) -> str: ...

    @property
    def goals(self) -> str: ...


class PromptSource(Protocol):
    """The source of texts for a model, which knows the files."""

    async def system_message(self, form: SystemForm, room: SystemRoom, persona: str = "") -> SystemMessage:
        """Compose the system message in a form; without text if the client posts its own.

        `persona` is the slug of the persona chosen for the thread, here and below.
        """
        ...

    async def persona_choice(self, persona: str) -> tuple[str, str]:
        """Return the provider and the model that a persona asks for; "" for the usual ones."""
        ...

    async def user(self, persona: str = "") -> UserTextsInEffect: ...

    async def skill(self, command: str) -> UsedSkill:
        """Return the skill that the words after `/skill` name, as it is now.

        Raises:
            RequestError: `not_found` (404), with the closest names.
        """
        ...


def message_reminder(
    user: UserTextsInEffect,
    pins: Sequence[str],
    workflow: OpenWorkflow | None,
    *,
    is_slim: bool,
    notes: Sequence[str],
    cites: bool,
) -> str:
    """Return the reminder, which the model reads last: date, persona, goals, pins, undone turns, workflow, citing.

    Small models get only reminders, pins, undone turns and citing: they are shown the open workflow itself.
    """
    if is_slim:
        return reminder(
            pins=pins, reminders=user.reminders, notes=notes, cites=cites, has_user_skill_tool=False
        )
    return reminder(
        now=time.strftime("%A, %d %B %Y, %H:%M"),
        pins=pins,
        reminders=user.reminders,
        goals=user.goals,
        persona=user.soul,
        notes=notes,
        workflow=workflow,
        cites=cites,
    )


@dataclass(frozen=True)
class MessageSkills:
    """The skills that messages use. `tools` are the names of all tools."""

    words: PromptSource
    tools: Container[str]

    async def find(self, command: str) -> UsedSkill:
        """Return the skill that a command names; of its tools those that exist, since other assistants have others.

        Raises:
            RequestError: there is no such skill.
        """
        skill = await self.words.skill(command)
        return replace(skill, tools=tuple(name for name in skill.tools if name in self.tools))

    async def fill_in(self, conversation: Sequence[UIMessage]) -> Sequence[UIMessage]:
        """Return the messages; one that names a skill without storing it gets the skill as it is now."""
        messages = list(conversation)
        for index, message in enumerate(messages):
            kept = MessageMetadata.of(message)
            if kept.skill is None and (command := skill_command(message)):
                with contextlib.suppress(RequestError):
                    messages[index] = replace(kept, skill=await self.find(command)).put_into(message)
        return messages
