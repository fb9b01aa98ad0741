from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.chat.thread_context.turn_context import TurnContext
from comfyui_assistant.engine.chat.thread_context.turn_planner import TurnPlanner
from comfyui_assistant.engine.chat.turn.delegation import MAX_DEPTH, Delegation, ServerToolbox
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.registry.node_registry import NodeRegistry
from comfyui_assistant.engine.comfy.scan import EnvironmentScanner
from comfyui_assistant.engine.comfy.templates import TemplateShelf
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.tasks import Task, Tasks
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.engine.tools.delegate import delegate
from comfyui_assistant.engine.tools.read_tool_result import read_tool_result
from comfyui_assistant.engine.tools.tool import ToolServices
from comfyui_assistant.engine.user.skills.loader import SkillFolders

from tests.fake_model import FakeModel, Reply, calls, says

CONVERSATION: Any = [
    {
        "id": "u1",
        "role": "user",
        "parts": [{"type": "text", "text": "The seed is 4711. " + "Blah. " * 2_000}],
    },
    {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Noted."}]},
    {"id": "u2", "role": "user", "parts": [{"type": "text", "text": "The secret is 42."}]},
]


class Work:
    """Delegation from a stored thread to a model that gives these replies."""

    def __init__(self, database: Database, thread_id: str) -> None:
        self.tasks = Tasks(database)
        self.thread_id = thread_id
        self.model = FakeModel()

    def replying(self, *replies: Reply) -> Delegation:
        self.model = FakeModel(*replies)
        skills, comfy = SkillFolders(()), FakeComfy({})
        return Delegation(
            endpoint=Endpoint("http://127.0.0.1:1/v1", "a-model"),
            model=self.model,
            context=TurnContext.of(
                TurnPlanner(Frame("You help.", "full"), Budget(32_000, 0), count_text, pins=["A pin."])
            ),
            toolbox=ServerToolbox(
                [delegate, read_tool_result],
                ToolServices(EnvironmentScanner(comfy), skills, skills, TemplateShelf(comfy), NodeRegistry()),
            ),
            tasks=self.tasks,
            thread_id=self.thread_id,
        )

    async def kept(self) -> list[Task]:
        return await self.tasks.tree(self.thread_id)


@pytest.fixture
async def work(tmp_path: Path) -> AsyncIterator[Work]:
    database = Database.in_folder(tmp_path)
    yield Work(database, (await ThreadStore(database).create()).id)
    database.close()


async def test_a_task_knows_its_inputs_and_nothing_else_of_the_conversation(work: Work) -> None:
    result = await work.replying(says("It is 4711.", usage=Usage(90, 10))).run(
        "Find the seed.", ["u1"], CONVERSATION
    )
    system, message = work.model.requests[0]
    assert system == {"role": "system", "content": "You help."}
    assert 'Task: Find the seed.\n\n<input ref="u1">\nThe seed is 4711.' in message["content"]
    assert "characters left out" in message["content"]
    assert "secret" not in message["content"]
    assert "A pin." not in message["content"]
    (task,) = await work.kept()
    assert result == {
        "ok": True,
        "summary": "Done in 1 step: It is 4711.",
        "data": {"answer": "It is 4711.", "usedTools": [], "run": task.id},
    }
    assert (task.status, task.inputs, task.steps, task.tokens) == ("done", {"inputs": ["u1"]}, 1, 100)


async def test_an_input_that_is_not_there_is_named_before_anything_is_begun(work: Work) -> None:
    result = await work.replying().run("Find the seed.", ["u1", "r7", "u9"], CONVERSATION)
    assert result == {
        "ok": False,
        "error": "There is nothing behind r7, u9. There are: u1 to u2, a1 to a1.",
        "hint": "Pass handles as inputs, or write what is needed into the task.",
    }
    assert await work.kept() == []


async def test_a_long_answer_comes_back_short_and_says_how_much_is_missing(work: Work) -> None:
    result: Any = await work.replying(says("start " + "x" * 20_000 + " end")).run("Tell.", [], CONVERSATION)
    answer = result["data"]["answer"]
    assert len(answer) < 6_100
    assert answer.startswith("start ")
    assert answer.endswith(" end")
    assert "characters left out" in answer


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (says(" "), "a-model ended its reply without a word"),
        ([RuntimeError("a bug")], "ComfyUI Assistant failed while answering."),
    ],
    ids=["nothing is answered", "it breaks"],
)
async def test_a_task_without_an_answer_is_a_failure_that_is_written_down(
    work: Work, reply: Reply, said: str
) -> None:
    result: Any = await work.replying(reply, reply).run("Find it.", [], CONVERSATION)
    assert result["error"].startswith(f"The delegated task failed: {said}")
    assert result["hint"] == "Do it yourself."
    (task,) = await work.kept()
    assert (task.status, said in task.result) == ("failed", True)


async def test_tasks_of_tasks_are_written_down_as_theirs_and_go_no_deeper(work: Work) -> None:
    def delegates(task: str) -> Reply:
        return calls((task, "delegate", f'{{"task": "{task}"}}'))

    names = [f"task {number}" for number in range(MAX_DEPTH + 1)]
    replies = [*map(delegates, names[1:]), *(says("Done.") for _ in range(MAX_DEPTH))]
    delegation = work.replying(*replies)
    result = await delegation.run(names[0], [], CONVERSATION)
    assert result["ok"]
    tasks = await work.kept()
    assert [task.task for task in tasks] == names[:MAX_DEPTH]
    assert [task.parent_task_id for task in tasks] == [None, *(task.id for task in tasks[:-1])]
    assert "cannot delegate any further" in str(work.model.requests[MAX_DEPTH])


async def test_a_tool_of_a_task_reads_the_conversation_of_that_task(work: Work) -> None:
    result: Any = await work.replying(
        calls(("c1", "readToolResult", '{"ref": "u2"}')),
        calls(("c2", "readToolResult", '{"ref": "u1"}')),
        says("Done."),
    ).run("Look.", [], CONVERSATION)
    assert result["data"]["usedTools"] == ["readToolResult"]
    assert 'There is nothing behind \\"u2\\"' in str(work.model.requests[1][-1]["content"])
    assert "Task: Look." in str(work.model.requests[2][-1]["content"])
    assert "secret" not in str(work.model.requests)


async def test_stopping_a_turn_cancels_its_task_and_the_task_of_that(work: Work) -> None:
    delegation = work.replying(calls(("c1", "delegate", '{"task": "the inner one"}')), [60.0])
    running = asyncio.ensure_future(delegation.run("the outer one", [], CONVERSATION))
    while len(work.model.requests) < 2:
        await asyncio.sleep(0.001)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert work.model.closed_streams == 2
    assert [(task.task, task.status) for task in await work.kept()] == [
        ("the outer one", "cancelled"),
        ("the inner one", "cancelled"),
    ]


async def test_without_a_thread_nothing_is_written_down(work: Work) -> None:
    delegation = replace(work.replying(says("Yes.")), thread_id=None)
    assert (await delegation.run("Find it.", [], CONVERSATION))["ok"]
    assert await work.kept() == []
