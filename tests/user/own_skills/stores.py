"""Shelves on folders of a test's own."""

from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.base.errors import AssistantError
from comfyui_assistant.engine.user.own_skills.skill_store import SkillStore
from comfyui_assistant.engine.user.own_skills.states import SkillStates


def skill_text(name: str = "Neon", body: str = "Use magenta.") -> str:
    return f"---\nname: {name}\ndescription: Glows at night.\n---\n{body}\n"


def new_store(data: Path) -> SkillStore:
    """As another process would have it: it remembers nothing."""
    return SkillStore(data, SkillStates(data))


def code_of(error: Exception) -> str:
    assert isinstance(error, AssistantError)
    return error.code


def files_under(data: Path) -> dict[str, str]:
    """What lies in the folder of skills, hidden files too."""
    root = data / "skills"
    return {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
