from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import Notice, ReplyEvent, TextDelta
from comfyui_assistant.engine.chat.replies.model_loader import ModelLoader
from comfyui_assistant.engine.chat.replies.reply_filter import FilteredModel
from comfyui_assistant.engine.chat.replies.vram_manager import VramManager
from comfyui_assistant.engine.comfy.host import GraphicsMemory
from comfyui_assistant.engine.settings.options import Options

from ...memory_holders import MODEL, LlamaCppRouter, LMStudio, MemoryHolder, Ollama
from .test_vram_manager import FULL, at, room


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
        await shared.make(at(base_url), "run")
        answers = Answers(holder)
        events = [event async for event in present(answers, shared).stream(at(base_url), [], [])]
        assert events == [TextDelta("Here.")]
        assert answers.was_loaded == [True]
        shared.give_back("run")
        await shared.loaded(at(base_url))
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
        await renders.make(at(base_url), "run", always=True)
        assert await renders.crowded(at(base_url)) is not None
