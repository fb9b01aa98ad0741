"""What the panel saves in `settings.json`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ..running_assistant import RunningAssistant, running_assistant

KEY = "sk-canary-0123456789abcdef"
HERE = "http://127.0.0.1:9/v1"


def saved(folder: Path) -> Any:
    return json.loads((folder / "settings.json").read_text("utf-8"))


async def set_to(assistant: RunningAssistant, name: str, value: object) -> None:
    answer = await assistant.call("PUT", "/assistant/config", {"name": name, "value": value})
    assert answer.status == 200


async def test_settings_that_are_saved_at_once_are_all_kept(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        await assistant.call("PUT", "/assistant/settings", {"baseUrl": HERE})
        await asyncio.gather(
            assistant.call("PUT", "/assistant/settings", {"apiKey": KEY}),
            set_to(assistant, "max_steps", 7),
            set_to(assistant, "retention_days", 9),
            assistant.call("PUT", "/assistant/settings", {"model": "small"}),
        )
    assert saved(tmp_path) == {
        "baseUrl": HERE,
        "model": "small",
        "keys": {"http://127.0.0.1:9": KEY},
        "config": {"max_steps": 7, "retention_days": 9},
    }


@pytest.mark.parametrize("content", [b'{"keys": {"https://api.x": "sk-1"},}', b"[1]", b"\xff\xfe"])
async def test_a_file_that_cannot_be_read_is_kept_under_another_name_before_the_next_save(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "settings.json").write_bytes(content)
    async with running_assistant(tmp_path, {}) as assistant:
        await set_to(assistant, "max_steps", 7)
    assert saved(tmp_path)["config"] == {"max_steps": 7}
    (aside,) = tmp_path.glob("settings.json.broken-*")
    assert aside.read_bytes() == content
    assert f"it is kept as {aside.name}" in caplog.text


async def test_a_key_without_a_base_url_is_refused_and_with_one_is_kept(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        refused = await assistant.call("PUT", "/assistant/settings", {"apiKey": KEY})
        assert (refused.status, refused.error_code) == (400, "invalid_request")
        assert "no base URL" in refused.json["error"]["message"]
        assert not (tmp_path / "settings.json").exists()
        kept = await assistant.call("PUT", "/assistant/settings", {"apiKey": KEY, "baseUrl": HERE})
        assert kept.json["apiKey"]["set"] is True
    assert saved(tmp_path)["keys"] == {"http://127.0.0.1:9": KEY}


@pytest.mark.parametrize("key", ["“sk-secret”", "sk-secret\u200b", "сk-secret", "sk-\nsecret", "sk-secret\0"])
async def test_a_key_with_a_character_that_no_key_has_is_refused_when_it_is_entered(
    tmp_path: Path, key: str
) -> None:
    typed = {"apiKey": key, "baseUrl": HERE, "model": "small"}
    async with running_assistant(tmp_path, {}) as assistant:
        for method, path in (("PUT", "/assistant/settings"), ("POST", "/assistant/providers/test")):
            refused = await assistant.call(method, path, typed)
            assert (refused.status, refused.error_code) == (400, "invalid_key")
            assert "U+" in refused.json["error"]["message"]
            assert "secret" not in refused.body.decode()
    assert not (tmp_path / "settings.json").exists()
