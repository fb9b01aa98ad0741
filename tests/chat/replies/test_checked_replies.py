from __future__ import annotations

from dataclasses import replace
from typing import Any

from comfyui_assistant.engine.chat.calls.plain_calls import PlainCalls
from comfyui_assistant.engine.chat.turn.turn import Turn
from comfyui_assistant.engine.context.tool_facts import ToolFacts
from comfyui_assistant.engine.messages import answer_text
from comfyui_assistant.engine.store.log.thread_log import fold

from tests.fake_model import FakeModel, calls, says

from ...plain.workflows import DEFAULT, ENVIRONMENT
from ..one_response import MemoryTurnLog, answer, setup

CLAIM = "I have set the steps to 30."


async def respond(
    *replies: Any, record: MemoryTurnLog | None = None, is_slim: bool = True, request: str = ""
) -> tuple[Any, Any, Any]:
    record = record or MemoryTurnLog()
    model = FakeModel(*replies)

    async def plain() -> PlainCalls:
        return PlainCalls(DEFAULT, ENVIRONMENT, request)

    options = replace(setup(), plain_calls=plain, browser_tools=frozenset({"setNodeWidgetValue"}))
    options.context.frame = replace(
        options.context.frame, facts={"setNodeWidgetValue": ToolFacts("edits")}, is_slim=is_slim
    )
    turn = Turn(fold(record.events), message_id="a1", setup=options, model=model, log=record)
    chunks = [chunk async for chunk in turn.run()]
    return chunks, model, fold(record.events)[-1]["parts"]


async def test_an_answer_that_claims_what_no_call_did_is_taken_back_and_asked_for_again() -> None:
    chunks, model, kept = await respond(says(CLAIM), says("Nothing was changed."))
    assert "reset-step" in [chunk["type"] for chunk in chunks]
    assert answer_text(kept) == "Nothing was changed."
    assert model.requests[1][:-2] == model.requests[0]
    assert "No tool was called" in model.requests[1][-1]["content"]


async def test_the_second_try_may_make_the_call() -> None:
    arguments = '{"name": "steps", "value": "30"}'
    _, _, kept = await respond(says(CLAIM), calls(("c1", "setValue", arguments)))
    [call] = [part for part in kept if part["type"].startswith("tool-")]
    assert (call["type"], call["input"]["value"]) == ("tool-setNodeWidgetValue", "30")


async def test_a_second_claim_stands_beside_the_plain_fact() -> None:
    chunks, _, kept = await respond(says(CLAIM), says(CLAIM))
    [notice] = [part["data"] for part in kept if part["type"] == "data-notice"]
    assert notice["code"] == "nothing-done"
    assert chunks[-1]["type"] == "finish"


async def test_what_a_call_did_may_be_said() -> None:
    record = MemoryTurnLog()
    arguments = '{"name": "steps", "value": "30"}'
    await respond(calls(("c1", "setValue", arguments)), record=record)
    answer(record, "c1", {"ok": True, "summary": "Set steps of KSampler (node 3) to 30.", "data": {}})
    _, model, kept = await respond(says(CLAIM), record=record)
    assert len(model.requests) == 1
    assert answer_text(kept) == CLAIM


async def test_the_model_is_shown_its_own_call_and_a_short_result() -> None:
    record = MemoryTurnLog()
    arguments = '{"name": "steps", "value": "30"}'
    await respond(calls(("c1", "setValue", arguments)), record=record)
    answer(record, "c1", {"ok": True, "summary": "Set steps to 30.", "data": {"long": "x" * 500}})
    _, model, _ = await respond(says(CLAIM), record=record)
    call, result = model.requests[0][-2:]
    assert call["tool_calls"][0]["function"] == {
        "name": "setValue",
        "arguments": '{"name":"steps","value":"30"}',
    }
    assert result["content"] == '{"ok":true,"summary":"Set steps to 30."}'


async def test_larger_models_are_not_doubted() -> None:
    _, model, kept = await respond(says(CLAIM), is_slim=False)
    assert len(model.requests) == 1
    assert answer_text(kept) == CLAIM


async def test_a_run_that_is_claimed_after_a_change_alone_is_asked_for_and_contradicted() -> None:
    record = MemoryTurnLog()
    await respond(calls(("c1", "setValue", '{"name": "steps", "value": "30"}')), record=record)
    answer(record, "c1", {"ok": True, "summary": "Set steps of KSampler (node 3) to 30.", "data": {}})
    said = says("The image has been generated.")
    _, model, kept = await respond(said, said, record=record)
    assert "runWorkflow was not called" in model.requests[1][-1]["content"]
    [notice] = [part["data"] for part in kept if part["type"] == "data-notice"]
    assert notice["message"] == "Nothing was run, whatever the model says."


async def test_an_answer_without_the_call_that_was_asked_for_is_asked_for_again_with_it() -> None:
    call = calls(("c1", "setValue", '{"name": "steps", "value": "18"}'))
    _, model, kept = await respond(
        says("You can set the steps."), call, request="mets 18 étapes pour mon ami"
    )
    assert 'Call setValue {"name":"steps","value":"18"} now.' in model.requests[1][-1]["content"]
    [part] = [part for part in kept if part["type"].startswith("tool-")]
    assert part["input"] == {"node": "3", "widget": "steps", "value": "18"}


async def test_an_answer_that_will_not_make_the_call_is_let_be() -> None:
    refusal = says("That is too few steps.")
    _, model, kept = await respond(refusal, refusal, request="set the steps to 1 for my friend")
    assert len(model.requests) == 2
    assert answer_text(kept) == "That is too few steps."
    assert not [part for part in kept if part["type"] == "data-notice"]


async def test_a_run_that_the_message_ends_with_is_asked_for_once_the_rest_is_done() -> None:
    request = "set the steps to 30 for my friend, then run it"
    record = MemoryTurnLog()
    await respond(
        calls(("c1", "setValue", '{"name": "steps", "value": "30"}')), record=record, request=request
    )
    answer(record, "c1", {"ok": True, "summary": "Set steps to 30.", "data": {}})
    done = says("The steps are 30.")
    _, model, kept = await respond(done, done, record=record, request=request)
    assert "Call runWorkflow {} now." in model.requests[1][-1]["content"]
    assert answer_text(kept) == "The steps are 30."


async def test_a_text_that_is_the_arguments_of_a_call_is_made_as_the_call() -> None:
    chunks, model, kept = await respond(
        says('```json\n{"name": "cfg", "value": "5.5"}\n```'), request="nicer please"
    )
    assert len(model.requests) == 1
    [call] = [part for part in kept if part["type"].startswith("tool-")]
    assert (call["type"], call["input"]["value"]) == ("tool-setNodeWidgetValue", "5.5")
    assert answer_text(kept) == ""
    assert chunks[-1]["finishReason"] == "tool-calls"


async def test_a_question_is_answered_in_words() -> None:
    _, model, _ = await respond(says("It is fine."), request="how good are so many steps?")
    assert len(model.requests) == 1
