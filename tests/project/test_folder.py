from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from comfyui_assistant.engine.errors import RequestError, StoreError
from comfyui_assistant.engine.project.folder import MOST_BYTES, MOST_FILES, ProjectFolder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> ProjectFolder:
    return ProjectFolder(tmp_path / "project")


def put(folder: ProjectFolder, name: str, text: str = "x", workflow: str = "") -> str:
    scope = "workflow" if workflow else "all"
    return folder.write(scope, workflow, name, text.encode(), replace=True).path


def paths(folder: ProjectFolder, workflow: str = "") -> list[str]:
    return [place.path for place in folder.places(workflow)[0]]


def test_files_of_the_workflow_come_before_those_of_all_and_those_of_others_not(
    folder: ProjectFolder,
) -> None:
    put(folder, "style.md")
    put(folder, "notes/a.md", workflow="workflows/sky.json")
    put(folder, "b.md", workflow="workflows/sub/sky.json")
    assert paths(folder, "workflows/sky.json") == ["workflows/sky/notes/a.md", "all/style.md"]
    assert paths(folder, "workflows/sub/sky.json") == ["workflows/sub%2Fsky/b.md", "all/style.md"]
    assert paths(folder) == ["all/style.md"]
    assert [place.name for place in folder.places("workflows/sky.json")[0]] == ["notes/a.md", "style.md"]


@pytest.mark.parametrize(
    "workflow", ["../evil.json", "...json", ".hidden.json", "a/../../b.json", "größe 2.json", "a:b?.json"]
)
def test_each_workflow_has_a_folder_of_its_own_whatever_it_is_called(
    folder: ProjectFolder, workflow: str
) -> None:
    path = put(folder, "a.md", workflow=workflow)
    assert paths(folder, workflow) == [path]
    assert folder.place(path).file.resolve().is_relative_to(folder.folder / "workflows")


def test_there_is_nothing_before_something_was_put_into_it(folder: ProjectFolder) -> None:
    assert folder.places("a.json") == ([], 0)
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
        "a/b/c/d/e/f/g",
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
    ["", "all", "all/..", "../all/a.md", "all/.off.json", "settings.json", "workflows/a", "all/none.md"],
)
def test_a_path_that_names_no_project_file_is_unknown(folder: ProjectFolder, path: str) -> None:
    put(folder, "a.md")
    for act in (folder.place, folder.delete, folder.restore, lambda path: folder.switch(path, is_on=False)):
        with pytest.raises(RequestError) as refused:
            act(path)
        assert refused.value.code == "not_found"


def test_links_hidden_files_and_what_is_no_file_are_not_listed(folder: ProjectFolder, tmp_path: Path) -> None:
    put(folder, "a.md")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    home = folder.folder / "all"
    (home / "link.txt").symlink_to(tmp_path / "secret.txt")
    (home / "up").symlink_to(tmp_path, target_is_directory=True)
    (home / ".hidden").write_text("x", "utf-8")
    os.mkfifo(home / "pipe")
    assert paths(folder) == ["all/a.md"]
    for path in ("all/link.txt", "all/up/secret.txt", "all/pipe"):
        with pytest.raises(RequestError):
            folder.place(path)


def test_what_lies_there_and_is_not_read_is_named(folder: ProjectFolder, tmp_path: Path) -> None:
    assert folder.unread("") == []
    put(folder, "a.md")
    put(folder, "b.md", workflow="sky.json")
    home = folder.folder / "all"
    (home / "link.md").symlink_to(tmp_path / "none")
    (home / "docs").symlink_to(tmp_path, target_is_directory=True)
    (home / "1/2/3/4/5/6/7").mkdir(parents=True)
    (home / ".hidden").symlink_to(tmp_path)
    os.mkfifo(folder.folder / "workflows" / "sky" / "pipe")
    (folder.folder / os.fsdecode(b"caf\xe9.md")).write_text("lost", "utf-8")
    told = {each.path: each.problem for each in folder.unread("sky.json")}
    assert told == {
        "project/caf\N{REPLACEMENT CHARACTER}.md": "It lies beside the folders of project files.",
        "project/workflows/sky/pipe": "It is neither a file nor a folder.",
        "project/all/1/2/3/4/5/6/7": "It lies more than 6 folders deep.",
        "project/all/docs": "It is a link, and links are not followed.",
        "project/all/link.md": "It is a link, and links are not followed.",
    }
    assert "project/workflows/sky/pipe" not in {each.path for each in folder.unread("")}


def test_of_many_that_are_not_read_the_first_are_named_and_the_others_counted(folder: ProjectFolder) -> None:
    put(folder, "a.md")
    for number in range(30):
        (folder.folder / "all" / f"link{number:02}").symlink_to("none")
    unread = folder.unread("")
    assert [each.path for each in unread][19:] == ["project/all/link19", "project"]
    assert unread[-1].problem == "10 more entries are not read."


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "project").write_text("no folder", "utf-8")
    (told,) = ProjectFolder(tmp_path / "project").unread("")
    assert (told.path, told.problem) == ("project", "It cannot be listed (Not a directory).")


def test_an_existing_name_is_replaced_only_where_that_is_asked_for(folder: ProjectFolder) -> None:
    put(folder, "a.md", "one")
    with pytest.raises(RequestError) as refused:
        folder.write("all", "", "a.md", b"two", replace=False)
    assert (refused.value.code, refused.value.status) == ("already_there", 409)
    before = folder.place("all/a.md").version
    put(folder, "a.md", "two!")
    assert folder.place("all/a.md").version != before


