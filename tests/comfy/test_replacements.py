from __future__ import annotations

from comfyui_assistant.engine.comfy.replacements import read_replacements


def test_a_type_is_replaced_by_the_first_installed_one_that_is_listed_for_it():
    listed = {
        "Old": [{"new_node_id": "Gone"}, {"new_node_id": "New"}, {"new_node_id": "Newer"}],
        "Older": [{"new_node_id": "Gone"}],
        "Same": [{"new_node_id": "Same"}],
        "Odd": ["x", {"new_node_id": 3}, None],
        "Wrong": 7,
    }
    assert read_replacements(listed, {"New", "Newer", "Same"}) == {"Old": "New"}
