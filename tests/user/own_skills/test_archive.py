from __future__ import annotations

import io
import os
import stat
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.user.own_skills.archive import (
    MOST_BYTES,
    MOST_FILES,
    PostedFile,
    collect_files,
    pack,
    safe_path,
    split_skills,
    unpack_zip,
)
from comfyui_assistant.engine.user.skills.loader import load_skills

from .stores import new_store, skill_text

TEXT = skill_text().encode()


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return content.getvalue()


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def encrypted() -> bytes:
    content = bytearray(zipped(("a/SKILL.md", TEXT)))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def nested_bomb() -> bytes:
    """Half a gigabyte in half a megabyte."""
    return zipped(("a/SKILL.md", TEXT), ("a/zeros.txt", bytes(500_000_000)))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(b"", "invalid_request", id="nothing"),
        pytest.param(b"PK\x05\x06 not really", "invalid_request", id="no zip"),
        pytest.param(zipped(("a/SKILL.md", TEXT))[:-30], "invalid_request", id="cut"),
        pytest.param(zipped(("../SKILL.md", TEXT)), "invalid_request", id="a path that leads up"),
        pytest.param(zipped(("/etc/SKILL.md", TEXT)), "invalid_request", id="an absolute path"),
        pytest.param(zipped(("C:/SKILL.md", TEXT)), "invalid_request", id="a drive"),
        pytest.param(zipped(("a/b/c/d/e/f/SKILL.md", TEXT)), "invalid_request", id="too deep"),
        pytest.param(zipped((link("a/SKILL.md"), b"/etc/passwd")), "invalid_request", id="a link"),
        pytest.param(zipped(("a/X.md", TEXT), ("A/x.md", TEXT)), "invalid_request", id="twins"),
        pytest.param(
            zipped(("a/b", TEXT), ("a/b/SKILL.md", TEXT)), "invalid_request", id="a file and a folder"
        ),
        pytest.param(zipped(("a/SKILL.md", TEXT), method=zipfile.ZIP_LZMA), "invalid_request", id="a method"),
        pytest.param(encrypted(), "invalid_request", id="encrypted"),
        pytest.param(
            zipped(*((f"a/{number}.md", b"") for number in range(MOST_FILES + 1))),
            "too_large",
            id="too many files",
        ),
        pytest.param(nested_bomb(), "too_large", id="a bomb"),
    ],
)
def test_a_zip_beyond_the_limits_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(RequestError) as refused:
        unpack_zip(content)
    assert refused.value.code == code


def test_a_size_that_a_zip_tells_is_not_believed() -> None:
    content = zipped(("a/SKILL.md", bytes(MOST_BYTES + 1)))
    lie = content.replace((MOST_BYTES + 1).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(RequestError):
        unpack_zip(lie)


def test_files_that_came_as_they_are_have_the_same_limits() -> None:
    with pytest.raises(RequestError) as refused:
        collect_files([("a.md", PostedFile(bytes(MOST_BYTES))), ("b.md", PostedFile(b"x"))])
    assert refused.value.code == "too_large"


def test_hidden_files_belong_to_no_skill() -> None:
    content = zipped(("n/SKILL.md", TEXT), ("n/.from-elsewhere.json", b"{}"), ("__MACOSX/n/x", b""))
    assert unpack_zip(content) == {PurePosixPath("n/SKILL.md"): TEXT}


@pytest.mark.parametrize("name", ["CON.md", "a/nul", "aux/b.md", "lpt1.notes.md"])
def test_names_of_windows_devices_are_refused(name: str) -> None:
    with pytest.raises(RequestError, match="is no path that is taken"):
        safe_path(name)


@pytest.mark.parametrize("name", ["a/", "./a", "a//b", "ab/c.md", "console.md", "a/com.md"])
def test_a_plain_path_is_taken(name: str) -> None:
    assert safe_path(name) == PurePosixPath(name)


@pytest.mark.parametrize(
    ("files", "skills", "left_out"),
    [
        (["SKILL.md", "notes.md"], {"": ["SKILL.md", "notes.md"]}, ()),
        (["neon/skill.md", "neon/a/b.md", "README.md"], {"neon": ["a/b.md", "skill.md"]}, ("README.md",)),
        (["x/one/SKILL.md", "x/two/SKILL.md"], {"one": ["SKILL.md"], "two": ["SKILL.md"]}, ()),
        (["one/SKILL.md", "one/in/SKILL.md"], {"one": ["SKILL.md", "in/SKILL.md"]}, ()),
        (["warm.md"], {"warm": ["SKILL.md"]}, ()),
    ],
)
def test_each_folder_with_a_skill_file_is_one_skill(
    files: list[str], skills: dict[str, list[str]], left_out: tuple[str, ...]
) -> None:
    bundle = split_skills({PurePosixPath(name): TEXT for name in files})
    assert {name: sorted(map(str, found)) for name, found in bundle.skills.items()} == {
        name: sorted(found) for name, found in skills.items()
    }
    assert bundle.left_out == left_out


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ([], "invalid_request"),
        (["a.txt"], "invalid_request"),
        (["a.md", "b.md"], "invalid_request"),
        (["x/neon/SKILL.md", "y/neon/SKILL.md"], "invalid_request"),
        ([f"{number}/SKILL.md" for number in range(21)], "too_large"),
    ],
)
def test_what_holds_no_skill_or_too_many_is_refused(files: list[str], code: str) -> None:
    with pytest.raises(RequestError) as refused:
        split_skills({PurePosixPath(name): TEXT for name in files})
    assert refused.value.code == code


def test_a_skill_that_was_packed_can_be_taken_in_again(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    store.import_skill("neon", {PurePosixPath("SKILL.md"): TEXT, PurePosixPath("a/b.md"): b"B"}, "x.zip")
    [skill] = load_skills(tmp_path / "skills").skills
    assert split_skills(unpack_zip(pack(skill))).skills == {
        "neon": {PurePosixPath("SKILL.md"): TEXT, PurePosixPath("a/b.md"): b"B"}
    }


def test_a_file_whose_name_is_no_utf_8_is_packed_all_the_same(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    store.import_skill("neon", {PurePosixPath("SKILL.md"): TEXT}, "x.zip")
    (tmp_path / "skills" / "neon" / os.fsdecode(b"caf\xe9.md")).write_bytes(b"B")
    [skill] = load_skills(tmp_path / "skills").skills
    packed = split_skills(unpack_zip(pack(skill))).skills["neon"]
    assert packed[PurePosixPath("caf\N{REPLACEMENT CHARACTER}.md")] == b"B"


def test_a_huge_file_beside_a_skill_is_not_read_to_be_refused(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    store.import_skill("neon", {PurePosixPath("SKILL.md"): TEXT}, "x.zip")
    with open(tmp_path / "skills" / "neon" / "model.safetensors", "wb") as file:
        file.truncate(60_000_000)
    [skill] = load_skills(tmp_path / "skills").skills
    with pytest.raises(RequestError) as refused:
        pack(skill)
    assert refused.value.code == "too_large"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_skill_of_one_file_that_is_a_link_is_packed(tmp_path: Path) -> None:
    (tmp_path / "neon.txt").write_bytes(TEXT)
    (tmp_path / "neon.md").symlink_to(tmp_path / "neon.txt")
    skill = next(each for each in load_skills(tmp_path).skills if each.path == tmp_path / "neon.md")
    assert split_skills(unpack_zip(pack(skill))).skills == {"neon": {PurePosixPath("SKILL.md"): TEXT}}