def test_what_is_deleted_can_be_brought_back_the_newest_first(folder: ProjectFolder) -> None:
    path = put(folder, "a.md", "one")
    folder.delete(path)
    put(folder, "a.md", "two")
    with pytest.raises(RequestError) as refused:
        folder.restore(path)
    assert refused.value.code == "already_there"
    folder.delete(path)
    assert paths(folder) == []
    assert folder.restore(path).file.read_text("utf-8") == "two"


def test_a_name_of_many_letters_of_any_language_can_be_deleted_and_brought_back(
    folder: ProjectFolder,
) -> None:
    name = f"{'狐' * 70}/{'狐' * 70}.md"
    path = put(folder, name, "Fox.")
    folder.delete(path)
    assert folder.restore(path).name == name


def test_only_the_newest_of_what_was_deleted_is_kept(folder: ProjectFolder) -> None:
    for number in range(53):
        folder.delete(put(folder, f"notes/{number}.md"))
    with pytest.raises(RequestError):
        folder.restore("all/notes/2.md")
    assert folder.restore("all/notes/3.md").name == "notes/3.md"


def test_a_new_file_is_on_though_one_of_its_name_was_switched_off_and_deleted(folder: ProjectFolder) -> None:
    path = put(folder, "a.md")
    folder.switch(path, is_on=False)
    put(folder, "a.md", "changed")
    assert not folder.place(path).is_on
    folder.delete(path)
    put(folder, "a.md")
    assert folder.place(path).is_on


def test_two_processes_that_change_files_at_once_lose_nothing(folder: ProjectFolder) -> None:
    program = (
        "import sys, tests.conftest; from pathlib import Path;"
        "from comfyui_assistant.engine.project.folder import ProjectFolder\n"
        "folder, who = ProjectFolder(Path(sys.argv[1])), sys.argv[2]\n"
        "for number in range(25):\n"
        "    path = folder.write('all', '', f'{who}-{number}.md', who.encode(), replace=False).path\n"
        "    folder.switch(path, is_on=False)\n"
        "    if number % 5 == 0: folder.delete(path)\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(folder.folder), who], cwd=ROOT)
        for who in ("ann", "bob")
    ]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    there = {f"{who}-{number}.md" for who in ("ann", "bob") for number in range(25) if number % 5}
    places = folder.places("")[0]
    assert {place.name for place in places if not place.is_on} == there
    assert all(folder.restore(f"all/{who}-{number}.md") for who in ("ann", "bob") for number in (0, 20))


def test_a_file_that_is_switched_off_stays_so_where_it_is_moved(folder: ProjectFolder) -> None:
    path = put(folder, "a.md")
    assert not folder.switch(path, is_on=False).is_on
    moved = folder.move(path, "workflow", "workflows/sky.json")
    assert (moved.path, moved.is_on) == ("workflows/sky/a.md", False)
    assert folder.switch(moved.path, is_on=True).is_on
    assert folder.move(moved.path, "workflow", "workflows/sky.json").path == moved.path
    put(folder, "a.md")
    with pytest.raises(RequestError) as refused:
        folder.move(moved.path, "all", "")
    assert refused.value.code == "already_there"


def test_what_is_too_large_or_belongs_to_no_saved_workflow_is_refused(folder: ProjectFolder) -> None:
    for scope, content, code in (
        ("all", b"x" * (MOST_BYTES + 1), "too_large"),
        ("workflow", b"x", "invalid_request"),
    ):
        with pytest.raises(RequestError) as refused:
            folder.write(scope, "", "a.md", content, replace=False)  # pyright: ignore[reportArgumentType]
        assert refused.value.code == code


def test_a_workflow_that_is_renamed_keeps_its_files_and_what_is_off(folder: ProjectFolder) -> None:
    old, new = "workflows/sky.json", "workflows/sub/sea.json"
    folder.switch(put(folder, "notes/a.md", workflow=old), is_on=False)
    put(folder, "b.md", "old", workflow=old)
    put(folder, "b.md", "new", workflow=new)
    put(folder, "c.md", workflow=old)
    assert folder.rename_workflow(old, new) == 2
    there = {place.name: place for place in folder.places(new)[0]}
    assert sorted(there) == ["b.md", "c.md", "notes/a.md"]
    assert there["b.md"].file.read_text("utf-8") == "new"
    assert [name for name, place in there.items() if not place.is_on] == ["notes/a.md"]
    assert [place.name for place in folder.places(old)[0]] == ["b.md"]
    assert folder.rename_workflow("workflows/none.json", new) == 0
    assert folder.rename_workflow(new, "") == 0


def test_files_beyond_the_most_are_counted(folder: ProjectFolder) -> None:
    home = folder.folder / "all"
    home.mkdir(parents=True)
    for number in range(MOST_FILES + 3):
        (home / f"{number}.md").write_text("x", "utf-8")
    places, left_out = folder.places("")
    assert (len(places), left_out) == (MOST_FILES, 3)


def test_a_folder_that_cannot_be_written_is_told_and_nothing_is_left_half(tmp_path: Path) -> None:
    (tmp_path / "project").write_text("no folder", "utf-8")
    with pytest.raises(StoreError) as refused:
        ProjectFolder(tmp_path / "project").write("all", "", "a.md", b"x", replace=False)
    assert refused.value.code == "not_saved"
    assert [path.name for path in tmp_path.iterdir()] == ["project"]


def test_a_damaged_list_of_what_is_off_switches_nothing_off(folder: ProjectFolder) -> None:
    path = put(folder, "a.md")
    for damaged in ("{", "[" * 100_000, '{"a": 1}', "[7]"):
        (folder.folder / ".off.json").write_text(damaged, "utf-8")
        assert folder.place(path).is_on
