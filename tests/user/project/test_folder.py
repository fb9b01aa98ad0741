from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import RequestError, StoreError
from comfyui_assistant.engine.user.project import folder as folder_module
from comfyui_assistant.engine.user.project.folder import MOST_BYTES, MOST_FILES, ProjectFolder

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> ProjectFolder:
    return ProjectFolder(tmp_path / "project")


def put(folder: ProjectFolder, name: str, text: str = "x") -> str:
    return folder.write(name, text.encode(), replace=True).path


def paths(folder: ProjectFolder) -> list[str]:
    return [place.path for place in folder.places()[0]]


def test_files_are_listed_by_their_names_with_the_folders_that_they_lie_in(folder: ProjectFolder) -> None:
    for name in ("style.md", "Notes/b.md", "notes.md", "Notes/a.md"):
        put(folder, name)
    assert paths(folder) == ["Notes/a.md", "Notes/b.md", "notes.md", "style.md"]
    assert [place.name for place in folder.places()[0]] == paths(folder)


def test_files_of_folders_that_were_once_for_a_workflow_stay_where_they_are_and_are_read(
    folder: ProjectFolder,
) -> None:
    deep = "workflows/sub%2Fsky/1/2/3/4/5/6/a.md"
    for path in ("all/style.md", deep):
        (folder.folder / path).parent.mkdir(parents=True)
        (folder.folder / path).write_text("x", "utf-8")
    (folder.folder / ".off.json").write_text('["all/style.md"]', "utf-8")
    assert [(place.path, place.is_on) for place in folder.places()[0]] == [
        ("all/style.md", False),
        (deep, True),
    ]
    assert folder.unread() == []


def test_there_is_nothing_before_something_was_put_into_it(folder: ProjectFolder) -> None:
    assert folder.places() == ([], 0)
    assert not folder.folder.exists()


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        "../a.md",
        "/etc/passwd",
        "a\0b",
        ".hidden",
        "CON.txt",
        "a/../../b",
        "x" * 200,
        "a. ",
        'a"b',
        "a/b/c/d/e/f/g/h/i",
    ],
)
def test_a_name_that_leads_elsewhere_or_that_no_system_takes_is_refused(
    folder: ProjectFolder, name: str
) -> None:
    with pytest.raises(RequestError) as refused:
        put(folder, name)
    assert refused.value.code == "invalid_request"
    assert not folder.folder.exists()


@pytest.mark.parametrize(
    "path",
    ["", "notes", "notes/..", "..", "../settings.json", "/etc/passwd", ".off.json", "notes/none.md"],
)
def test_a_path_that_names_no_project_file_is_unknown(folder: ProjectFolder, path: str) -> None:
    put(folder, "notes/a.md")
    (folder.folder.parent / "settings.json").write_text("{}", "utf-8")
    for act in (folder.place, folder.delete, lambda path: folder.switch(path, is_on=False)):
        with pytest.raises(RequestError) as refused:
            act(path)
        assert refused.value.code == "not_found"


def test_links_hidden_files_and_what_is_no_file_are_not_listed(folder: ProjectFolder, tmp_path: Path) -> None:
    put(folder, "a.md")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    (folder.folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder.folder / "up").symlink_to(tmp_path, target_is_directory=True)
    (folder.folder / ".hidden").write_text("x", "utf-8")
    os.mkfifo(folder.folder / "pipe")
    assert paths(folder) == ["a.md"]
    for path in ("link.txt", "up/secret.txt", "pipe"):
        with pytest.raises(RequestError):
            folder.place(path)


def test_what_lies_there_and_is_not_read_is_named(folder: ProjectFolder, tmp_path: Path) -> None:
    assert folder.unread() == []
    put(folder, "notes/a.md")
    (folder.folder / os.fsdecode(b"caf\xe9.md")).symlink_to(tmp_path / "none")
    (folder.folder / "docs").symlink_to(tmp_path, target_is_directory=True)
    (folder.folder / "1/2/3/4/5/6/7/8/9").mkdir(parents=True)
    (folder.folder / ".hidden").symlink_to(tmp_path)
    os.mkfifo(folder.folder / "notes" / "pipe")
    assert {each.path: each.problem for each in folder.unread()} == {
        "project/caf\N{REPLACEMENT CHARACTER}.md": "It is a link, and links are not followed.",
        "project/notes/pipe": "It is neither a file nor a folder.",
        "project/1/2/3/4/5/6/7/8/9": "It lies more than 8 folders deep.",
        "project/docs": "It is a link, and links are not followed.",
    }


