from __future__ import annotations

import os
from pathlib import Path

import pytest

from ..pdf_files import pdf
from ..running_assistant import running_assistant

FILE = "/assistant/documents/text"


async def test_a_pdf_in_the_input_folder_is_given_as_text(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        (tmp_path / "input" / "papers").mkdir(parents=True)
        (tmp_path / "input" / "papers" / "fox.pdf").write_bytes(pdf(["A red fox."]))
        answer = await assistant.call("POST", FILE, {"file": "papers/fox.pdf"})
        assert (answer.status, answer.json) == (200, {"text": "[Page 1]\nA red fox.", "pages": 1})


@pytest.mark.parametrize(
    "name", ["none.pdf", "../secret.pdf", "/etc/hostname", "link.pdf", "folder", "", "a\0b"]
)
async def test_what_is_no_file_of_that_folder_is_not_looked_at(tmp_path: Path, name: str) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        (tmp_path / "input" / "folder").mkdir(parents=True)
        (tmp_path / "secret.pdf").write_bytes(pdf(["Secret."]))
        os.symlink(tmp_path / "secret.pdf", tmp_path / "input" / "link.pdf")
        answer = await assistant.call("POST", FILE, {"file": name})
        assert (answer.status, answer.error_code) == (404, "not_found")
        assert (await assistant.call("POST", FILE, {"file": 7})).error_code == "invalid_request"
