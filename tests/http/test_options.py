"""What `/config` reads and changes, and what of it lies in `settings.json`."""

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
    answer = await assistant.call("PUT", "/assistant/options", {"name": name, "value": value})
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
    settings = saved(tmp_path)
    (provider,) = settings.pop("providers")
    assert (provider["baseUrl"], provider["model"]) == (HERE, "small")
    assert settings == {
        "defaultProvider": "",
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


async def test_a_setting_is_read_changed_and_given_back_to_its_default(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {"LLM_MAX_STEPS": "12"}) as assistant:
        before = (await assistant.call("GET", "/assistant/options")).json["options"]
        [steps] = [setting for setting in before if setting["name"] == "max_steps"]
        assert (steps["value"], steps["default"], steps["kind"]) == (12, 12, "integer")
        changed = await assistant.call("PUT", "/assistant/options", {"name": "max_steps", "value": "7"})
        assert changed.json == {**steps, "value": 7}
        after = (await assistant.call("GET", "/assistant/options")).json["options"]
        assert after == [changed.json if setting == steps else setting for setting in before]
        back = await assistant.call("PUT", "/assistant/options", {"name": "max_steps", "value": "default"})
        assert back.json == steps
