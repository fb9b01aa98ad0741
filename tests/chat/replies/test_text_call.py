from __future__ import annotations

from comfyui_assistant.engine.chat.calls.flat_tools import FlatTools
from comfyui_assistant.engine.comfy.snapshot import Environment
from comfyui_assistant.engine.small_windows.open_workflow import Workflow

from tests.fake_model import says

from ...small_windows.workflows import DEFAULT, ENVIRONMENT
from ..one_response import Run


async def read() -> tuple[Workflow | None, Environment]:
    return DEFAULT, ENVIRONMENT


async def test_arguments_in_place_of_a_call_are_taken_back_and_the_call_is_made() -> None:
    run = await Run(says('{"node": "9", "type": "none"}'), says("No."), tool_form=FlatTools(read)).go()
    [call] = [part for part in run.kept if part["type"] == "tool-replaceNode"]
    assert call["rawInput"] == '{"node":"9","type":"none"}'
    assert [part["text"] for part in run.kept if part["type"] == "text"] == ["No."]


async def test_in_the_full_form_a_text_stays_a_text() -> None:
    run = await Run(says('{"node": "9", "type": "none"}')).go()
    assert [part["text"] for part in run.kept if part["type"] == "text"] == ['{"node": "9", "type": "none"}']
