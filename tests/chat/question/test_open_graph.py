from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from comfyui_assistant.engine.chat.question import open_graph
from comfyui_assistant.engine.chat.question.open_graph import OpenGraph
from comfyui_assistant.engine.context.message_metadata import NO_METADATA, MessageMetadata

from ...small_windows.workflows import DEFAULT_NODES, ENVIRONMENT, posted


class Source:
    async def snapshot(self) -> Any:
        return ENVIRONMENT


async def test_a_workflow_is_read_once_however_often_it_is_asked_for_and_never_on_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads = []
    for name in ("read_workflow", "write_listing"):
        work = getattr(open_graph, name)

        def noted(*args: Any, work: Any = work, **options: Any) -> Any:
            threads.append((work.__name__, threading.current_thread()))
            return work(*args, **options)

        monkeypatch.setattr(open_graph, name, noted)
    graph = OpenGraph(posted(*DEFAULT_NODES), Source())  # type: ignore[arg-type]
    (workflow, _), (again, _), told = await asyncio.gather(
        graph.read(), graph.read(), graph.listed_in(NO_METADATA, 8_000)
    )
    assert workflow is again
    assert "steps = 20" in told.workflow
    assert [name for name, _ in threads] == ["read_workflow", "write_listing"]
    assert threading.current_thread() not in [thread for _, thread in threads]


@pytest.mark.parametrize("told", [None, {"name": "mine", "nodes": 7}, {"graph": 3}])
async def test_a_page_that_tells_no_graph_gives_no_listing(told: Any) -> None:
    graph = OpenGraph(told, Source())  # type: ignore[arg-type]
    kept = MessageMetadata(reminder="a")
    assert await graph.listed_in(kept, 8_000) == kept
    assert (await graph.read())[0] is None


async def test_a_message_keeps_what_its_list_calls_nodes_and_values() -> None:
    kept = MessageMetadata(reminder="a")
    told = await OpenGraph(posted(*DEFAULT_NODES), Source()).listed_in(kept, 8_000)  # type: ignore[arg-type]
    names = told.workflow_names
    assert names is not None
    assert (names["3"], names["3.steps"], names["7.text"]) == ("KSampler", "steps", "negative prompt")
    assert told.reminder == "a"
