"""The watch over keys, which every test has, sees them wherever one would turn up."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from .canary_keys import found, note_files

KEY = "sk-canary-of-the-watch"


@pytest.fixture(autouse=True)
def forgotten_afterwards() -> Iterator[None]:
    yield
    found.clear()


@pytest.mark.parametrize("name", ["comfyui_assistant.engine.llm.client", "openai._base_client", "httpcore"])
def test_a_key_in_a_log_is_seen_at_debug(name: str) -> None:
    logging.getLogger(name).debug("with %s", KEY)
    assert len(found) == 1
    assert name in found[0]


def test_a_key_in_a_traceback_is_seen() -> None:
    try:
        raise ValueError(KEY)
    except ValueError:
        logging.getLogger("comfyui_assistant").exception("it failed")
    assert len(found) == 1


def test_a_key_in_a_file_is_seen_but_where_it_is_kept(tmp_path: Path) -> None:
    (tmp_path / "exports").mkdir()
    (tmp_path / "exports" / "chat.json").write_text(f'{{"text": "{KEY}"}}', "utf-8")
    (tmp_path / "settings.json").write_text(KEY, "utf-8")
    note_files(tmp_path)
    assert len(found) == 1
    assert "chat.json" in found[0]
    (tmp_path / "exports" / "chat.json").unlink()
