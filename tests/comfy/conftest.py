from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.node_definition import NodeDefinition, read_node_definition
from comfyui_assistant.engine.comfy.search import NodeIndex

FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.fixture(scope="session")
def object_info() -> dict[str, Any]:
    """Core nodes of ComfyUI 0.3.75, as /object_info gave them."""
    return json.loads((FIXTURES / "object_info.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def core_index(object_info) -> NodeIndex:
    return NodeIndex.build(read_node_definition(name, info) for name, info in object_info.items())


@pytest.fixture(scope="session")
def all_core_nodes() -> list[NodeDefinition]:
    """Every core node type of ComfyUI 0.3.75, without choices and limits."""
    recorded = json.loads((FIXTURES / "core_nodes.json").read_text(encoding="utf-8"))
    return [read_node_definition(name, info) for name, info in recorded.items()]


@pytest.fixture(scope="session")
def newest_nodes() -> list[NodeDefinition]:
    """Those of a newer ComfyUI, without their descriptions."""
    recorded = json.loads((FIXTURES / "newest_nodes.json").read_text(encoding="utf-8"))
    return [read_node_definition(name, info) for name, info in recorded.items()]
