from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.user.own_skills.import_record import hash_contents
from comfyui_assistant.engine.user.own_skills.skill_store import SkillStore
from comfyui_assistant.engine.user.own_skills.states import State

from ...small_disk import ROOT, disk, on_a_small_disk
from .stores import files_under, new_store, skill_text

__all__ = ["disk"]

FIRST, SECOND = skill_text(), skill_text(body="Use cyan.")


def test_a_skill_is_written_changed_and_deleted_and_each_is_undone(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    created = store.create("neon", FIRST)
    assert files_under(tmp_path) == {"neon/SKILL.md": FIRST}
    changed = store.write("neon", SECOND, created.version)
    assert files_under(tmp_path) == {"neon/SKILL.md": SECOND}
    (tmp_path / "skills" / "neon" / "notes.md").write_text("Notes.", "utf-8")
    deleted = store.delete("neon", changed.version)
    assert files_under(tmp_path) == {}

    restored = new_store(tmp_path).undo(deleted.id)
    assert restored.what == "created"
    assert files_under(tmp_path) == {"neon/SKILL.md": SECOND, "neon/notes.md": "Notes."}
    again = store.undo(restored.id)
    assert (again.what, files_under(tmp_path)) == ("deleted", {})
    assert [change.id for change in store.history.newest()] == [again.id]


def test_the_last_change_is_undone_once_and_done_again_and_those_before_are_not_kept(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    created = store.create("neon", FIRST)
    changed = store.write("neon", SECOND, created.version)
    undone = store.undo(changed.id)
    assert files_under(tmp_path) == {"neon/SKILL.md": FIRST}
    store.undo(undone.id)
    assert files_under(tmp_path) == {"neon/SKILL.md": SECOND}
    for gone in (created, changed, undone):
        with pytest.raises(RequestError) as refused:
            store.undo(gone.id)
        assert refused.value.code == "not_found"


@pytest.mark.parametrize("path", ["neon.md", "07_Neon/skill.md"])
def test_a_file_that_the_person_put_there_is_changed_where_it_is(tmp_path: Path, path: str) -> None:
    file = tmp_path / "skills" / path
    file.parent.mkdir(parents=True)
    file.write_bytes(FIRST.replace("\n", "\r\n").encode())
    store = new_store(tmp_path)
    written = store.read("neon")
    assert written.text == FIRST
    change = store.write("neon", SECOND, written.version)
    assert files_under(tmp_path) == {path: SECOND}
    store.delete("neon", change.version)
    assert files_under(tmp_path) == {}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"Glows without any front matter.", id="one with flaws"),
        pytest.param(FIRST.encode("utf-16"), id="UTF-16 of a Windows editor"),
        pytest.param(FIRST.encode() + b"caf\xe9", id="bytes that are no text"),
        pytest.param(FIRST.replace("\n", "\r\n").encode(), id="line ends of Windows"),
    ],
)
def test_a_file_is_put_back_to_the_byte(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "skills" / "neon" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    store = new_store(tmp_path)
    changed = store.write("neon", SECOND, store.read("neon").version)
    undone = store.undo(changed.id)
    assert file.read_bytes() == content
    store.undo(undone.id)
    assert file.read_text("utf-8") == SECOND


def test_a_file_of_a_windows_editor_is_shown_as_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "skills" / "neon" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_bytes(FIRST.encode("utf-16"))
    assert new_store(tmp_path).read("neon").text == FIRST


def test_what_was_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    created = store.create("neon", FIRST)
    (tmp_path / "skills" / "neon" / "SKILL.md").write_text(SECOND, "utf-8")
    for change in (
        lambda: store.write("neon", FIRST, created.version),
        lambda: store.delete("neon", created.version),
        lambda: store.undo(created.id),
    ):
        with pytest.raises(RequestError) as refused:
            change()
        assert refused.value.code == "changed_meanwhile"
    assert files_under(tmp_path) == {"neon/SKILL.md": SECOND}


def test_a_deleted_skill_does_not_come_back_over_another(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    deleted = store.delete("neon", store.create("neon", FIRST).version)
    (tmp_path / "skills" / "neon").mkdir()
    (tmp_path / "skills" / "neon" / "SKILL.md").write_text(SECOND, "utf-8")
    with pytest.raises(RequestError) as refused:
        store.undo(deleted.id)
    assert refused.value.code == "already_there"
    assert files_under(tmp_path) == {"neon/SKILL.md": SECOND}


@pytest.mark.parametrize("change", ["", "none", "../../etc", "99", "²"])
def test_what_was_no_change_cannot_be_undone(tmp_path: Path, change: str) -> None:
    with pytest.raises(RequestError) as refused:
        new_store(tmp_path).undo(change)
    assert refused.value.code == "not_found"


@pytest.mark.parametrize("slug", ["", "..", "../x", "a/b", "a\\b", "Neon", "con", "-a", "a\0", "é", "a" * 64])
def test_a_slug_means_one_folder_on_every_system(tmp_path: Path, slug: str) -> None:
    with pytest.raises(RequestError) as refused:
        new_store(tmp_path).create(slug, FIRST)
    assert refused.value.code == "invalid_request"
    assert not (tmp_path / "skills").exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("Use magenta.", "invalid_request", id="no front matter"),
        pytest.param("---\nname: [\n---\nx", "invalid_request", id="broken front matter"),
        pytest.param("---\na: &a [x]\nb: [*a, *a]\n---\nx", "invalid_request", id="aliases"),
        pytest.param("---\nname: a\n---\nx", "invalid_request", id="no description"),
        pytest.param("---\nname: a\ndescription: b\n---\n", "invalid_request", id="no text"),
        pytest.param(skill_text(body="x" * 10_000_000), "too_large", id="10 MB"),
    ],
)
def test_what_would_be_read_with_flaws_is_not_written(tmp_path: Path, text: str, code: str) -> None:
    store = new_store(tmp_path)
    with pytest.raises(RequestError) as refused:
        store.create("neon", text)
    assert refused.value.code == code
    assert not (tmp_path / "skills").exists()
    created = store.create("neon", FIRST)
    with pytest.raises(RequestError) as refused:
        store.write("neon", text, created.version)
    assert refused.value.code == code
    assert files_under(tmp_path) == {"neon/SKILL.md": FIRST}


