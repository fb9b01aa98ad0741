from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from .running_assistant import RunningAssistant, running_assistant

OLD = "UPDATE thread SET updated_at = 1"
"""A statement after which no thread has been used for decades."""
FULL = "CREATE TRIGGER refuse BEFORE UPDATE ON thread BEGIN SELECT RAISE(ABORT, 'no room for this'); END"


async def execute(assistant: RunningAssistant, *statements: str) -> None:
    """Run the statements in one transaction, since old threads may be looked for at any moment."""
    await assistant.assistant.storage.database.run(
        lambda connection: [connection.exec_driver_sql(statement) for statement in statements]
    )


async def test_old_threads_are_announced_when_comfyui_starts(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        await assistant.new_thread()
        await execute(assistant, OLD)
    async with running_assistant(tmp_path, {}) as assistant:
        for _ in range(200):
            (listed,) = (await assistant.call("GET", "/assistant/threads")).json["threads"]
            if listed["expiresAt"] is not None:
                break
            await asyncio.sleep(0.01)
        assert listed["expiresAt"] is not None


async def test_settings_are_changed_where_nothing_can_be_written_about_old_threads(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        await assistant.new_thread()
        await execute(assistant, OLD, FULL)
        changed = await assistant.call("PUT", "/assistant/options", {"name": "retention_days", "value": 9})
    assert (changed.status, changed.json["value"]) == (200, 9)
    assert "no room for this" in caplog.text


async def test_when_the_panel_is_opened_what_is_installed_is_looked_up(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        await assistant.call("GET", "/assistant/status")
        for _ in range(500):
            if (tmp_path / "environment" / "summary.json").exists():
                break
            await asyncio.sleep(0.01)
        assert (tmp_path / "environment" / "summary.json").exists()


async def test_the_chats_are_backed_up_when_comfyui_starts(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        await assistant.new_thread()
    (tmp_path / "assistant.sqlite3.backup").unlink(missing_ok=True)
    async with running_assistant(tmp_path, {}):
        for _ in range(200):
            if (tmp_path / "assistant.sqlite3.backup").exists():
                break
            await asyncio.sleep(0.01)
    assert (tmp_path / "assistant.sqlite3.backup").exists()
