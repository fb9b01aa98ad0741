from __future__ import annotations

import re
from pathlib import Path

from ..running_assistant import RunningAssistant
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
