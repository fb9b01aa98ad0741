"""What the chat tells a model beside the conversation: composed by `agent_prompts` from the context files."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

from . import agent_prompts
from .engine.comfy_user import folder_of_user
from .engine.context.frame import SystemForm, SystemMessage, SystemRoom
from .engine.context.slash_skill import UsedSkill
from .engine.environment.absent_types import absent_types
from .engine.environment.scan import EnvironmentScanner
from .engine.settings import Settings
from .engine.skills.command import skill_in
from .engine.skills.library import Skill, SkillLibrary, merge
from .engine.skills.loader import SkillFolders
from .engine.skills.skill_files import files_of
from .user_context_loader import (
    UserContext,
    load_environment_summary,
    load_system_context,
    load_user_context,
    system_skill_folders,
    user_skill_folders,
)

logger = logging.getLogger(__name__)


class UserSkills:
    """The skills of whoever asks for them; each user's are remembered for as long as their files stay the same."""

    def __init__(self, data: Path, user_context: Path) -> None:
        self._data = data
        self._user_context = user_context
        self._folders: dict[Path, SkillFolders] = {}

    async def library(self) -> SkillLibrary:
        return await self.folders().library()

    def folders(self) -> SkillFolders:
        data = folder_of_user(self._data)
        return self._folders.setdefault(data, user_skill_folders(data, self._user_context))


class ChatWords:
    """`system_skills` and `user_skills` are also what the routes and tools for skills read."""

    def __init__(
        self,
        settings: Settings,
        *,
        environment: EnvironmentScanner,
        data: Path,
        system_context: Path,
        user_context: Path,
    ) -> None:
        self._environment = environment
        self._settings = settings
        self._data = data
        self._system_context = system_context
        self._user_context = user_context
        self.system_skills: SkillFolders = system_skill_folders(system_context)
        self.user_skills = UserSkills(data, user_context)

    async def system_message(self, form: SystemForm, room: SystemRoom) -> SystemMessage:
        return SystemMessage("") if form == "posted" else await asyncio.to_thread(self._compose, form, room)

    async def user(self) -> UserContext:
        return await asyncio.to_thread(self._load_user)

    async def skill(self, command: str) -> UsedSkill:
        users = await self.user_skills.library()
        skill, request = skill_in(command, merge([users, await self.system_skills.library()]))
        environment = await self._environment.snapshot()
        text = (
            skill.content + absent_types(skill.content, environment) + await asyncio.to_thread(_files, skill)
        )
        is_users = skill in users.skills
        return UsedSkill(skill.slug, text, request, skill.allowed_tools, is_users=is_users)

    def _load_user(self) -> UserContext:
        return load_user_context(folder_of_user(self._data), self._user_context, self.user_skills.folders())

    def _compose(self, form: SystemForm, room: SystemRoom) -> SystemMessage:
        user = self._load_user()
        return replace(self._message(form, room, user), rules=user.rules)

    def _message(self, form: SystemForm, room: SystemRoom, user: UserContext) -> SystemMessage:
        system = load_system_context(self._system_context, self.system_skills)
        for diagnostic in (*system.diagnostics, *user.diagnostics):
            logger.warning("%s", diagnostic)
        if form == "slim":
            return agent_prompts.get_system_message_slim(user, system)
        if form == "continuation":
            return agent_prompts.get_system_message_continuation(system, user)
        characters = self._settings.system_context_max_chars
        return agent_prompts.get_system_message(
            system,
            user,
            load_environment_summary(self._data),
            system_context_max_chars=room.characters if characters is None else characters,
            system_context_max_tokens=room.tokens,
            user_context_max_chars=self._settings.user_context_max_chars,
        )


def _files(skill: Skill) -> str:
    """A line that names the files beside a skill that a message uses."""
    files, more = files_of(skill)
    if not files:
        return ""
    return f"\n\nFiles of this skill, for readSkillFile: {', '.join(files)}{f' and {more} more' if more else ''}."
