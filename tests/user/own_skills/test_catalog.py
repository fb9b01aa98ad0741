from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.user.own_skills.catalog import SkillCatalog
from comfyui_assistant.engine.user.skills.loader import SkillFolders

from .stores import new_store, skill_text

TEXT = skill_text()


@pytest.fixture
def catalog(tmp_path: Path) -> SkillCatalog:
    for place in ("package/neon", "package/warm", "system/neon", "system/cold"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "SKILL.md").write_text(TEXT, "utf-8")
    store = new_store(tmp_path / "data")
    store.import_skill("neon", {PurePosixPath("SKILL.md"): TEXT.encode()}, "neon.zip")
    store.create("warm", TEXT)
    store.states.switch("warm", is_on=False)
    users = SkillFolders((store.folder, tmp_path / "package"), filter_skills=store.states.filter_active)
    return SkillCatalog(store, users, SkillFolders((tmp_path / "system",)))


def test_all_are_listed_with_what_holds_of_them(catalog: SkillCatalog) -> None:
    assert [
        (each.skill.slug, each.place, each.state, each.origin, each.is_used) for each in catalog.entries()
    ] == [
        ("neon", "elsewhere", "new", "neon.zip", False),
        ("warm", "own", "off", "", False),
        ("neon", "package", "on", "", True),
        ("warm", "package", "off", "", False),
        ("cold", "built-in", "on", "", True),
        ("neon", "built-in", "on", "", False),
    ]


def test_a_skill_is_read_with_the_file_that_it_has(catalog: SkillCatalog) -> None:
    assert catalog.read("neon")["contents"]
    assert catalog.read("cold")["text"] == TEXT
    with pytest.raises(RequestError) as refused:
        catalog.read("none")
    assert refused.value.code == "not_found"


def test_a_long_file_of_the_package_is_shown_as_far_as_it_is_read(catalog: SkillCatalog) -> None:
    cold = catalog.find("cold").skill.path
    assert cold is not None
    cold.write_text(f"{TEXT}{'A line of it.' * 3}\n" + "One more line.\n" * 100_000, "utf-8")
    shown = catalog.read("cold")["text"]
    assert shown.startswith(TEXT)
    assert len(shown) < 70_000
