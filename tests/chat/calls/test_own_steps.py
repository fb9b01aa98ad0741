from __future__ import annotations

from dataclasses import replace
from typing import Any

from comfyui_assistant.engine.chat.calls.plain_calls import PlainCalls
from comfyui_assistant.engine.chat.turn.turn import Turn
from comfyui_assistant.engine.chat.turn.turn_clock import TurnClock
from comfyui_assistant.engine.context.tool_facts import ToolFacts
from comfyui_assistant.engine.messages import answer_text
from comfyui_assistant.engine.plain.request.courtesies import without_courtesies
from comfyui_assistant.engine.plain.workflow import Workflow
from comfyui_assistant.engine.store.log.thread_log import LogEvent, fold

from tests.fake_model import FakeModel, calls, says

from ...plain.workflows import DEFAULT, DEFAULT_NODES, ENVIRONMENT, node, workflow
from ..one_response import MemoryTurnLog, answer, setup

FACTS = {
    "removeNode": ToolFacts("edits"),
    "undoTurn": ToolFacts("edits"),
    "setNodeWidgetValue": ToolFacts("edits"),
    "editWorkflow": ToolFacts("edits"),
    "executeWorkflow": ToolFacts("runs"),
}
DONE = {"ok": True, "summary": "Done.", "data": {}}


def changed(node: str, **values: Any) -> Workflow:
    nodes = [
        {**each, "values": [{"name": name, "value": value} for name, value in values.items()]}
        if each["id"] == node
        else each
        for each in DEFAULT_NODES
    ]
    return workflow(*nodes)


def asked(request: str) -> MemoryTurnLog:
    record = MemoryTurnLog()
    record.events = [LogEvent("user", "u1", {"parts": [{"type": "text", "text": request}]})]
    return record


async def respond(
    record: MemoryTurnLog,
    *replies: Any,
    flow: Workflow = DEFAULT,
    is_slim: bool = True,
    is_late: bool = False,
    question: str = "",
) -> tuple[FakeModel, list[Any]]:
    request = record.events[0].payload["parts"][0]["text"]
    model = FakeModel(*replies)

    async def plain() -> PlainCalls:
        return PlainCalls(flow, ENVIRONMENT, without_courtesies(request), asked=question)

    options = replace(setup(), plain_calls=plain, browser_tools=frozenset(FACTS))
    options.context.frame = replace(options.context.frame, facts=FACTS, is_slim=is_slim)
    if is_late:
        moments = iter([0.0, 60.0])
        clock = TurnClock(lambda: next(moments, 60.0))
        with clock.running():
            pass
        options = replace(options, clock=clock)
    turn = Turn(fold(record.events), message_id="a1", setup=options, model=model, log=record)
    async for _ in turn.run():
        pass
    return model, fold(record.events)[-1]["parts"]


def calls_in(parts: list[Any]) -> list[Any]:
    return [part for part in parts if part["type"].startswith("tool-")]


async def test_what_is_ordered_in_so_many_words_is_done_and_told_without_a_model() -> None:
    record = asked("make it 30 steps please")
    model, parts = await respond(record)
    [call] = calls_in(parts)
    assert (call["type"], call["input"]) == (
        "tool-setNodeWidgetValue",
        {"node": "3", "widget": "steps", "value": "30"},
    )
    answer(record, call["toolCallId"], DONE)
    second, parts = await respond(record, flow=changed("3", steps=30))
    assert model.requests == second.requests == []
    assert answer_text(parts) == "steps = 30"


async def test_what_is_so_already_is_told_without_a_call_or_a_model() -> None:
    model, parts = await respond(asked("set the steps to 20, please, and cfg 8"))
    assert model.requests == calls_in(parts) == []
    assert answer_text(parts) == "steps is already 20.\n\ncfg is already 8."


async def test_how_something_is_done_is_told_by_its_values_and_not_done() -> None:
    model, parts = await respond(asked("how do I make the image bigger?"))
    assert model.requests == calls_in(parts) == []
    assert answer_text(parts) == (
        "Set width to 768 (512 now), height to 768 (512 now). Say “make the image bigger”, and it is set."
    )


async def test_a_value_that_is_to_hold_for_all_chats_is_a_rule_for_the_model() -> None:
    model, _ = await respond(asked("from now on use 30 steps"))
    assert len(model.requests) == 1


async def test_several_values_are_set_at_once_and_told_as_they_are_then() -> None:
    record = asked("1216x832")
    _, parts = await respond(record)
    [call] = calls_in(parts)
    assert call["type"] == "tool-editWorkflow"
    answer(record, call["toolCallId"], DONE)
    _, parts = await respond(record, flow=changed("5", width=1216, height=832))
    assert answer_text(parts) == "width = 1216\n\nheight = 832"


