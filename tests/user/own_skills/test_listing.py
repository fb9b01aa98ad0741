from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.user.own_skills.listing import Everything
from comfyui_assistant.engine.user.skills.loader import SkillFolders

from .shelves import new_shelf, skill_text

TEXT = skill_text()


@pytest.fixture
def everything(tmp_path: Path) -> Everything:
    for place in ("package/neon", "package/warm", "system/neon", "system/cold"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "SKILL.md").write_text(TEXT, "utf-8")
    shelf = new_shelf(tmp_path / "data")
    shelf.take_in("neon", {PurePosixPath("SKILL.md"): TEXT.encode()}, "neon.zip")
    shelf.create("warm", TEXT)
    shelf.states.switch("warm", is_on=False)
    users = SkillFolders((shelf.folder, tmp_path / "package"), sift=shelf.states.sift)
    return Everything(shelf, users, SkillFolders((tmp_path / "system",)))


def test_all_are_listed_with_what_holds_of_them(everything: Everything) -> None:
    assert [
        (each.skill.slug, each.place, each.state, each.origin, each.is_used) for each in everything.listed()
    ] == [
        ("neon", "elsewhere", "new", "neon.zip", False),
        ("warm", "own", "off", "", False),
        ("neon", "package", "on", "", True),
        ("warm", "package", "off", "", False),
        ("cold", "built-in", "on", "", True),
        ("neon", "built-in", "on", "", False),
    ]


def test_a_skill_is_read_with_the_file_that_it_has(everything: Everything) -> None:
    assert everything.read("neon")["contents"]
    assert everything.read("cold")["text"] == TEXT
    with pytest.raises(RequestError) as refused:
        everything.read("none")
    assert refused.value.code == "not_found"


def test_a_long_file_of_the_package_is_shown_as_far_as_it_is_read(everything: Everything) -> None:
    cold = everything.find("cold").skill.path
    assert cold is not None
    cold.write_text(f"{TEXT}{'A line of it.' * 3}\n" + "One more line.\n" * 100_000, "utf-8")
    shown = everything.read("cold")["text"]
    assert shown.startswith(TEXT)
    assert len(shown) < 70_000
