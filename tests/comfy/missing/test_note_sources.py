from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.missing.note_sources import sources_in_notes

ADDRESS = "https://huggingface.co/a/b/resolve/main/red%20one.safetensors"


@pytest.mark.parametrize(
    "text",
    [
        ADDRESS,
        f"Get it at {ADDRESS}.",
        f"- [red one.safetensors]({ADDRESS})\n- more",
        f"**{ADDRESS}**",
        f"[{ADDRESS}]({ADDRESS})",
        f'<a href="{ADDRESS}">here</a>',
    ],
)
def test_an_address_is_read_however_a_note_has_it(text):
    note = {"type": "Note", "widgets_values": [text]}
    in_subgraph = {"nodes": [], "definitions": {"subgraphs": [{"id": "s", "nodes": [note]}]}}

    assert sources_in_notes({"nodes": [note]}) == {"red one.safetensors": ADDRESS}
    assert sources_in_notes(in_subgraph) == {"red one.safetensors": ADDRESS}


@pytest.mark.parametrize(
    "text",
    ["http://x.org/a.safetensors", "https://x.org/a.zip", "https://[x/a.safetensors", "a.safetensors", ""],
)
def test_other_texts_name_no_source(text):
    assert sources_in_notes({"nodes": [{"type": "Note", "widgets_values": [text, 7]}]}) == {}
    assert sources_in_notes({"nodes": [{"type": "ShowText", "widgets_values": [ADDRESS]}]}) == {}
