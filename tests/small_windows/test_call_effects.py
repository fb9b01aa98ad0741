from __future__ import annotations

from comfyui_assistant.engine.small_windows.call import BrowserCall, edit
from comfyui_assistant.engine.small_windows.call_effects import apply_call

from .workflows import DEFAULT, ENVIRONMENT


def test_behind_a_call_the_node_that_it_makes_is_there_with_its_values() -> None:
    found = apply_call(DEFAULT, edit({"op": "insert", "type": "LoraLoader", "from": "4.MODEL"}), ENVIRONMENT)
    made = found.node("LoraLoader")
    assert made is not None
    assert made.is_new
    assert [*made.values] == ["lora_name", "strength_model", "strength_clip"]
    assert len(found.nodes) == len(DEFAULT.nodes) + 1


def test_a_node_that_takes_the_place_of_another_has_its_id() -> None:
    replacing = edit({"op": "replace", "nodes": ["9"], "type": "ImageScaleBy"})
    made = apply_call(DEFAULT, replacing, ENVIRONMENT).node("9")
    assert made is not None
    assert (made.type, made.is_new) == ("ImageScaleBy", False)
    assert [*made.values] == ["upscale_method", "scale_by"]


def test_a_node_that_is_taken_out_is_not_there() -> None:
    assert apply_call(DEFAULT, BrowserCall("removeNode", {"node": "9"}), ENVIRONMENT).node("9") is None


def test_a_type_that_is_only_the_pages_has_no_values_that_are_known() -> None:
    made = apply_call(DEFAULT, BrowserCall("addNode", {"type": "Reroute"}), ENVIRONMENT).node("Reroute")
    assert made is not None
    assert not made.values


def test_what_changes_no_node_leaves_the_workflow_as_it_is() -> None:
    assert apply_call(DEFAULT, BrowserCall("executeWorkflow"), ENVIRONMENT) is DEFAULT
