from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ..run_history import record
from ..talking import talking

RUNS = "/assistant/runs"
SEARCH = {
    "about": "A test.",
    "steps": [
        {"reply": [{"call": "searchHistory", "arguments": {"query": "the fox from today"}}]},
        {"reply": [{"say": "Done."}]},
    ],
    "after": "repeat",
    "pace": 0,
}


async def test_a_run_that_ended_is_found_with_its_picture_and_its_workflow(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        assistant.assistant.host.runs["p1"] = record("a red fox", seed=42)
        assert (await assistant.call("POST", RUNS, {"promptId": "p1"})).status == 204
        (run,) = (await assistant.call("GET", f"{RUNS}?query=the+fox+from+today")).json["runs"]
        assert (run["id"], run["texts"], run["seeds"]) == ("p1", ["a red fox"], [42])
        assert run["files"] == [{"filename": "fox.png", "subfolder": "", "type": "output"}]
        assert run["hasWorkflow"] is True
        workflow = (await assistant.call("GET", f"{RUNS}/p1/workflow")).json["workflow"]
        assert workflow == {"nodes": [], "links": [], "version": 0.4}
        assert (await assistant.call("GET", f"{RUNS}?query=bear")).json == {"runs": []}
        assert (await assistant.call("DELETE", f"{RUNS}/p1")).status == 204
        assert (await assistant.call("GET", RUNS)).json == {"runs": []}
        assert (await assistant.call("GET", f"{RUNS}/p1/workflow")).error_code == "not_found"


@pytest.mark.parametrize("run_id", ["none", "failed"])
async def test_a_run_that_made_nothing_is_not_kept(tmp_path: Path, run_id: str) -> None:
    async with talking(tmp_path) as (assistant, _):
        assistant.assistant.host.runs["failed"] = record("a fox", status="error")
        assert (await assistant.call("POST", RUNS, {"promptId": run_id})).status == 204
        assert (await assistant.call("GET", RUNS)).json == {"runs": []}


@pytest.mark.parametrize("body", [{}, {"promptId": 7}, {"promptId": ""}, {"promptId": "x" * 101}])
async def test_what_names_no_run_is_refused(tmp_path: Path, body: Any) -> None:
    async with talking(tmp_path) as (assistant, _):
        refused = await assistant.call("POST", RUNS, body)
        assert (refused.status, refused.error_code) == (400, "invalid_request")


async def test_a_chat_that_may_look_finds_the_run_by_day_and_prompt(tmp_path: Path) -> None:
    async with talking(tmp_path, SEARCH) as (assistant, provider):
        assistant.assistant.host.runs["p1"] = record("a red fox", seed=42)
        await assistant.call("POST", RUNS, {"promptId": "p1"})
        thread = await assistant.new_thread()
        await assistant.say("which one?", thread=thread, message_id="u1")
        assert "fox.png" not in str(provider.requests[-1].body)
        await assistant.call("PUT", f"/assistant/threads/{thread}/memory", {"searchesAll": True})
        await assistant.say("and now?", thread=thread, message_id="u2")
        told = str(provider.requests[-1].body)
        for part in ("a red fox", "fox.png", "sdxl.safetensors", "42"):
            assert part in told
