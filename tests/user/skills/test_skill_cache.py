from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from comfyui_assistant.engine.user.skills.library import SkillLibrary
from comfyui_assistant.engine.user.skills.loader import SkillFolders
from comfyui_assistant.engine.user.skills.skill_cache import SkillCache


def skill(text: str) -> str:
    return f"---\nname: Neon\ndescription: d\n---\n{text}"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A skill that was written long ago, for clocks that only tell what we say."""
    (tmp_path / "neon").mkdir()
    (tmp_path / "neon" / "SKILL.md").write_text(skill("Glow."), "utf-8")
    monkeypatch.setattr(time, "time_ns", lambda: int((time.time() + 60) * 1e9))
    return tmp_path


def test_nothing_is_read_again_while_nothing_changes(own: Path) -> None:
    folders = SkillFolders((own,))
    assert folders.load() is folders.load()


def test_what_was_written_just_now_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "neon.md"
    file.write_text(skill("Glow."), "utf-8")
    looks: list[int] = []

    def read() -> tuple[SkillLibrary, list[str]]:
        looks.append(1)
        return SkillLibrary(), [str(file)]

    cache = SkillCache()
    cache.get(str(file), read)
    cache.get(str(file), read)
    assert len(looks) == 2


@pytest.mark.parametrize("text", ["Shine.", "Other."])
def test_an_edit_is_seen_at_once(own: Path, text: str) -> None:
    folders = SkillFolders((own,))
    folders.load()
    (own / "neon" / "SKILL.md").write_text(skill(text), "utf-8")
    assert folders.load().skills[0].content == text


def test_a_file_put_in_the_place_of_another_is_seen_also_with_its_time_and_size(own: Path) -> None:
    folders = SkillFolders((own,))
    folders.load()
    file, other = own / "neon" / "SKILL.md", own / "neon" / "other"
    other.write_text(skill("Dims."), "utf-8")
    os.utime(other, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns))
    other.replace(file)
    assert folders.load().skills[0].content == "Dims."


def test_what_was_removed_is_gone(own: Path) -> None:
    folders = SkillFolders((own,))
    folders.load()
    (own / "neon" / "SKILL.md").unlink()
    library = folders.load()
    assert library.skills == ()
    assert library.left_out[0].problem == "It holds no SKILL.md."
    (own / "neon").rmdir()
    assert folders.load().diagnostics == ()
