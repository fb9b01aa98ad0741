from __future__ import annotations

from pathlib import Path
from typing import Any

from comfyui_assistant.engine.base.events import ReplyFinished, TextDelta
from comfyui_assistant.engine.chat.calls.tool_form import FlatTools, FullTools
from comfyui_assistant.engine.chat.replies.cost_meter import Bill, CostMeter
from comfyui_assistant.engine.chat.replies.filters import ReplyFilters
from comfyui_assistant.engine.chat.replies.length_limit import LengthLimit
from comfyui_assistant.engine.chat.replies.reply_filter import FilteredModel, ModelRequest
from comfyui_assistant.engine.chat.replies.text_call import TextCall
from comfyui_assistant.engine.chat.replies.vram_manager import ModelLoader
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.store.costs import Costs
from comfyui_assistant.engine.store.database import Database

from tests.fake_model import FakeModel

from .test_vram_manager import room


async def nothing_open() -> Any:
    raise AssertionError("no call is made")


async def test_a_reply_that_is_ended_early_is_charged_for_what_the_model_wrote(tmp_path: Path) -> None:
    costs = Costs(Database.in_folder(tmp_path))
    fake = FakeModel([TextDelta(f"n{number} ") for number in range(2_000)])
    bill = Bill(costs, count_text, None, "a1")
    model = FilteredModel(fake, ReplyFilters(room(), bill, FlatTools(nothing_open)))
    events = [
        event async for event in model.stream(Endpoint("https://api.example/v1", "a-model-1.5b"), [], [])
    ]
    assert events[-1] == ReplyFinished("length", (), None)
    written = "".join(event.text for event in events if isinstance(event, TextDelta))
    spent = await costs.of_today()
    assert (spent.requests, spent.output_tokens) == (1, count_text(written))


async def test_only_a_reply_for_a_small_window_passes_what_ends_or_mends_it(tmp_path: Path) -> None:
    bill = Bill(Costs(Database.in_folder(tmp_path)), count_text, None, "a1")
    request = ModelRequest(Endpoint("https://api.example/v1", "a-model-1.5b"), [], [])
    full, flat = (
        [type(each) for each in ReplyFilters(room(), bill, form)(request)]
        for form in (FullTools(), FlatTools(nothing_open))
    )
    assert full == [ModelLoader, CostMeter]
    assert flat == [ModelLoader, CostMeter, LengthLimit, TextCall]
