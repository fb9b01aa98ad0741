from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.files.pdf import PdfText
from comfyui_assistant.engine.user.project import file_text
from comfyui_assistant.engine.user.project.file_text import FileFacts, FileTexts, media_type
from comfyui_assistant.engine.user.project.folder import ProjectFolder

from ...pdf_files import pdf


async def read(tmp_path: Path, name: str, content: bytes) -> tuple[str, FileFacts]:
    folder, texts = ProjectFolder(tmp_path), FileTexts()
    place = folder.write(name, content, replace=True)
    return await texts.text(place, folder.folder), await texts.facts(place, folder.folder)


async def test_a_text_is_read_with_its_tokens(tmp_path: Path) -> None:
    text, facts = await read(tmp_path, "a.md", "Größe\r\nzwei".encode())
    assert (text, facts.problem, facts.characters) == ("Größe\nzwei", "", 10)
    assert facts.tokens > 2
    assert (await read(tmp_path, "b.txt", "utf-16 text".encode("utf-16")))[0] == "utf-16 text"


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "It is no text."),
        ("a.pdf", b"no pdf at all", "could not be read as a PDF"),
        ("a.txt", b"caf\xe9", "Some of it is not UTF-8"),
    ],
)
async def test_what_is_no_text_is_named(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    assert problem in (await read(tmp_path, name, content))[1].problem


async def test_a_pdf_is_read_page_by_page(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    text, _ = await read(tmp_path, "a.pdf", pdf(["The first page.", "The second."]))
    assert "[Page 2]\nThe second." in text


async def test_a_file_is_read_again_only_once_it_has_changed(tmp_path: Path) -> None:
    folder, texts = ProjectFolder(tmp_path), FileTexts()
    place = folder.write("a.md", b"one", replace=True)
    assert await texts.text(place, folder.folder) == "one"
    place.file.write_bytes(b"another")
    assert await texts.text(place, folder.folder) == "one"
    assert await texts.text(folder.place(place.path), folder.folder) == "another"


async def test_what_is_known_of_a_text_stays_though_the_text_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_text, "_KEPT_CHARACTERS", 1_500)
    folder, texts = ProjectFolder(tmp_path), FileTexts()
    places = [folder.write(f"{n}.md", b"word " * 200, replace=True) for n in range(4)]
    for place in places:
        await texts.facts(place, folder.folder)
    for place in places:
        place.file.unlink()
    assert [(await texts.facts(place, folder.folder)).characters for place in places] == [999] * 4
    assert await texts.text(places[-1], folder.folder)
    assert await texts.text(places[0], folder.folder) == ""


async def test_files_are_read_at_the_same_time_and_one_that_takes_long_is_read_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, running = asyncio.Event(), []

    async def slowly(path: Path) -> PdfText:
        running.append(path.name)
        await may_end.wait()
        return PdfText([f"Of {path.name}."], 1)

    monkeypatch.setattr(file_text, "read_pdf", slowly)
    folder, texts = ProjectFolder(tmp_path), FileTexts()
    places = [folder.write(f"{n}.pdf", b"%PDF", replace=True) for n in range(5)]
    read = lambda: asyncio.gather(  # noqa: E731
        *(texts.facts(place, folder.folder, seconds=0.05) for place in places)
    )
    assert await read() == [FileFacts(is_read=False)] * 5
    assert await read() == [FileFacts(is_read=False)] * 5
    assert running == ["0.pdf", "1.pdf", "2.pdf"]
    may_end.set()
    assert [await texts.text(place, folder.folder) for place in places] == [
        f"[Page 1]\nOf {n}.pdf." for n in range(5)
    ]
    assert len(running) == 5


async def test_a_failure_is_tried_again_after_a_while_and_no_sooner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []

    async def fail(path: Path) -> PdfText:
        tried.append(path)
        raise RequestError("unreadable", "pypdf is not installed.", hint="Install it.")

    now = 0.0
    folder, texts = ProjectFolder(tmp_path), FileTexts(clock=lambda: now)
    monkeypatch.setattr(file_text, "read_pdf", fail)
    place = folder.write("a.pdf", b"%PDF", replace=True)
    for _ in range(3):
        assert (await texts.facts(place, folder.folder)).problem == "pypdf is not installed. Install it."
    assert len(tried) == 1
    now += 6

    async def succeed(path: Path) -> PdfText:
        return PdfText([path.name], 1)

    monkeypatch.setattr(file_text, "read_pdf", succeed)
    assert (await texts.facts(place, folder.folder)).problem == ""
    assert await texts.text(place, folder.folder) == "[Page 1]\na.pdf"


async def test_a_file_that_went_away_meanwhile_is_a_problem(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    place = folder.write("a.md", b"one", replace=True)
    place.file.unlink()
    assert "cannot be read" in (await FileTexts().facts(place, folder.folder)).problem


def test_kinds_are_told_by_names(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    for name, kind in (("a.md", "text/markdown"), ("b.PDF", "application/pdf"), ("c.unheard", "text/plain")):
        assert media_type(folder.write(name, b"x", replace=True)) == kind
