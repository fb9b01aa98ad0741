from __future__ import annotations

from comfyui_assistant.engine.base.events import (
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolCallStarted,
    ToolInputAccepted,
    ToolInputRejected,
)
from comfyui_assistant.engine.base.extension_metadata import FlatCall
from comfyui_assistant.engine.chat.calls.calls import SortedCalls, ToolForm
from comfyui_assistant.engine.chat.calls.flat_tools import FlatTools
from comfyui_assistant.engine.comfy.snapshot import Environment
from comfyui_assistant.engine.small_windows.listing import listed_names, write_listing
from comfyui_assistant.engine.small_windows.open_workflow import Workflow

from ...small_windows.workflows import DEFAULT, ENVIRONMENT, TWO_LORA_NODES, TWO_LORAS, node, workflow


async def read() -> tuple[Workflow | None, Environment]:
    return DEFAULT, ENVIRONMENT


def accepted(tool: str, **arguments: str) -> ToolInputAccepted:
    return ToolInputAccepted(ToolCall("c1", tool, "{}", ""), arguments)


async def test_a_flat_call_goes_out_as_the_browsers_own_and_keeps_what_was_asked() -> None:
    [decision] = (
        await FlatTools(read).translate(SortedCalls((accepted("setValue", name="steps", value="30"),)))
    ).decisions
    assert isinstance(decision, ToolInputAccepted)
    assert (decision.call.name, decision.input) == (
        "setNodeWidgetValue",
        {"node": "3", "widget": "steps", "value": "30"},
    )
    assert decision.call.asked == FlatCall("setValue", {"name": "steps", "value": "30"})


async def test_one_that_names_nothing_there_is_answered_at_once() -> None:
    calls = SortedCalls((accepted("removeNode", node="the moon"),))
    [decision] = (await FlatTools(read).translate(calls)).decisions
    assert isinstance(decision, ToolInputRejected)
    assert "the moon" in decision.result["error"]


async def test_other_calls_stay_as_they_are_and_in_the_full_form_all_do() -> None:
    calls = SortedCalls((accepted("getNodeInfo", type="KSampler"),))
    assert await FlatTools(read).translate(calls) == calls
    flat = SortedCalls((accepted("setValue", name="steps", value="30"),))
    assert await ToolForm().translate(flat) == flat


async def test_what_an_earlier_call_of_the_reply_adds_can_be_named() -> None:
    calls = SortedCalls(
        (
            accepted("connectNodes", **{"from": "ImageScaleBy", "to": "Save Image.images"}),
            accepted("addNode", type="ImageScaleBy"),
            accepted("connectNodes", **{"from": "Upscale Image By", "to": "Save Image.images"}),
            accepted("setValue", name="ImageScaleBy.scale_by", value="2"),
            accepted("setValue", name="Upscale Image By scale by", value="2"),
            accepted("insertNode", type="ImageInvert", where="after", node="ImageScaleBy"),
        )
    )
    too_early, _, connected, valued, spoken, behind = (await FlatTools(read).translate(calls)).decisions
    assert isinstance(too_early, ToolInputRejected)
    assert isinstance(connected, ToolInputAccepted)
    assert connected.input == {"fromNode": "ImageScaleBy", "toNode": "9", "toInput": "images"}
    for each in (valued, spoken):
        assert isinstance(each, ToolInputAccepted)
        assert each.input == {"node": "ImageScaleBy", "widget": "scale_by", "value": "2"}
    assert isinstance(behind, ToolInputRejected)
    assert "its links are not known yet" in behind.result["error"]


async def test_the_values_of_what_an_earlier_call_of_the_reply_makes_have_their_names() -> None:
    calls = SortedCalls(
        (
            accepted("insertNode", type="LoraLoader", where="after", node="4"),
            accepted("setValue", name="lora", value="box.safetensors"),
            accepted("setValue", name="strength model", value="0.8"),
            accepted("replaceNode", node="9", type="ImageScaleBy"),
            accepted("setValue", name="9.scale_by", value="2"),
            accepted("setValue", name="9.filename_prefix", value="x"),
        )
    )
    _, lora, strength, _, scale, gone = (await FlatTools(read).translate(calls)).decisions
    made = [each.input for each in (lora, strength, scale) if isinstance(each, ToolInputAccepted)]
    assert [(each["node"], each["widget"]) for each in made] == [
        ("LoraLoader", "lora_name"),
        ("LoraLoader", "strength_model"),
        ("9", "scale_by"),
    ]
    assert isinstance(gone, ToolInputRejected)