@pytest.mark.parametrize("twin", ["neon", "03_neon", "Neon.md"])
def test_a_second_skill_of_a_name_is_refused(tmp_path: Path, twin: str) -> None:
    place = tmp_path / "skills" / twin
    file = place if twin.endswith(".md") else place / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(FIRST, "utf-8")
    with pytest.raises(RequestError) as refused:
        new_store(tmp_path).create("neon", SECOND)
    assert refused.value.code == "already_there"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("linked", ["folder", "file"])
def test_a_link_is_not_written_through(tmp_path: Path, linked: str) -> None:
    skills = tmp_path / "skills"
    real = skills / "real"
    real.mkdir(parents=True)
    (real / "SKILL.md").write_text(FIRST, "utf-8")
    if linked == "folder":
        (skills / "a-link").symlink_to(real)
    else:
        (skills / "a-link").mkdir()
        (skills / "a-link" / "SKILL.md").symlink_to(real / "SKILL.md")
    with pytest.raises(RequestError) as refused:
        new_store(tmp_path).write("a-link", SECOND, "")
    assert refused.value.code == "not_own_skill"
    assert (real / "SKILL.md").read_text("utf-8") == FIRST


@pytest.mark.skipif(os.name == "nt", reason="there are none")
def test_a_pipe_is_no_skill_and_in_the_way_of_none(tmp_path: Path) -> None:
    (tmp_path / "skills" / "pipe").mkdir(parents=True)
    os.mkfifo(tmp_path / "skills" / "pipe" / "SKILL.md")
    store = new_store(tmp_path)
    for change in (lambda: store.read("pipe"), lambda: store.delete("pipe", "")):
        with pytest.raises(RequestError) as refused:
            change()
        assert refused.value.code == "not_own_skill"
    with pytest.raises(RequestError) as refused:
        store.create("pipe", FIRST)
    assert refused.value.code == "already_there"


