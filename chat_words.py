"""What the chat tells a model beside the conversation: composed by `agent_prompts` from the context files."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
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
from .engine.store.own_rules import OwnRules, Rule
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

    def __init__(self, data: Path, user_context: Path, own_rules: OwnRules) -> None:
        self._data = data
        self._user_context = user_context
        self._own_rules = own_rules
        self._folders: dict[Path, SkillFolders] = {}

    async def library(self) -> SkillLibrary:
        """With the rules as they hold, where they are not those of the file."""
        library = await self.folders().library()
        written = (await asyncio.to_thread(self.context)).rules
        rules = [rule.text for rule in await self._own_rules.list(written)]
        return library if rules == list(written) else _with_rules(library, rules)

    def context(self) -> UserContext:
        """What is written in files. Blocking."""
        return load_user_context(folder_of_user(self._data), self._user_context, self.folders())

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
        own_rules: OwnRules,
        data: Path,
        system_context: Path,
        user_context: Path,
    ) -> None:
        self._environment = environment
        self._settings = settings
        self._data = data
        self._system_context = system_context
        self._own_rules = own_rules
        self.system_skills: SkillFolders = system_skill_folders(system_context)
        self.user_skills = UserSkills(data, user_context, own_rules)

    async def system_message(self, form: SystemForm, room: SystemRoom) -> SystemMessage:
        if form == "posted":
            return SystemMessage("")
        user = await self.user()
        return replace(await asyncio.to_thread(self._compose, form, room, user), rules=user.rules)

    async def user(self) -> UserContext:
        user = await asyncio.to_thread(self.user_skills.context)
        rules = await self._own_rules.list(user.rules)
        return replace(user, rules=tuple(rule.text for rule in rules))

    async def rules(self) -> list[Rule]:
        return await self._own_rules.list(await self._written_rules())

    async def remember_rule(self, text: str) -> Rule:
        return await self._own_rules.remember(text, await self._written_rules())

    async def forget_rule(self, text: str) -> None:
        await self._own_rules.forget(text, await self._written_rules())

    async def skill(self, command: str) -> UsedSkill:
        users = await self.user_skills.library()
        skill, request = skill_in(command, merge([users, await self.system_skills.library()]))
        environment = await self._environment.snapshot()
        text = (
            skill.content + absent_types(skill.content, environment) + await asyncio.to_thread(_files, skill)
        )
        is_users = skill in users.skills
        return UsedSkill(skill.slug, text, request, skill.allowed_tools, is_users=is_users)

    async def _written_rules(self) -> tuple[str, ...]:
        return (await asyncio.to_thread(self.user_skills.context)).rules

    def _compose(self, form: SystemForm, room: SystemRoom, user: UserContext) -> SystemMessage:
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
    paths = [f"{skill.slug}/{path}" for path in files]
    listed = f"{', '.join(paths)}{f' and {more} more' if more else ''}"
    return f"\n\nFiles of this skill, read by getUserSkill with the path as slug: {listed}."


def _with_rules(library: SkillLibrary, rules: Sequence[str]) -> SkillLibrary:
    """With these in the document that the system message names where it has no room for all."""
    others = tuple(document for document in library.documents if document.slug != "rules")
    text = "\n".join(f"- {rule}" for rule in rules)
    return replace(library, documents=(*others, Skill("rules", "Rules", "", text, source="rules")))