async def test_a_name_that_fits_what_the_reply_makes_too_is_refused_as_one_of_several() -> None:
    calls = SortedCalls(
        (
            accepted("insertNode", type="KSampler", where="before", node="8"),
            accepted("setValue", name="steps", value="12"),
            accepted("setValue", name="KSampler.steps", value="12"),
            accepted("removeNode", node="KSampler"),
            accepted("setValue", name="seed", value="12"),
            accepted("setValue", name="3.steps", value="12"),
        )
    )
    _, *refused, meant = (await FlatTools(read).translate(calls)).decisions
    results = [each.result for each in refused if isinstance(each, ToolInputRejected)]
    assert len(results) == 4
    assert 'Use one of these: "3.steps". What this reply adds goes by its id' in results[0]["hint"]
    assert results[1]["error"] == '"KSampler" could be node 3 or what this reply adds.'
    assert results[2]["error"] == results[1]["error"]
    assert isinstance(meant, ToolInputAccepted)


async def test_a_name_of_the_list_stays_with_its_node_for_the_turn() -> None:
    shown = listed_names(write_listing(TWO_LORAS, room=2_000, count=len), TWO_LORAS)
    new = node(15, "LoraLoader", {"model": "11"}, lora_name="box.safetensors", strength_model=1)
    later = workflow(*TWO_LORA_NODES, new)

    async def read_later() -> tuple[Workflow | None, Environment]:
        return later, ENVIRONMENT

    form = FlatTools(read_later, shown)
    calls = [accepted("setValue", name=name, value="0.9") for name in ("LoRA 2 strength model", "LoRA 3")]
    second, third = (await form.translate(SortedCalls((*calls,)))).decisions
    assert isinstance(second, ToolInputAccepted)
    assert second.input["node"] == "13"
    assert isinstance(third, ToolInputRejected)
    assert '"15.lora_name"' in third.result["hint"]


async def test_names_are_not_looked_for_in_a_workflow_that_an_earlier_call_of_the_reply_replaces() -> None:
    calls = SortedCalls(
        (
            accepted("setValue", name="steps", value="30"),
            accepted("applyWorkflow", file="input/a.png"),
            accepted("setValue", name="steps", value="40"),
            accepted("runWorkflow"),
        )
    )
    before, loaded, behind, ran = (await FlatTools(read).translate(calls)).decisions
    assert isinstance(before, ToolInputAccepted)
    assert loaded == calls.decisions[1]
    assert isinstance(behind, ToolInputRejected)
    assert "applyWorkflow, which stands before it" in behind.result["error"]
    assert isinstance(ran, ToolInputAccepted)


async def test_a_refused_load_replaces_nothing() -> None:
    load = accepted("applyWorkflow", file="input/a.png")
    refused = ToolInputRejected(load.call, {"ok": False, "error": "No such file."})
    calls = SortedCalls((refused, accepted("setValue", name="steps", value="40")))
    kept, behind = (await FlatTools(read).translate(calls)).decisions
    assert kept is refused
    assert isinstance(behind, ToolInputAccepted)


def test_the_page_is_told_of_calls_in_the_flat_form_when_they_are_whole_so_that_their_order_stays() -> None:
    form = FlatTools(read)
    events = [
        TextDelta("Well."),
        ToolCallStarted("c1", "setValue"),
        ToolCallDelta("c1", "{"),
        ToolCallStarted("c2", "getNodeInfo"),
        ToolCallDelta("c2", "{"),
    ]
    assert [form.hides(event) for event in events] == [False, True, True, True, True]
    assert not any(map(ToolForm().hides, events))


def test_a_text_that_is_nothing_but_arguments_is_a_call_in_the_flat_form_alone() -> None:
    text = '{"name": "steps", "value": "30"}'
    call = FlatTools(read).parse_call(text)
    assert call is not None
    assert (call.name, call.arguments) == ("setValue", '{"name":"steps","value":"30"}')
    assert ToolForm().parse_call(text) is None
