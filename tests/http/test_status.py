from __future__ import annotations

import re
from pathlib import Path

from comfyui_assistant.engine.comfy.exposure import Exposure

from ..running_assistant import RunningAssistant, running_assistant
from ..talking import talking


async def test_without_a_provider_the_panel_is_told_to_set_one_up(assistant: RunningAssistant) -> None:
    status = (await assistant.call("GET", "/assistant/status")).json
    assert status["ok"] is True
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", status["version"])
    assert status["model"]["state"] == "needs-setup"


async def test_a_model_that_is_there_is_named(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        model = (await assistant.call("GET", "/assistant/status")).json["model"]
    assert (model["state"], model["id"], model["window"], model["local"]) == (
        "ready",
        "scripted",
        32_000,
        True,
    )


async def test_what_it_means_that_others_reach_comfyui_is_told_with_a_name_to_remember_it_by(
    tmp_path: Path,
) -> None:
    async with running_assistant(tmp_path, {}, exposed=Exposure(("0.0.0.0",))) as assistant:
        told = (await assistant.call("GET", "/assistant/status")).json["exposure"]
    assert "--listen 0.0.0.0" in told["message"]
    assert told["seen"]


async def test_what_became_of_a_damaged_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "assistant.sqlite3").write_bytes(b"no database")
    async with running_assistant(tmp_path, {}) as assistant:
        told = (await assistant.call("GET", "/assistant/status")).json["store"]
        assert told["message"].startswith(
            "assistant.sqlite3 was damaged; what could be read of 0 threads is in a "
        )


async def test_nothing_is_told_where_only_this_computer_reaches_it(assistant: RunningAssistant) -> None:
    assert "exposure" not in (await assistant.call("GET", "/assistant/status")).json
