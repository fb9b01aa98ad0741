from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

import pytest
from comfyui_assistant.engine.user.skills.library import Skill, SkillLibrary
from comfyui_assistant.engine.user.skills.loader import SkillCache, SkillFolders, load_documents, load_skills

FIXTURES = Path(__file__).parents[2] / "fixtures" / "skills"


@pytest.fixture(scope="module")
def loaded():
    return load_skills(FIXTURES)


@pytest.mark.parametrize(
    ("slug", "name", "description"),
    [
        ("plain", "Plain skill", "Says how plain skills look."),
        ("folded-description", "folded", "One sentence over two lines."),
        ("model-example", "Example model", "A model."),
        ("twice", "first", "First."),
        ("no-front-matter", "no-front-matter", "Use it for portraits."),
        ("no-description", "No description", "Use it for landscapes."),
        ("unquoted-colon", "Colon", "Use it for: portraits"),
        ("empty-body", "Empty", "Nothing below."),
        ("odd-types", "no", "2020-01-01"),
        ("nested-metadata", "Nested", "Has metadata."),
        ("unclosed-front-matter", "Unclosed", "No second line of hyphens."),
    ],
)
def test_a_skill_is_found_even_when_it_is_flawed(loaded, slug, name, description):
    skill = loaded.find(slug)

    assert (skill.slug, skill.name, skill.description) == (slug, name, description)


def test_nothing_else_is_taken_for_a_skill(loaded):
    assert [skill.slug for skill in loaded.skills] == [
        "plain",
        "folded-description",
        "model-example",
        "twice",
        "empty-body",
        "naive",
        "nested-metadata",
        "no-description",
        "no-front-matter",
        "odd-types",
        "unclosed-front-matter",
        "unquoted-colon",
    ]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (
            "skills/05_twice/SKILL.md",
            'Another skill already has the slug "twice" (fixtures/skills/04_twice/SKILL.md).',
        ),
        ("skills/no-front-matter/SKILL.md", "It does not begin with front matter"),
        ("skills/no-description/SKILL.md", "Its front matter has no `description`."),
        ("skills/unquoted-colon/SKILL.md", "not valid YAML in line 3 (mapping values are not allowed here)."),
        ("skills/empty-body/SKILL.md", "There is nothing below the front matter."),
        ("skills/unclosed-front-matter/SKILL.md", "Its front matter does not end."),
        ("skills/not-a-skill", "It holds no SKILL.md."),
    ],
)
def test_what_is_wrong_is_said_with_the_path_and_what_to_do(loaded, path, found):
    [diagnostic] = [one for one in loaded.diagnostics if one.path == f"fixtures/{path}"]

    assert found in diagnostic.problem
    assert diagnostic.action.endswith(".")


def test_sound_skills_give_no_diagnostics(loaded):
    flawed = {diagnostic.path.split("/")[2] for diagnostic in loaded.diagnostics}

    assert not flawed & {
        "01_plain",
        "02_folded-description",
        "03_model_example",
        "odd-types",
        "nested-metadata",
    }


def test_the_front_matter_is_no_part_of_the_content(loaded):
    assert loaded.find("plain").content == "# Plain\n\nText."


def test_a_folder_named_model_marks_a_skill_of_one_model(loaded):
    assert [skill.slug for skill in loaded.skills if skill.is_model_specific] == ["model-example"]


def test_the_priority_comes_from_the_metadata(loaded):
    assert loaded.find("nested-metadata").priority == 20
    assert loaded.find("plain").priority == 50


def test_a_missing_folder_holds_no_skills(tmp_path):
    library = load_skills(tmp_path / "nothing")

    assert (library.skills, library.diagnostics) == ((), ())


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
@pytest.mark.parametrize("linked", ["folder", "file"])
def test_a_link_out_of_the_folder_is_not_followed(tmp_path, linked):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "SKILL.md").write_text(
        "---\nname: s\ndescription: s\n---\nsecret", encoding="utf-8"
    )
    folder = tmp_path / "skills"
    folder.mkdir()
    if linked == "folder":
        (folder / "linked").symlink_to(tmp_path / "secret")
    else:
        (folder / "linked").mkdir()
        (folder / "linked" / "SKILL.md").symlink_to(tmp_path / "secret" / "SKILL.md")
    library = load_skills(folder)

    assert library.skills == ()
    assert library.diagnostics[0].path.endswith("/skills/linked/SKILL.md")
    assert library.diagnostics[0].problem == "It is a link to a place outside its folder."


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_skills_folder_that_is_itself_a_link_is_read(tmp_path):
    (tmp_path / "linked").symlink_to(FIXTURES)

    assert load_skills(tmp_path / "linked").find("plain") is not None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_does_not_hang_the_loader(tmp_path):
    (tmp_path / "skills" / "pipe").mkdir(parents=True)
    os.mkfifo(tmp_path / "skills" / "pipe" / "SKILL.md")
    library = load_skills(tmp_path / "skills")

    assert library.skills == ()
    assert library.diagnostics[0].problem == "It cannot be read (not a regular file)."


