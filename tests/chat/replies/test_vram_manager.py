from __future__ import annotations

import asyncio
from typing import Any

import pytest
from comfyui_assistant.engine.chat.replies.vram_manager import VramManager
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
        made = await shared.make(at(base_url), "run")
        assert not isinstance(made, str)
        assert holder.asked == [unload]
        assert not holder.is_loaded
        shared.give_back("run")
        await shared.loaded(at(base_url))
        assert holder.asked == [unload, load]


async def test_it_comes_back_when_the_last_of_several_runs_is_over() -> None:
    holder = Ollama()
    async with holder.running() as base_url:
        shared = room()
        for run in ("one", "two"):
            assert not isinstance(await shared.make(at(base_url), run), str)
        shared.give_back("one")
        await asyncio.sleep(0.05)
        assert not holder.is_loaded
        shared.give_back("two")
        await shared.loaded(at(base_url))
        assert holder.is_loaded
        assert len(holder.asked) == 2


async def test_a_run_that_begins_while_the_model_is_being_loaded_has_it_let_go_again() -> None:
    holder = Ollama()
    async with holder.running() as base_url:
        shared = room()
        await shared.make(at(base_url), "one")
        shared.give_back("one")
        assert not isinstance(await shared.make(at(base_url), "two"), str)
        assert not holder.is_loaded
        shared.give_back("two")
        await shared.loaded(at(base_url))
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
        assert await shared.make(at(base_url), "run") == reason
        shared.give_back("run")
        await shared.loaded(at(base_url))
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
        assert await room(memory).crowded(at(base_url, is_local=is_local)) is None


async def test_nothing_is_asked_of_servers_elsewhere_and_one_that_is_gone_keeps_nobody_waiting() -> None:
    assert await room().make(at("http://127.0.0.1:9/v1", is_local=False), "run") == "elsewhere"
    assert await room().make(at("http://127.0.0.1:9/v1"), "run") == "not-held"
