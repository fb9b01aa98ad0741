from __future__ import annotations

import time

import pytest
from comfyui_assistant.engine.base.caller import acting_for
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.comfy.pictures.history_entry import history_entry
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.run_history import RunHistory

from ..run_history import record


async def keep(runs: RunHistory, run_id: str, text: str, *, file: str = "fox.png") -> None:
    run = history_entry(run_id, record(text, file=file))
    assert run is not None
    await runs.keep(run)


async def found(runs: RunHistory, query: str) -> list[str]:
    return [run.id for run in await runs.search(query)]


async def test_a_run_is_found_by_the_words_of_its_prompt_newest_first(database: Database) -> None:
    runs = RunHistory(database)
    for run_id, text in (
        ("p1", "a red fox"),
        ("p2", "a bear"),
        ("p3", "a grey fox, 50% snow"),
        ("p3", "again"),
    ):
        await keep(runs, run_id, text, file=f"{run_id}.png")
    assert await found(runs, "fox") == ["p3", "p1"]
    assert await found(runs, "the RED fox") == ["p1"]
    assert await found(runs, "red bear") == ["p2", "p1"]
    assert await found(runs, "50%") == ["p3"]
    assert await found(runs, "p2.png sdxl") == ["p2"]
    assert await found(runs, "walrus") == []


async def test_a_run_is_found_by_its_day(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = RunHistory(database)
    now = time.time()
    for run_id, days in (("old", 9), ("yesterday", 1), ("new", 0)):
        monkeypatch.setattr(time, "time", lambda days=days: now - days * 86_400)
        await keep(runs, run_id, "a fox")
    assert await found(runs, "the fox from yesterday") == ["yesterday"]
    assert await found(runs, "yesterday") == ["yesterday"]
    assert await found(runs, "the bear from yesterday") == []
    assert await found(runs, "the fox from " + time.strftime("%A", time.localtime(now))) == ["new"]


async def test_its_workflow_is_kept_and_forgotten_with_it(database: Database) -> None:
    runs = RunHistory(database)
    await keep(runs, "p1", "a fox")
    assert (await runs.workflow("p1"))["version"] == 0.4
    await runs.forget("p1")
    assert await found(runs, "fox") == []
    for call in (runs.forget("p1"), runs.workflow("p1")):
        with pytest.raises(RequestError) as refused:
            await call
        assert refused.value.code == "not_found"


async def test_what_one_user_made_no_other_finds(database: Database) -> None:
    runs = RunHistory(database)
    with acting_for("ann"):
        await keep(runs, "p1", "a fox")
    with acting_for("bob"):
        assert await found(runs, "fox") == []
    with acting_for("ann"):
        assert await found(runs, "fox") == ["p1"]


async def test_a_file_leads_to_the_newest_run_that_left_it_of_the_same_user(database: Database) -> None:
    runs = RunHistory(database)
    await keep(runs, "p1", "an old fox")
    await keep(runs, "p2", "a red fox")
    await keep(runs, "p3", "another", file="the_fox.png")
    file = {"filename": "fox.png", "subfolder": "", "type": "output"}
    facts = await runs.find_by_file(file)
    assert facts is not None
    assert (facts.texts, facts.seeds, facts.models) == (("a red fox",), (7,), ("sdxl.safetensors",))
    assert await runs.find_by_file({**file, "type": "temp"}) is None
    with acting_for("anna"):
        assert await runs.find_by_file(file) is None
