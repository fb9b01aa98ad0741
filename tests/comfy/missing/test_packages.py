from __future__ import annotations

from comfyui_assistant.engine.comfy.missing.packages import NamedPackage, packages_of


def node(node_type, **properties):
    return {"type": node_type, "properties": properties}


def test_types_stand_by_the_package_that_their_nodes_name():
    workflow = {
        "nodes": [
            node("A", cnr_id="comfyui-kjnodes", ver="1.0.5"),
            node("B", cnr_id="comfyui-kjnodes", ver="1.0.5"),
            node("A"),
            node("C", aux_id="somebody/ComfyUI-Things", ver="abc"),
            node("D", cnr_id="comfy-core"),
            node("E", cnr_id="../../evil", aux_id="a/b/c"),
            node("F", cnr_id="here", ver="1"),
            {"type": "G"},
        ]
    }

    packages = packages_of(workflow, ["A", "B", "C", "D", "E", "G"])

    assert packages == [
        NamedPackage("comfyui-kjnodes", "1.0.5", ["A", "B"]),
        NamedPackage("somebody/ComfyUI-Things", "abc", ["C"]),
        NamedPackage("comfy-core", "", ["D"]),
        NamedPackage("", "", ["E", "G"]),
    ]
    assert [package.is_core for package in packages] == [False, False, True, False]