def test_of_many_that_are_not_read_the_first_are_named_and_the_others_counted(folder: ProjectFolder) -> None:
    put(folder, "a.md")
    for number in range(30):
        (folder.folder / f"link{number:02}").symlink_to("none")
    unread = folder.unread()
    assert [each.path for each in unread][19:] == ["project/link19", "project"]
    assert unread[-1].problem == "10 more entries are not read."


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "project").write_text("no folder", "utf-8")
    (problem,) = ProjectFolder(tmp_path / "project").unread()
    assert (problem.path, problem.problem) == ("project", "It cannot be listed (Not a directory).")


def test_an_existing_name_is_replaced_only_where_that_is_asked_for(folder: ProjectFolder) -> None:
    put(folder, "a.md", "one")
    with pytest.raises(RequestError) as refused:
        folder.write("a.md", b"two", replace=False)
    assert (refused.value.code, refused.value.status) == ("already_there", 409)
    before = folder.place("a.md").version
    put(folder, "a.md", "two!")
    assert folder.place("a.md").version != before


def test_a_deleted_file_is_gone_and_a_new_one_of_its_name_is_on(folder: ProjectFolder) -> None:
    path = put(folder, f"{'狐' * 70}/{'狐' * 70}.md", "Fox.")
    folder.switch(path, is_on=False)
    put(folder, path, "changed")
    assert not folder.place(path).is_on
    folder.delete(path)
    assert paths(folder) == []
    put(folder, path)
    assert folder.place(path).is_on


def test_a_file_that_is_off_is_deleted_also_where_that_cannot_be_written_down(
    folder: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = put(folder, "a.md")
    folder.switch(path, is_on=False)
    monkeypatch.setattr(folder_module, "write_whole_file", fail)
    folder.delete(path)
    assert paths(folder) == []


@pytest.mark.slow
def test_two_processes_that_change_files_at_once_lose_nothing(folder: ProjectFolder) -> None:
    program = (
        "import sys, tests.conftest; from pathlib import Path;"
        "from comfyui_assistant.engine.user.project.folder import ProjectFolder\n"
        "folder, who = ProjectFolder(Path(sys.argv[1])), sys.argv[2]\n"
        "for number in range(25):\n"
        "    path = folder.write(f'{who}-{number}.md', who.encode(), replace=False).path\n"
        "    folder.switch(path, is_on=False)\n"
        "    if number % 5 == 0: folder.delete(path)\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(folder.folder), who], cwd=ROOT)
        for who in ("ann", "bob")
    ]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    expected = {f"{who}-{number}.md" for who in ("ann", "bob") for number in range(25) if number % 5}
    places = folder.places()[0]
    assert {place.name for place in places if not place.is_on} == expected == {each.name for each in places}


def test_what_is_too_large_is_refused(folder: ProjectFolder) -> None:
    with pytest.raises(RequestError) as refused:
        folder.write("a.md", b"x" * (MOST_BYTES + 1), replace=False)
    assert refused.value.code == "too_large"
    assert str(folder.folder) in (refused.value.hint or "")


def test_files_beyond_the_most_are_counted(folder: ProjectFolder) -> None:
    folder.folder.mkdir(parents=True)
    for number in range(MOST_FILES + 3):
        (folder.folder / f"{number}.md").write_text("x", "utf-8")
    places, left_out = folder.places()
    assert (len(places), left_out) == (MOST_FILES, 3)


def test_a_folder_that_cannot_be_written_is_told_and_nothing_is_left_half(tmp_path: Path) -> None:
    (tmp_path / "project").write_text("no folder", "utf-8")
    with pytest.raises(StoreError) as refused:
        ProjectFolder(tmp_path / "project").write("a.md", b"x", replace=False)
    assert refused.value.code == "not_saved"
    assert [path.name for path in tmp_path.iterdir()] == ["project"]


def test_a_damaged_list_of_what_is_off_switches_nothing_off(folder: ProjectFolder) -> None:
    path = put(folder, "a.md")
    for damaged in ("{", "[" * 100_000, '{"a": 1}', "[7]"):
        (folder.folder / ".off.json").write_text(damaged, "utf-8")
        assert folder.place(path).is_on
