from __future__ import annotations

import pytest
from comfyui_assistant.engine.environment.plain_words import FILE, plain_words


def test_each_line_of_the_file_tells_of_one_core_node(all_core_nodes):
    lines = [line for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert len(plain_words()) == len(lines)
    assert set(plain_words()) <= {node.type for node in all_core_nodes}
    assert all(said == said.strip() != "" for said in plain_words().values())


def test_they_cannot_be_changed():
    with pytest.raises(TypeError):
        plain_words()["KSampler"] = "x"
