"""`contract/serverTools.json` is what the panel shows of calls of the server's tools: make contract."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from comfyui_assistant.engine.tools import SERVER_TOOLS

CONTRACT = Path(__file__).parents[2] / "contract" / "serverTools.json"


def test_the_committed_labels_are_those_of_the_tools() -> None:
    labels = {tool.name: tool.label for tool in SERVER_TOOLS}
    text = json.dumps(labels, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("WRITE_CONTRACT"):
        CONTRACT.write_text(text, "utf-8")
    assert CONTRACT.read_text("utf-8") == text, "run make contract"


def test_a_label_quotes_only_arguments_that_its_tool_takes() -> None:
    for tool in SERVER_TOOLS:
        quoted = {name for names in re.findall(r" \{([\w|]+)\}", tool.label) for name in names.split("|")}
        assert quoted <= set(tool.input.model_fields), tool.name
        assert not re.search(r"[{}]", re.sub(r" \{[\w|]+\}", "", tool.label)), tool.name