@pytest.mark.skipif(os.name == "nt", reason="such names cannot be made on Windows")
def test_a_folder_name_that_is_no_utf8_is_reported_in_printable_text(tmp_path):
    (tmp_path / "skills").mkdir()
    folder = os.path.join(os.fsencode(tmp_path / "skills"), b"bad\xff")
    os.mkdir(folder)
    with open(os.path.join(folder, b"SKILL.md"), "wb") as file:
        file.write(b"Text.")

    library = load_skills(tmp_path / "skills")
    assert library.skills[0].slug == "bad"
    assert library.diagnostics[0].path.endswith("/skills/bad\ufffd/SKILL.md")


def test_a_huge_skill_is_cut_and_says_so(write_skill):
    folder = write_skill("big", "---\nname: big\ndescription: big\n---\n" + "line\n" * 1_000_000)
    library = load_skills(folder)
    [skill] = library.skills

    assert len(skill.content) < 66_000
    assert skill.content.endswith("of its 5,000,035 bytes are not shown.]")
    assert library.diagnostics[0].problem == "It has 5,000,035 bytes; 65,536 are read."


async def test_a_skill_dropped_in_is_found_at_the_next_look(write_skill):
    folder = write_skill("one", "---\nname: One\ndescription: d\n---\nText.")
    source = SkillFolders((folder,))
    before = await source.library()
    write_skill("two", "---\nname: Two\ndescription: d\n---\nText.")

    assert [skill.slug for skill in before.skills] == ["one"]
    assert [skill.slug for skill in (await source.library()).skills] == ["one", "two"]


def test_the_earlier_of_two_folders_wins(tmp_path):
    for place in ("own", "shipped"):
        (tmp_path / place / "skills" / "greeting").mkdir(parents=True)
        text = f"---\nname: Greeting\ndescription: {place}\n---\nText."
        (tmp_path / place / "skills" / "greeting" / "SKILL.md").write_text(text, encoding="utf-8")
    library = SkillFolders((tmp_path / "own" / "skills", tmp_path / "shipped" / "skills")).load()

    assert library.skills == (
        Skill("greeting", "Greeting", "own", "Text.", source="own/skills/greeting/SKILL.md"),
    )
    assert library.diagnostics[0].path == "shipped/skills/greeting/SKILL.md"


@pytest.mark.parametrize("file", ["SKILL.md", "skill.md", "Skill.MD"])
def test_the_file_of_a_skill_is_found_in_any_case(tmp_path, file):
    (tmp_path / "skills" / "neon").mkdir(parents=True)
    (tmp_path / "skills" / "neon" / file).write_text("---\nname: Neon\ndescription: d\n---\nGlow.", "utf-8")
    library = load_skills(tmp_path / "skills")

    assert [skill.slug for skill in library.skills] == ["neon"]
    assert library.diagnostics == ()


def test_a_flat_file_is_a_skill_of_its_name(tmp_path):
    (tmp_path / "05_neon look.md").write_text("---\nname: Neon\ndescription: d\n---\nGlow.", "utf-8")
    (tmp_path / "README.md").write_text("About these.", "utf-8")
    (tmp_path / "LICENSE").write_text("MIT", "utf-8")
    library = load_skills(tmp_path)

    assert [(skill.slug, skill.folder, skill.content) for skill in library.skills] == [
        ("neon-look", "05_neon look", "Glow.")
    ]
    assert library.diagnostics == ()


@pytest.mark.parametrize("asked", ["人像", "人像/", "portrait light", "Portrait-Light"])
def test_a_folder_without_latin_letters_is_found_by_its_name(write_skill, asked):
    folder = write_skill("人像", "---\nname: Portrait light\ndescription: d\n---\nText.")

    assert load_skills(folder).find(asked).slug == "portrait-light"


