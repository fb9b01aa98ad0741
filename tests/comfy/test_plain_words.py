from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.node_definition import NodeDefinition
from comfyui_assistant.engine.comfy.plain_words import FILE, PACKAGES_FILE, plain_words, plain_words_of


def test_each_line_of_the_file_tells_of_one_core_node(all_core_nodes, newest_nodes):
    lines = [line for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert len(plain_words()) == len(lines)
    assert set(plain_words()) <= {node.type for node in (*all_core_nodes, *newest_nodes)}
    assert all(said == said.strip() != "" for said in plain_words().values())


def test_they_cannot_be_changed():
    with pytest.raises(TypeError):
        plain_words()["KSampler"] = "x"


def test_each_line_of_the_packages_file_tells_of_one_node():
    lines = [line for line in PACKAGES_FILE.read_text("utf-8").splitlines() if line and line[0] != "#"]
    assert len(plain_words(PACKAGES_FILE)) == len(lines)
    assert not set(plain_words(PACKAGES_FILE)) & set(plain_words())


def test_words_for_packages_are_not_said_of_core_nodes_nor_the_other_way_round():
    def words(node_type: str, package: str | None = None, *, is_page_only: bool = False) -> str:
        definition = NodeDefinition(
            node_type, node_type, "", "", (), (), package=package, is_page_only=is_page_only
        )
        return plain_words_of(definition)

    assert "wire" in words("SetNode", is_page_only=True)
    assert "mp4" in words("VHS_VideoCombine", "videohelpersuite")
    assert words("KSampler") != words("KSampler", "some-pack") == ""
    assert words("VHS_VideoCombine") == ""
