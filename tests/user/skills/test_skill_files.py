from __future__ import annotations

import os
from pathlib import Path

import pytest
from comfyui_assistant.engine.user.skills.library import Skill
from comfyui_assistant.engine.user.skills.loader import load_skills
from comfyui_assistant.engine.user.skills.skill_files import (
    MOST_SHOWN,
    format_file_list,
    list_files,
    read_skill_file,
    read_texts,
)
from comfyui_assistant.engine.user.skills.text_file import UnreadableFile


@pytest.fixture
def portraits(tmp_path: Path) -> Skill:
    home = tmp_path / "skills" / "portraits"
    for path, text in {
        "SKILL.md": "---\nname: Portraits\ndescription: d\n---\nSee references/lenses.md.",
        "references/lenses.md": "85 mm.",
        "assets/palette.json": "{}",
        ".git/config": "secret",
        "__x/more.md": "More.",
        "a/b/c/d/e/deep.md": "Deep.",
    }.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, "utf-8")
    (home / "assets" / "face.png").write_bytes(bytes(range(256)))
    (tmp_path / "skills" / "secret.md").write_text("---\nname: s\ndescription: d\n---\nsecret", "utf-8")
    skill = load_skills(tmp_path / "skills").find("portraits")
    assert skill is not None
    return skill


def test_the_files_beside_a_skill_are_listed_without_hidden_ones(portraits: Skill) -> None:
    assert list_files(portraits) == (
        [
            "__x/more.md",
            "a/b/c/d/e/deep.md",
            "assets/face.png",
            "assets/palette.json",
            "references/lenses.md",
        ],
        0,
    )


def test_of_many_files_the_first_are_listed_and_the_others_counted(portraits: Skill) -> None:
    assert portraits.home is not None
    for number in range(60):
        (portraits.home / f"page-{number:02}.md").write_text("Text.", "utf-8")
    files, more = list_files(portraits)
    assert (len(files), more) == (40, 25)
    assert (
        format_file_list(portraits, under="p/") == f"{', '.join(f'p/{path}' for path in files)} and 25 more"
    )


@pytest.mark.parametrize("path", ["references/lenses.md", " ./references/lenses.md", "references\\lenses.md"])
def test_a_file_is_read_by_its_path(portraits: Skill, path: str) -> None:
    assert read_skill_file(portraits, path) == ("85 mm.", [])


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("../secret.md", "It is no file of the skill."),
        ("references/../../secret.md", "It is no file of the skill."),
        ("/etc/passwd", "It is no file of the skill."),
        ("", "It is no file of the skill."),
        (".git/config", "It is no file of the skill."),
        ("a\x00b", "It is no file of the skill."),
        ("references", "It is no file of the skill."),
        ("nothing.md", "It is no file of the skill."),
        ("assets/face.png", "It is no text."),
    ],
)
def test_what_is_no_text_of_the_skill_says_so(portraits: Skill, path: str, problem: str) -> None:
    with pytest.raises(UnreadableFile) as raised:
        read_skill_file(portraits, path)
    assert raised.value.diagnostic.problem == problem


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_out_of_the_skill_is_not_followed(portraits: Skill) -> None:
    assert portraits.home is not None
    (portraits.home / "link.md").symlink_to(portraits.home.parent / "secret.md")
    with pytest.raises(UnreadableFile, match="a link to a place outside"):
        read_skill_file(portraits, "link.md")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_does_not_hang_the_reader(portraits: Skill) -> None:
    assert portraits.home is not None
    os.mkfifo(portraits.home / "pipe.md")
    with pytest.raises(UnreadableFile):
        read_skill_file(portraits, "pipe.md")


def test_a_skill_of_one_file_has_no_others() -> None:
    flat = Skill("flat", "Flat", "", "Text.", "skills/flat.md")
    assert list_files(flat) == ([], 0)
    with pytest.raises(UnreadableFile):
        read_skill_file(flat, "flat.md")


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_no_file_can_be_read_that_is_not_among_those_shown(portraits: Skill) -> None:
    assert portraits.home is not None
    (portraits.home / "link").symlink_to(".git")
    (portraits.home / "inner").symlink_to("references")
    shown = [path for path, _ in read_texts(portraits)]
    assert shown == list_files(portraits, most=MOST_SHOWN)[0]
    for path in ("link/config", "inner/lenses.md", "references/./../.git/config"):
        with pytest.raises(UnreadableFile, match="It is no file of the skill"):
            read_skill_file(portraits, path)


@pytest.mark.skipif(os.name == "nt", reason="names are whole there")
def test_a_file_whose_name_is_no_utf_8_is_read_by_the_name_that_is_told(portraits: Skill) -> None:
    assert portraits.home is not None
    with open(os.path.join(os.fsencode(portraits.home), b"caf\xe9.md"), "w") as file:
        file.write("Espresso.")
    (path,) = [path for path in list_files(portraits)[0] if path.startswith("caf")]
    assert read_skill_file(portraits, path) == ("Espresso.", [])