async def test_the_run_that_is_ordered_too_follows_and_is_told_by_its_own_summary() -> None:
    record = asked("set steps to 30 and run it")
    _, parts = await respond(record)
    answer(record, calls_in(parts)[0]["toolCallId"], DONE)
    model, parts = await respond(record, flow=changed("3", steps=30))
    assert [call["type"] for call in calls_in(parts)] == ["tool-setNodeWidgetValue", "tool-executeWorkflow"]
    assert model.requests == []
    answer(record, calls_in(parts)[1]["toolCallId"], {**DONE, "summary": "Made one picture."})
    model, parts = await respond(record, flow=changed("3", steps=30))
    assert answer_text(parts).endswith("Made one picture.")
    assert "steps = 30" in answer_text(parts)
    assert model.requests == []


async def test_why_a_run_failed_is_told_by_its_result() -> None:
    record = asked("run it")
    _, parts = await respond(record)
    [call] = calls_in(parts)
    assert call["type"] == "tool-executeWorkflow"
    answer(record, call["toolCallId"], {"ok": False, "error": "No checkpoint."})
    model, parts = await respond(record)
    assert answer_text(parts) == "No checkpoint."
    assert model.requests == []


async def test_a_failed_run_that_is_to_be_repaired_goes_to_the_model() -> None:
    record = asked("run it and fix what is wrong")
    await respond(record, calls(("c1", "runWorkflow", "{}")))
    answer(record, "c1", {"ok": False, "error": "No checkpoint."})
    model, _ = await respond(record, says("It is missing."))
    assert len(model.requests) == 1


async def test_what_the_workflow_does_is_told_from_its_nodes() -> None:
    model, parts = await respond(asked("what does this workflow do?"))
    assert model.requests == []
    assert "makes an image from a text prompt" in answer_text(parts)
    assert "v1-5.safetensors" in answer_text(parts)


async def test_after_a_refusal_the_model_is_asked() -> None:
    record = asked("make it 30 steps")
    _, parts = await respond(record)
    answer(record, calls_in(parts)[0]["toolCallId"], {"ok": False, "error": "No.", "hint": "Less."})
    model, parts = await respond(record, says("That did not work."))
    assert len(model.requests) == 1
    assert model.requests[0][-2]["tool_calls"][0]["function"]["name"] == "setValue"
    assert answer_text(parts) == "That did not work."


async def test_a_message_that_says_more_and_the_full_form_go_to_the_model() -> None:
    model, _ = await respond(asked("render a cat with 30 steps"), says("No."), says("No."))
    assert model.requests
    model, _ = await respond(asked("make it 30 steps"), says("No."), is_slim=False)
    assert model.requests


