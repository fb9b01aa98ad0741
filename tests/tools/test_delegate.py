from __future__ import annotations

import pytest
from comfyui_assistant.engine.tools.delegate import delegate
from comfyui_assistant.engine.tools.tool import run_server_tool


@pytest.mark.parametrize(("inputs", "given"), [(["r12", "u3"], ["r12", "u3"]), (None, []), ([], [])])
async def test_a_task_is_done_elsewhere_with_the_texts_that_it_needs(services, conversation, inputs, given):
    result = await run_server_tool(delegate, {"task": "Count them.", "inputs": inputs}, services)

    assert result == {"ok": True, "summary": "Looked it up.", "data": {"result": "There are 3."}}
    assert conversation.delegated == [("Count them.", given)]


@pytest.mark.parametrize("arguments", [{}, {"task": ""}, {"task": "Count.", "inputs": "r1"}])
async def test_a_task_that_says_nothing_is_not_begun(services, conversation, arguments):
    result = await run_server_tool(delegate, arguments, services)

    assert result["hint"] == "Expected arguments: task, inputs?."
    assert conversation.delegated == []
