from __future__ import annotations

from comfyui_assistant.engine.plain.told_in_part import MOST_TOLD, more_told

from .workflows import node, workflow


def test_how_many_more_there_are_is_told_with_how_to_ask_for_one() -> None:
    nodes = workflow(*(node(number, "VAEDecode") for number in range(1, 2_001))).nodes
    assert more_told(nodes[:MOST_TOLD]) == ""
    assert more_told(nodes) == "… and 1,988 more. Ask for one by its number, such as node 13."
