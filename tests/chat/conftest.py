"""A chat over a real store, for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chat.a_chat import Chat, opened_chat


@pytest.fixture
def chat(tmp_path: Path) -> Iterator[Chat]:
    with opened_chat(tmp_path) as chat:
        yield chat