def test_two_who_write_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each of eight adds its line to what it has read, over and over until it is taken."""
    version = new_store(tmp_path).create("neon", FIRST).version
    assert version

    def is_added(line: str) -> bool:
        store = new_store(tmp_path)
        written = store.read("neon")
        try:
            store.write("neon", written.text + line + "\n", written.version)
        except RequestError as error:
            return error.code != "changed_meanwhile"
        return True

    def add(line: str) -> None:
        while not is_added(line):
            pass

    lines = [f"Line {number}." for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, lines))
    text = files_under(tmp_path)["neon/SKILL.md"]
    assert all(line in text for line in lines)


@pytest.mark.slow
def test_of_two_processes_that_create_one_skill_one_is_told(tmp_path: Path) -> None:
    program = (
        "import sys, tests.conftest; from pathlib import Path;"
        "from tests.user.own_skills.stores import *;"
        "from comfyui_assistant.engine.base.errors import RequestError\n"
        "try: new_store(Path(sys.argv[1])).create('neon', skill_text()); print('created')\n"
        "except RequestError as error: print(error.code)"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)]
    said = sorted(process.communicate(timeout=60)[0].strip() for process in running)
    assert said == ["already_there", "created"]
    assert files_under(tmp_path) == {"neon/SKILL.md": FIRST}


@pytest.mark.slow
@pytest.mark.parametrize(("how", "code"), [("full", "disk_full"), ("read-only", "not_saved")])
def test_a_disk_that_takes_nothing_leaves_all_as_it_was(disk: Path, how: str, code: str) -> None:
    program = "import tests.conftest; from tests.user.own_skills.bad_disk import main; main()"
    run = on_a_small_disk(disk, 1, sys.executable, "-c", program, str(disk), how)
    assert run.returncode == 0, run.stderr
    files = {"neon/SKILL.md": FIRST}
    assert json.loads(run.stdout) == {"refused": [code] * 4, "files": files}


def test_a_skill_from_elsewhere_stays_accepted_whoever_edits_it_here(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    change = store.import_skill("neon", {PurePosixPath("SKILL.md"): FIRST.encode()}, "neon.zip")
    home = tmp_path / "skills" / "neon"
    assert _state(store) == "new"
    with pytest.raises(RequestError) as refused:
        store.accept("neon", "something else")
    assert (refused.value.code, _state(store)) == ("changed_meanwhile", "new")
    store.accept("neon", hash_contents(home))
    assert _state(store) == "on"
    store.write("neon", SECOND, change.version)
    (home / "more.md").write_text("Obey.", "utf-8")
    assert _state(store) == "on"


def test_what_is_written_before_it_was_accepted_accepts_nothing(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    change = store.import_skill("neon", {PurePosixPath("SKILL.md"): FIRST.encode()}, "neon.zip")
    shown = hash_contents(tmp_path / "skills" / "neon")
    store.write("neon", SECOND, change.version)
    with pytest.raises(RequestError) as refused:
        store.accept("neon", shown)
    assert (refused.value.code, _state(store)) == ("changed_meanwhile", "new")


def test_another_import_in_its_place_waits_to_be_accepted_again(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    files = {PurePosixPath("SKILL.md"): FIRST.encode()}
    store.import_skill("neon", files, "neon.zip")
    store.accept("neon", hash_contents(tmp_path / "skills" / "neon"))
    with pytest.raises(RequestError) as refused:
        store.import_skill("neon", {PurePosixPath("SKILL.md"): SECOND.encode()}, "other.zip")
    assert (refused.value.code, _state(store)) == ("already_there", "on")
    store.delete("neon", store.read("neon").version)
    other = store.import_skill("neon", {PurePosixPath("SKILL.md"): SECOND.encode()}, "other.zip")
    assert _state(store) == "new"
    store.delete("neon", other.version)
    store.import_skill("neon", files, "neon.zip")
    assert _state(store) == "new"


def test_exactly_what_was_accepted_stays_so_where_it_comes_back(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    files = {PurePosixPath("SKILL.md"): FIRST.encode()}
    store.import_skill("neon", files, "neon.zip")
    store.accept("neon", hash_contents(tmp_path / "skills" / "neon"))
    deleted = store.delete("neon", store.read("neon").version)
    store.undo(deleted.id)
    assert _state(store) == "on"
    store.delete("neon", store.read("neon").version)
    store.import_skill("neon", files, "neon.zip")
    assert _state(store) == "on"


def _state(store: SkillStore) -> State:
    return store.states.state(store.read("neon").skill)
