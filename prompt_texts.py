"""The texts for a model beside the conversation, composed by `agent_prompts` from the context files."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

from . import agent_prompts
from .engine.base.text.portable_text import reveal_invisible
from .engine.comfy.scan import EnvironmentScanner
from .engine.comfy.snapshot import missing_types
from .engine.context.frame import SystemForm, SystemMessage, SystemRoom
from .engine.context.message_metadata import UsedSkill
from .engine.settings.settings import Settings
from .engine.user.skills.library import SkillLibrary, merge, parse_skill_command
from .engine.user.skills.skill_files import format_file_list
from .engine.user.text_changes import persona_digest
from .user_context_loader import UserContext, load_environment_summary, load_system_context
from .user_texts import UserTexts

logger = logging.getLogger(__name__)


class SystemSkills:
    """The extension's skills and the documents of the system message, as they apply to the current user."""

    def __init__(self, own: UserTexts) -> None:
        self._own = own

    async def library(self) -> SkillLibrary:
        return await self._own.system_folders().library()


class PromptTexts:
    """Composes the system message and reads skills. Routes and tools read `system_skills` too."""

    def __init__(
        self,
        settings: Settings,
        *,
        environment: EnvironmentScanner,
        own: UserTexts,
        data: Path,
        system_context: Path,
    ) -> None:
        self._environment = environment
        self._settings = settings
        self._data = data
        self._system_context = system_context
        self._own = own
        self.user = own.context
        self.system_skills = SystemSkills(own)

    async def system_message(self, form: SystemForm, room: SystemRoom, persona: str = "") -> SystemMessage:
        """Return the system message of this form that fits the room, with the persona of this slug."""
        if form == "posted":
            return SystemMessage("")
        user = await self.user(persona)
        message = await asyncio.to_thread(self._compose, form, room, user)
        text, of_user = map(reveal_invisible, (message.text, message.of_user))
        preferences = tuple(f"{name}: {value}" for name, value in user.preferences)
        return replace(
            message,
            text=text,
            of_user=of_user,
            rules=user.rules,
            preferences=preferences,
            persona=persona_digest(user.soul),
        )

    async def persona_choice(self, persona: str) -> tuple[str, str]:
        """Return the provider and model that a persona asks for, each "" where it names none."""
        chosen = (await self._own.personas()).get(persona)
        return (chosen.provider, chosen.model) if chosen else ("", "")

    async def skill(self, command: str) -> UsedSkill:
        """Return the skill of a `/skill` command; the user's skill wins over a system skill of that name.

        Raises:
            RequestError: there is no such skill.
        """
        users = await self._own.library()
        skill, request = parse_skill_command(command, merge([users, await self.system_skills.library()]))
        environment = await self._environment.snapshot()
        text = skill.content + missing_types(skill.content, environment)
        files = await asyncio.to_thread(format_file_list, skill, under=f"{skill.slug}/")
        is_users = skill in users.skills
        return UsedSkill(skill.slug, text, request, skill.allowed_tools, is_users=is_users, files=files)

    def _compose(self, form: SystemForm, room: SystemRoom, user: UserContext) -> SystemMessage:
        system = load_system_context(self._system_context, self._own.system_folders())
        skills = self._own.user_folders().load()
        user = replace(user, skills=skills.skills)
        for diagnostic in (*system.diagnostics, *user.problems, *skills.diagnostics):
            logger.warning("%s", diagnostic)
        if form == "slim":
            return agent_prompts.get_system_message_slim(user, system)
        if form == "continuation":
            return agent_prompts.get_system_message_continuation(system, user)
        characters, of_user = self._settings.system_context_max_chars, self._settings.user_context_max_chars
        return agent_prompts.get_system_message(
            system,
            user,
            load_environment_summary(self._data),
            system_context_max_chars=room.characters if characters is None else characters,
            system_context_max_tokens=room.tokens,
            user_context_max_chars=room.user_characters if of_user is None else of_user,
        )
