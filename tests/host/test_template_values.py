"""Which values of the official templates count, by what ComfyUI would run: `make test-templates`."""

from __future__ import annotations

import re

import pytest

from dev.templates import OF_THIS_COMFYUI
from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.official_templates import known_templates
from tests.host.template_damage import load

pytestmark = pytest.mark.all_templates

WIDGET = re.compile(r"^  (?!in |out )([^\s=]+)=.*?( \(unused: from \S+\))?$", re.MULTILINE)


def test_a_widget_is_marked_as_unused_where_a_link_or_another_widget_decides(
    comfy: ComfyPage, bridge: Bridge
):
    definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
    wrong: list[str] = []
    unused = 0
    for name, workflow in known_templates(OF_THIS_COMFYUI, definitions):
        load(bridge, workflow)
        prompt = comfy.prompt()
        for node, entry in prompt.items():
            text = bridge.call("getWorkflowInfo", {"nodeIds": [node]})["data"]["text"]
            for widget, mark in WIDGET.findall(text):
                value = entry["inputs"].get(widget)
                is_link = isinstance(value, list) and len(value) == 2 and isinstance(value[1], int)
                unused += bool(mark)
                if is_link and not mark:
                    wrong.append(f"{name} {node}.{widget} comes from {value}")
    assert wrong == []
    assert unused > 50