async def test_a_message_with_a_file_goes_to_the_model() -> None:
    record = asked("make it 30 steps")
    file = {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,"}
    record.events[0].payload["parts"].append(file)
    model, _ = await respond(record, says("A picture."), says("A picture."))
    assert model.requests


async def test_where_it_is_late_what_a_call_came_to_is_told_by_its_result() -> None:
    record = asked("ditch the save image")
    await respond(record, calls(("c1", "removeNode", '{"node": "9"}')))
    answer(record, "c1", {"ok": True, "summary": "Removed node 9.", "data": {}})
    model, parts = await respond(record, is_late=True)
    assert answer_text(parts) == "Removed node 9."
    assert model.requests == []


async def test_where_more_was_asked_for_the_model_goes_on_however_late_it_is() -> None:
    record = asked("ditch the save image and make it nicer")
    await respond(record, calls(("c1", "removeNode", '{"node": "9"}')))
    answer(record, "c1", {"ok": True, "summary": "Removed node 9.", "data": {}})
    model, _ = await respond(record, says("Done so far."), is_late=True)
    assert len(model.requests) == 1


async def test_where_it_is_late_the_second_failure_is_the_answer() -> None:
    record = asked("remove the blur")
    await respond(record, calls(("c1", "removeNode", '{"node": "blur"}')), says("Sorry."))
    model, parts = await respond(record, calls(("c2", "removeNode", '{"node": "blurs"}')), is_late=True)
    assert len(model.requests) == 1
    assert answer_text(parts).endswith('There is no node "blurs".')


async def test_what_is_ordered_to_be_done_to_nodes_is_done_at_once_and_told_by_its_result() -> None:
    record = asked("remove the save image")
    _, parts = await respond(record)
    [call] = calls_in(parts)
    assert (call["type"], call["input"]) == (
        "tool-editWorkflow",
        {"operations": [{"op": "remove", "nodes": ["9"]}]},
    )
    answer(record, call["toolCallId"], {"ok": True, "summary": "Removed Save Image (node 9).", "data": {}})
    model, parts = await respond(record)
    assert answer_text(parts) == "Removed Save Image (node 9)."
    assert model.requests == []


async def test_values_of_a_new_node_are_set_once_it_is_there_then_the_run_follows() -> None:
    record = asked("add a lora, set its strength model to 0.7 and run it")
    _, parts = await respond(record)
    assert calls_in(parts)[0]["input"]["operations"][0]["type"] == "LoraLoader"
    answer(record, calls_in(parts)[0]["toolCallId"], DONE)
    with_lora = workflow(
        *DEFAULT_NODES, node(10, "LoraLoader", {"model": "4", "clip": "4"}, strength_model=1)
    )
    _, parts = await respond(record, flow=with_lora)
    assert calls_in(parts)[1]["input"] == {"node": "10", "widget": "strength_model", "value": "0.7"}
    answer(record, calls_in(parts)[1]["toolCallId"], DONE)
    with_lora = workflow(
        *DEFAULT_NODES, node(10, "LoraLoader", {"model": "4", "clip": "4"}, strength_model=0.7)
    )
    model, parts = await respond(record, flow=with_lora)
    assert calls_in(parts)[2]["type"] == "tool-executeWorkflow"
    assert model.requests == []


async def test_what_is_left_over_beside_an_order_about_nodes_goes_to_the_model_with_all_of_it() -> None:
    model, parts = await respond(asked("remove the save image and make it nicer"), says("How?"), says("How?"))
    assert model.requests
    assert not calls_in(parts)


async def test_an_undo_beside_an_order_about_nodes_goes_to_the_model() -> None:
    model, parts = await respond(asked("undo that and add a lora"), says("How?"), says("How?"))
    assert model.requests
    assert not calls_in(parts)


async def test_the_last_turn_is_undone_without_a_model() -> None:
    record = asked("no, undo that please")
    _, parts = await respond(record)
    [call] = calls_in(parts)
    assert (call["type"], call["input"]) == ("tool-undoTurn", {})
    answer(record, call["toolCallId"], {"ok": True, "summary": "Undid your turn.", "data": {}})
    model, parts = await respond(record)
    assert answer_text(parts) == "Undid your turn."
    assert model.requests == []


async def test_what_the_picture_is_to_show_becomes_its_prompt_and_is_made_where_that_is_said() -> None:
    record = asked("draw me a dragon please")
    _, parts = await respond(record)
    [call] = calls_in(parts)
    assert call["input"] == {"node": "6", "widget": "text", "value": "a dragon"}
    answer(record, call["toolCallId"], DONE)
    model, parts = await respond(record, flow=changed("6", text="a dragon"))
    assert calls_in(parts)[1]["type"] == "tool-executeWorkflow"
    assert model.requests == []


async def test_a_prompt_of_two_texts_gets_the_subject_in_both() -> None:
    flux = node(6, "CLIPTextEncodeFlux", {"clip": "4"}, clip_l="a car", t5xxl="a long car")
    flow = workflow(*(flux if each["id"] == "6" else each for each in DEFAULT_NODES))
    _, parts = await respond(asked("turn it into a fox and a hound"), flow=flow)
    [call] = calls_in(parts)
    assert [each["widgets"] for each in call["input"]["operations"]] == [
        {"clip_l": "a fox and a hound"},
        {"t5xxl": "a fox and a hound"},
    ]


async def test_a_video_is_not_made_with_a_workflow_that_makes_images() -> None:
    model, parts = await respond(asked("make a video of a dragon"), says("It makes images."), says("So."))
    assert model.requests
    assert not calls_in(parts)


async def test_a_bare_answer_is_a_prompt_where_the_assistant_asked_what_to_show() -> None:
    record = asked("a lighthouse")
    model, parts = await respond(record, question="What should the picture show?")
    [call] = calls_in(parts)
    assert call["input"] == {"node": "6", "widget": "text", "value": "a lighthouse"}
    assert model.requests == []
    model, parts = await respond(
        asked("an oil painting of a ship"), says("Which?"), question="Which of the two nodes did you mean?"
    )
    assert calls_in(parts) == []
    assert len(model.requests) == 1


async def test_go_ahead_runs_only_where_nothing_else_was_asked() -> None:
    model, parts = await respond(asked("go ahead"), says("Removed."), question="Should I remove the preview?")
    assert calls_in(parts) == []
    assert len(model.requests) == 1
    _, parts = await respond(asked("go ahead"), question="Shall I run it now?")
    assert [call["type"] for call in calls_in(parts)] == ["tool-executeWorkflow"]


async def test_a_question_after_a_value_is_answered_from_the_workflow() -> None:
    model, parts = await respond(asked("wie viele Schritte?"))
    assert (len(model.requests), parts[-1]["text"]) == (0, "steps = 20")


async def test_of_very_many_values_the_first_are_told_with_how_to_ask_for_the_others() -> None:
    flow = workflow(*(node(number, "KSampler", steps=number) for number in range(1, 1_001)))
    _, parts = await respond(asked("how many steps?"), flow=flow)
    told = answer_text(parts).split("\n\n")
    assert (told[0], told[11]) == ("KSampler 1 steps = 1", "KSampler 12 steps = 12")
    assert told[12:] == ["… and 988 more. Ask for one by its number, such as node 13."]

    _, parts = await respond(asked("how many steps does node 13 take?"), flow=flow)
    assert answer_text(parts) == "KSampler 13 steps = 13"
