from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.files.pdf import read_pdf

from ...pdf_files import pdf


async def refusal_of(path: Path, content: bytes, **limits: float) -> str:
    path.write_bytes(content)
    with pytest.raises(RequestError) as refused:
        await read_pdf(path, **limits)
    return refused.value.code


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "paper.pdf"


async def test_each_page_is_read_after_a_line_that_names_it(file: Path) -> None:
    file.write_bytes(pdf(["The fox (red) jumps.", "", "It sleeps."]))
    read = await read_pdf(file)
    assert read.as_text() == "[Page 1]\nThe fox (red) jumps.\n\n[Page 2]\n\n\n[Page 3]\nIt sleeps."
    assert read.count == 3


@pytest.mark.slow
async def test_what_is_no_pdf_is_refused_by_its_fault(file: Path) -> None:
    whole = pdf(["The fox jumps."])
    assert await refusal_of(file, b"") == "unreadable"
    assert await refusal_of(file, b"PK\3\4 something else") == "unreadable"
    assert await refusal_of(file, whole[:40]) == "unreadable"
    assert await refusal_of(file, pdf(["", ""])) == "unreadable"
    assert await refusal_of(file, pdf([])) == "unreadable"
    encrypted = whole.replace(
        b"/Root 1 0 R", b"/Root 1 0 R /Encrypt << /Filter /Standard /V 4 /R 4 /O (x) /U (x) /P 0 >>"
    )
    assert await refusal_of(file, encrypted) in ("unreadable", "unreadable")


async def test_a_file_that_takes_too_long_is_given_up_and_nothing_waits_for_it(file: Path) -> None:
    began = time.monotonic()
    assert await refusal_of(file, pdf(["slow"] * 2_000), seconds=0.05) == "unreadable"
    assert time.monotonic() - began < 5


async def test_many_files_leave_the_threads_of_the_event_loop_to_everybody_else(file: Path) -> None:
    file.write_bytes(pdf(["slow"] * 2_000))
    reading = [asyncio.create_task(refusal_of(file, file.read_bytes(), seconds=1)) for _ in range(40)]
    await asyncio.sleep(0.05)
    names = {await asyncio.to_thread(lambda: threading.current_thread().name) for _ in range(3)}
    readers = [each.name for each in threading.enumerate() if each.name.startswith("read-pdf")]
    for task in reading:
        task.cancel()
    assert len(readers) == 2
    assert not any(name.startswith("read-pdf") for name in names)


@pytest.mark.slow
async def test_several_files_are_read_at_once_beside_everything_else(file: Path) -> None:
    file.write_bytes(pdf([f"Page number {number}." for number in range(50)]))
    read = await asyncio.gather(*(read_pdf(file) for _ in range(3)))
    assert [len(each.pages) for each in read] == [50, 50, 50]
