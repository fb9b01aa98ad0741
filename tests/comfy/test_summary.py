from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.node_definition import NodeDefinition
from comfyui_assistant.engine.comfy.snapshot import Environment
from comfyui_assistant.engine.comfy.summary import (
    EnvironmentSummary,
    read_summary,
    save_summary,
    summarize,
    summary_path,
)


@pytest.mark.parametrize(
    ("summary", "text"),
    [
        (EnvironmentSummary(87, 523, 150), "87 packages, 523 node types, 150 models"),
        (EnvironmentSummary(1, 1, 1), "1 package, 1 node type, 1 model"),
        (EnvironmentSummary(0, 391, 0), "0 packages, 391 node types, 0 models"),
    ],
)
def test_the_summary_reads_as_one_line(summary, text):
    assert summary.text == text


def test_node_types_that_cannot_be_described_are_still_installed():
    node = NodeDefinition("A", "A", "", "", inputs=(), outputs=())
    environment = Environment.build(
        {"A": node}, {"loras": ("x", "y"), "vae": ()}, packages=("pack",), unreadable=("B",)
    )

    assert summarize(environment) == EnvironmentSummary(packages=1, node_types=2, models=2)


def test_a_kept_summary_is_read_back(tmp_path):
    save_summary(EnvironmentSummary(1, 2, 3), tmp_path)

    assert read_summary(tmp_path) == EnvironmentSummary(1, 2, 3)


@pytest.mark.parametrize("content", [None, "", "{", "[]", '{"packages": 1}', '{"packages": null}', "\x00"])
def test_without_a_readable_summary_there_is_none(tmp_path, content):
    if content is not None:
        summary_path(tmp_path).parent.mkdir(parents=True)
        summary_path(tmp_path).write_text(content, encoding="utf-8")

    assert read_summary(tmp_path) is None
