from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import Notice, ReplyEvent, TextDelta
from comfyui_assistant.engine.chat.replies.filtered_model import FilteredModel
from comfyui_assistant.engine.chat.replies.vram_manager import ModelLoader, VramManager
from comfyui_assistant.engine.comfy.host import GraphicsMemory
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.settings.options import Options

from ...memory_holders import MODEL, LlamaCppRouter, LlamaCppServer, LMStudio, MemoryHolder, Ollama

SHORT = GraphicsMemory(total=12_000, others=5_000)
ENOUGH = GraphicsMemory(total=12_000, others=2_900)
LETS_GO = {
    "Ollama": (
        Ollama,
        ("/api/generate", {"model": MODEL, "keep_alive": 0}),
        ("/api/generate", {"model": MODEL}),
    ),
    "LM Studio": (
        LMStudio,
        ("/api/v1/models/unload", {"instance_id": f"{MODEL}:2"}),
        ("/api/v1/models/load", {"model": MODEL, "context_length": 16_384}),
    ),
    "llama.cpp": (
        LlamaCppRouter,
        ("/models/unload", {"model": MODEL}),
        ("/models/load", {"model": MODEL}),
    ),
}


def room(
    memory: GraphicsMemory | None = SHORT, *, is_on: bool = True, is_in_use: bool = False
) -> VramManager:
    async def options() -> Options:
        return Options(make_room=is_on)

    return VramManager(options, lambda: memory, is_in_use=lambda *_: is_in_use)


def at(base_url: str, *, is_local: bool = True) -> Endpoint:
    return Endpoint(base_url, MODEL, is_local=is_local)


@pytest.mark.parametrize("kind", LETS_GO)
async def test_the_model_is_let_go_before_a_run_and_loaded_again_after_it(kind: str) -> None:
    server, unload, load = LETS_GO[kind]
    holder = server()
    async with holder.running() as base_url:
        shared = room()
        made = await shared.unload_for(at(base_url), "run")
        assert not isinstance(made, str)
        assert holder.asked == [unload]
        assert not holder.is_loaded
        shared.end_run("run")
        await shared.ensure_loaded(at(base_url))
        assert holder.asked == [unload, load]


async def test_it_comes_back_when_the_last_of_several_runs_is_over() -> None:
    holder = Ollama()
    async with holder.running() as base_url:
        shared = room()
        for run in ("one", "two"):
            assert not isinstance(await shared.unload_for(at(base_url), run), str)
        shared.end_run("one")
        await asyncio.sleep(0.05)
        assert not holder.is_loaded
        shared.end_run("two")
        await shared.ensure_loaded(at(base_url))
        assert holder.is_loaded
        assert len(holder.asked) == 2


async def test_a_run_that_begins_while_the_model_is_being_loaded_has_it_let_go_again() -> None:
    holder = Ollama()
    async with holder.running() as base_url:
        shared = room()
        await shared.unload_for(at(base_url), "one")
        shared.end_run("one")
        assert not isinstance(await shared.unload_for(at(base_url), "two"), str)
        assert not holder.is_loaded
        shared.end_run("two")
        await shared.ensure_loaded(at(base_url))
        assert holder.is_loaded


@pytest.mark.parametrize(
    ("reason", "holder", "of"),
    [
        pytest.param("off", Ollama(), {"is_on": False}, id="the person does not want it"),
        pytest.param("enough", Ollama(), {"memory": ENOUGH}, id="others hold little"),
        pytest.param("enough", Ollama(), {"memory": None}, id="no graphics card"),
        pytest.param("in-use", Ollama(), {"is_in_use": True}, id="another chat is being answered"),
        pytest.param("not-held", Ollama(is_loaded=False), {}, id="it is not loaded"),
        pytest.param("not-held", Ollama(vram=0), {}, id="it lies in the main memory"),
        pytest.param("not-held", LlamaCppServer(), {}, id="its server keeps it"),
    ],
)
async def test_a_model_stays_where_letting_it_go_would_help_nobody(
    reason: str, holder: MemoryHolder, of: dict[str, Any]
) -> None:
    async with holder.running() as base_url:
        shared = room(**of)
        assert await shared.unload_for(at(base_url), "run") == reason
        shared.end_run("run")
        await shared.ensure_loaded(at(base_url))
        assert holder.asked == []


