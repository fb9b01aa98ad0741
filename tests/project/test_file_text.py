from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.project.file_text import FileText, FileTexts, kind_of
from comfyui_assistant.engine.project.folder import ProjectFolder

from ..pdf_files import pdf


async def read(tmp_path: Path, name: str, content: bytes) -> FileText:
    folder = ProjectFolder(tmp_path)
    place = folder.write("all", "", name, content, replace=True)
    return await FileTexts().of(place, folder.folder)


async def test_a_text_is_read_with_its_tokens(tmp_path: Path) -> None:
    text = await read(tmp_path, "a.md", "Größe\r\nzwei".encode())
    assert (text.text, text.problem) == ("Größe\nzwei", "")
    assert text.tokens > 2
    assert (await read(tmp_path, "b.txt", "utf-16 text".encode("utf-16"))).text == "utf-16 text"


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "It is no text."),
        ("a.pdf", b"no pdf at all", "could not be read as a PDF"),
        ("a.txt", b"caf\xe9", "Some of it is not UTF-8"),
    ],
)
async def test_what_is_no_text_is_named(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    assert problem in (await read(tmp_path, name, content)).problem


async def test_a_pdf_is_read_page_by_page(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    text = await read(tmp_path, "a.pdf", pdf(["The first page.", "The second."]))
    assert "[Page 2]\nThe second." in text.text


async def test_a_file_is_read_again_only_once_it_has_changed(tmp_path: Path) -> None:
    folder, texts = ProjectFolder(tmp_path), FileTexts()
    place = folder.write("all", "", "a.md", b"one", replace=True)
    first = await texts.of(place, folder.folder)
    place.file.write_bytes(b"another")
    assert await texts.of(place, folder.folder) is first
    assert (await texts.of(folder.place(place.path), folder.folder)).text == "another"


async def test_a_file_that_went_away_meanwhile_is_a_problem(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    place = folder.write("all", "", "a.md", b"one", replace=True)
    place.file.unlink()
    assert "cannot be read" in (await FileTexts().of(place, folder.folder)).problem


def test_kinds_are_told_by_names(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    for name, kind in (("a.md", "text/markdown"), ("b.PDF", "application/pdf"), ("c.unheard", "text/plain")):
        assert kind_of(folder.write("all", "", name, b"x", replace=True)) == kind