@pytest.mark.parametrize(
    ("files", "path", "problem", "action"),
    [
        (["a/notes.md"], "a", "It holds no SKILL.md.", "Rename notes.md to SKILL.md."),
        (["a/b/SKILL.md"], "a", "It holds no SKILL.md.", "Move b, which has one, up beside it."),
        (["a/x.png"], "a", "It holds no SKILL.md.", "Add one, or move the folder away."),
        (["neon.skill"], "neon.skill", "It is neither a folder nor a Markdown file.", "A skill is a folder"),
        (["b/SKILL.md", "b/skill.md"], "b/skill.md", "SKILL.md lies beside it.", "Remove one of the two."),
        (["a b.md", "a_b/SKILL.md"], "a_b/SKILL.md", "Another skill already has the slug", "Rename one"),
        (
            ["cafe\u0301.md", "caf\u00e9.md"],
            "caf\u00e9.md",
            "Another skill already has the slug",
            "Rename one",
        ),
    ],
)
def test_what_is_left_out_is_told_with_its_path_and_the_rest_is_read(tmp_path, files, path, problem, action):
    folder = tmp_path / "own" / "skills"
    for file in (*files, "sound.md"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("---\nname: n\ndescription: d\n---\nText.", "utf-8")
    library = load_skills(folder)
    [diagnostic] = library.left_out

    assert diagnostic.path == f"own/skills/{path}"
    assert diagnostic.problem.startswith(problem)
    assert diagnostic.action.startswith(action)
    assert library.find("sound") is not None


@pytest.mark.slow
def test_more_skills_than_are_read_are_told(tmp_path):
    for number in range(1_003):
        (tmp_path / f"skill-{number:04}.md").write_text("---\nname: n\ndescription: d\n---\nText.", "utf-8")
    library = load_skills(tmp_path)

    assert len(library.skills) == 1_000
    assert library.left_out[0].problem.endswith("the first 1,000 are read, up to skill-1000.md.")


def test_a_skill_that_is_removed_while_it_is_read_is_told_and_the_others_are_read(tmp_path, monkeypatch):
    for name in ("gone", "here"):
        (tmp_path / f"{name}.md").write_text("---\nname: n\ndescription: d\n---\nText.", "utf-8")
    folders = SkillFolders((tmp_path,))
    with os.scandir(tmp_path) as entries:
        listed = list(entries)
    (tmp_path / "gone.md").unlink()
    monkeypatch.setattr(os, "scandir", lambda _: contextlib.nullcontext(listed))
    library = folders.load()

    assert [skill.slug for skill in library.skills] == ["here"]
    assert library.left_out[0].problem == "It cannot be read (No such file or directory)."


@pytest.fixture
def write_skill(tmp_path):
    def write(folder: str, text: str) -> Path:
        (tmp_path / "skills" / folder).mkdir(parents=True)
        (tmp_path / "skills" / folder / "SKILL.md").write_text(text, encoding="utf-8")
        return tmp_path / "skills"

    return write


def test_documents_are_read_in_sorted_order_and_named_by_their_headings(tmp_path):
    (tmp_path / "02_second.md").write_text("No heading.", encoding="utf-8")
    (tmp_path / "01_role.md").write_text("# The role\n\nText.", encoding="utf-8")
    (tmp_path / "03_last.MD").write_text("---\nmetadata:\n  priority: 90\n---\n## Last\n", encoding="utf-8")
    (tmp_path / "04_empty.md").write_text("\n \n", encoding="utf-8")
    (tmp_path / ".hidden.md").write_text("hidden", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("notes", encoding="utf-8")
    (tmp_path / "folder.md").mkdir()
    library = load_documents(tmp_path)

    assert [(one.slug, one.name, one.priority) for one in library.documents] == [
        ("role", "The role", 10),
        ("second", "second", 10),
        ("last", "Last", 90),
    ]
    assert library.find("01_role").content == "# The role\n\nText."
    assert (library.skills, library.diagnostics) == ((), ())


def test_a_document_whose_name_gives_no_slug_is_still_read(tmp_path):
    (tmp_path / "規則.md").write_text("Text.", encoding="utf-8")

    assert [one.slug for one in load_documents(tmp_path).documents] == ["document-1"]


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
