"""Turns of a chat, one at a time."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.events import ReplyFinished, TextDelta
from comfyui_assistant.engine.chat.answer import reply_filters
from comfyui_assistant.engine.chat.calls.calls import ToolForm
from comfyui_assistant.engine.chat.calls.flat_tools import FlatTools
from comfyui_assistant.engine.chat.replies.cost_meter import Bill, CostMeter
from comfyui_assistant.engine.chat.replies.filtered_model import FilteredModel, ModelRequest
from comfyui_assistant.engine.chat.replies.length_limit import LengthLimit
from comfyui_assistant.engine.chat.replies.text_call import TextCall
from comfyui_assistant.engine.chat.replies.vram_manager import ModelLoader
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.store.costs import Costs
from comfyui_assistant.engine.store.database import Database

from tests.chat.a_chat import Chat, asked
from tests.fake_model import FakeModel

from .replies.test_vram_manager import room


async def test_words_are_asked_for_once_and_the_system_message_stays_with_its_thread(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    await chat.say(thread_id, "u1", "/skill sky")
    assert sorted(chat.words.asked) == ["the full system message", "the skill sky", "the user's words"]
    chat.words.asked.clear()
    await chat.say(thread_id, "u2", "more of it")
    assert sorted(chat.words.asked) == ["the user's words"]
    first, second = chat.model.requests
    assert second[: len(first)] == first
    assert "Make it red." in first[1]["content"]
    assert "A red sky." in first[1]["content"]


async def test_the_thread_is_held_until_its_answer_is_over(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    async with chat.answers.answer(asked(thread_id, "u1", "one")) as answer:
        assert answer.beginning.first_request is not None
        with pytest.raises(RequestError) as refused:
            await chat.say(thread_id, "u2", "two")
        assert refused.value.code == "turn_running"
        assert [chunk["type"] async for chunk in answer.chunks][-1] == "finish"
    assert len(await chat.say(thread_id, "u2", "two")) > 3


async def nothing_open() -> Any:
    raise AssertionError("no call is made")


async def test_a_reply_that_is_ended_early_is_charged_for_what_the_model_wrote(tmp_path: Path) -> None:
    costs = Costs(Database.in_folder(tmp_path))
    fake = FakeModel([TextDelta(f"n{number} ") for number in range(2_000)])
    bill = Bill(costs, count_text, None, "a1")
    model = FilteredModel(
        fake, partial(reply_filters, vram_manager=room(), bill=bill, tool_form=FlatTools(nothing_open))
    )
    events = [
        event async for event in model.stream(Endpoint("https://api.example/v1", "a-model-1.5b"), [], [])
    ]
    assert events[-1] == ReplyFinished("length", (), None)
    written = "".join(event.text for event in events if isinstance(event, TextDelta))
    spent = await costs.today_cost()
    assert (spent.requests, spent.output_tokens) == (1, count_text(written))


async def test_only_a_reply_for_a_small_window_passes_what_ends_or_mends_it(tmp_path: Path) -> None:
    bill = Bill(Costs(Database.in_folder(tmp_path)), count_text, None, "a1")
    request = ModelRequest(Endpoint("https://api.example/v1", "a-model-1.5b"), [], [])
    full, flat = (
        [type(each) for each in reply_filters(request, vram_manager=room(), bill=bill, tool_form=form)]
        for form in (ToolForm(), FlatTools(nothing_open))
    )
    assert full == [ModelLoader, CostMeter]
    assert flat == [ModelLoader, CostMeter, LengthLimit, TextCall]
