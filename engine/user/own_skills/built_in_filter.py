"""The built-in skills for one user: without those switched off, and with the user's in place of others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import is_

from ..skills.diagnostic import Diagnostic
from ..skills.library import Skill, SkillLibrary
from ..skills.loader import SkillFolders
from .import_record import read_import_record
from .states import SkillStates


@dataclass(frozen=True)
class BuiltInFilter:
    """Replaces built-in skills by the user's. `users` are the user's own active skills. Its methods block."""

    states: SkillStates
    users: SkillFolders

    def apply(self, library: SkillLibrary) -> SkillLibrary:
        """Return a library without switched-off skills, with the user's in place of others; the same one if nothing
        differs.

        A skill that the system message has whole is replaced there by one that the user wrote. An imported one is
        read by tool, so that the user is asked about what follows from it.
        """
        off = self.states.disabled_built_ins()
        own = {skill.slug: skill for skill in self.users.load().skills}
        skills: list[Skill] = []
        diagnostics: list[Diagnostic] = []
        for skill in library.skills:
            others = own.get(skill.slug)
            if others is None and skill.slug not in off:
                skills.append(skill)
            elif others is None:
                action = "Switch it on in the list that /skills opens."
                diagnostics.append(
                    Diagnostic(skill.source, "It is switched off.", action, leaves_out=True, name=skill.name)
                )
            elif skill.is_model_specific or read_import_record(others.home) is not None:
                problem = "A skill of the user has its name and takes its place."
                action = f'Read it with getUserSkill "{skill.slug}".'
                diagnostics.append(Diagnostic(skill.source, problem, action, leaves_out=True))
            else:
                skills.append(replace(others, priority=skill.priority, is_model_specific=False))
        if not diagnostics and all(map(is_, skills, library.skills)):
            return library
        return replace(library, skills=tuple(skills), diagnostics=(*library.diagnostics, *diagnostics))