GB = 1024**3
FULL = GraphicsMemory(total=12 * GB, others=0, own=9 * GB)


@pytest.mark.parametrize(
    ("holder", "memory", "is_local"),
    [
        pytest.param(Ollama(is_loaded=False), GraphicsMemory(12, 0, 6), True, id="ComfyUI holds half"),
        pytest.param(Ollama(is_loaded=False), None, True, id="no graphics card"),
        pytest.param(Ollama(is_loaded=False), FULL, False, id="it is elsewhere"),
        pytest.param(Ollama(), FULL, True, id="it is there already"),
        pytest.param(LlamaCppServer(), FULL, True, id="its server keeps it"),
    ],
)
async def test_a_model_that_is_there_or_has_room_is_asked_without_a_word(
    holder: MemoryHolder, memory: GraphicsMemory | None, *, is_local: bool
) -> None:
    async with holder.running() as base_url:
        assert await room(memory).memory_notice(at(base_url, is_local=is_local)) is None


async def test_nothing_is_asked_of_servers_elsewhere_and_one_that_is_gone_keeps_nobody_waiting() -> None:
    assert await room().unload_for(at("http://127.0.0.1:9/v1", is_local=False), "run") == "elsewhere"
    assert await room().unload_for(at("http://127.0.0.1:9/v1"), "run") == "not-held"


class Answers:
    """A model that notes whether its server held it when it was asked."""

    def __init__(self, holder: MemoryHolder) -> None:
        self.holder = holder
        self.was_loaded: list[bool] = []

    async def stream(self, *_: Any) -> AsyncGenerator[ReplyEvent, None]:
        self.was_loaded.append(self.holder.is_loaded)
        yield TextDelta("Here.")


def present(model: Answers, room: VramManager) -> FilteredModel:
    return FilteredModel(model, lambda request: [ModelLoader(room, request.endpoint)])


async def test_a_model_that_is_asked_while_it_is_gone_is_loaded_first() -> None:
    holder = LMStudio()
    async with holder.running() as base_url:
        shared = room()
        await shared.unload_for(at(base_url), "run")
        answers = Answers(holder)
        events = [event async for event in present(answers, shared).stream(at(base_url), [], [])]
        assert events == [TextDelta("Here.")]
        assert answers.was_loaded == [True]
        shared.end_run("run")
        await shared.ensure_loaded(at(base_url))
        assert len(holder.asked) == 2


@pytest.mark.parametrize("kind", [Ollama, LMStudio, LlamaCppRouter])
async def test_a_model_that_is_to_be_loaded_beside_those_of_renders_says_so(kind: type[MemoryHolder]) -> None:
    holder = kind(is_loaded=False)
    async with holder.running() as base_url:
        events = [e async for e in present(Answers(holder), room(FULL)).stream(at(base_url), [], [])]
    assert events == [
        Notice(
            "renders-hold-memory",
            f"{MODEL} is being loaded, while ComfyUI holds 9.0 of the 12.0 GB of graphics memory.",
        ),
        TextDelta("Here."),
    ]


async def test_what_renders_hold_is_not_read_again_for_a_model_that_has_just_replied() -> None:
    read = []

    def memory() -> GraphicsMemory:
        read.append(FULL)
        return FULL

    async def options() -> Options:
        return Options()

    holder = Ollama()
    renders = VramManager(options, memory, is_in_use=lambda *_: False)
    async with holder.running() as base_url:
        model = present(Answers(holder), renders)
        for _ in range(3):
            assert [e async for e in model.stream(at(base_url), [], [])] == [TextDelta("Here.")]
        assert len(read) == 1
        await renders.unload_for(at(base_url), "run", always=True)
        assert await renders.memory_notice(at(base_url)) is not None
