"""What a tool that lists shows and what it tells as left out is all there is, and it says how to ask for the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.host import TemplateFolder
from comfyui_assistant.engine.context.results import ResultBudget
from comfyui_assistant.engine.tools.get_available_models import get_available_models
from comfyui_assistant.engine.tools.get_node_info import get_node_info
from comfyui_assistant.engine.tools.get_template import get_template
from comfyui_assistant.engine.tools.read_tool_result import read_tool_result
from comfyui_assistant.engine.tools.search_history import search_history
from comfyui_assistant.engine.tools.search_installed_nodes import search_installed_nodes
from comfyui_assistant.engine.tools.search_templates import search_templates
from comfyui_assistant.engine.tools.skills import list_user_skills
from comfyui_assistant.engine.tools.tool import ServerTool, run_server_tool

from ..context.conversations import user
from .conftest import Conversation

Data = dict[str, Any]


@dataclass(frozen=True)
class Listing:
    tool: ServerTool[Any]
    arguments: Data
    shown: Callable[[Data], int]
    left_out: Callable[[Data], int]
    all_there_are: int
    how: str
    """How to ask for the rest, as the result says it."""


TYPES = [f"Type{number}" for number in range(60)]
FILES = [f"file{number}.safetensors" for number in range(60)]
LISTINGS = [
    Listing(
        get_available_models,
        {"folder": "loras"},
        lambda data: len(data["models"]["loras"]),
        lambda data: data.get("more", 0),
        300,
        "Narrow it with query",
    ),
    Listing(
        search_installed_nodes,
        {"query": "image", "limit": 50},
        lambda data: len(data["nodes"]),
        lambda data: data.get("more", 0),
        28,
        "More words narrow it",
    ),
    Listing(
        search_templates,
        {"query": "mountain"},
        lambda data: len(data["templates"]),
        lambda data: data.get("more", 0),
        60,
        "limit shows up to 50",
    ),
    Listing(
        get_template,
        {"name": "large"},
        lambda data: sum(
            len(data.get(name, ())) for name in ("nodes", "models", "missingNodes", "missingModels")
        ),
        lambda data: sum(data.get("leftOut", {}).values()),
        60 + 60 + 60,
        'getWorkflowInfo with template "large"',
    ),
    Listing(
        search_history,
        {"query": "seed"},
        lambda data: len(data["hits"]),
        lambda data: int(data.get("leftOut", "0").split()[0]),
        30,
        "search with more words",
    ),
    Listing(
        read_tool_result,
        {"ref": "u31", "query": "comet"},
        lambda data: len(data["places"]),
        lambda data: data.get("more", 0),
        40,
        "nextOffset",
    ),
    Listing(
        list_user_skills,
        {},
        lambda data: len(data["skills"]),
        lambda data: len(data.get("others", ())),
        70,
        "others",
    ),
    Listing(
        get_node_info,
        {
            "types": ["KSampler", "SaveImage", "VAEDecode", "EmptyLatentImage", "CLIPTextEncode"] * 2
            + TYPES[:20]
        },
        lambda data: len(data["nodes"]) + len(data.get("notInstalled", ())),
        lambda data: len(data.get("notShown", ())),
        25,
        "in another call",
    ),
]


@pytest.fixture
def much(comfy: FakeComfy, conversation: Conversation, tmp_path: Path) -> None:
    comfy.models["loras"] = [f"lora{number:03}.safetensors" for number in range(300)]
    folder = tmp_path / "templates"
    folder.mkdir()
    large = [
        {"type": node_type, "properties": {"models": [{"name": file, "directory": "loras"}]}}
        for node_type, file in zip(TYPES, FILES, strict=True)
    ]
    (folder / "large.json").write_text(json.dumps({"nodes": large}), encoding="utf-8")
    for number in range(60):
        (folder / f"mountain_{number}.json").write_text(json.dumps({"nodes": []}), encoding="utf-8")
    comfy.templates.append(TemplateFolder(folder))
    conversation.messages += [user(f"m{number}", f"Seed {number}.") for number in range(30)]
    conversation.messages.append(user("m30", f"A comet. {'Far away. ' * 60}" * 40))
    for number in range(70):
        skill = tmp_path / "skills" / f"skill-{number}" / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(f"---\nname: Skill {number}\ndescription: Does it.\n---\nDo it.", encoding="utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("much")
@pytest.mark.parametrize("tokens", [400, 1_500, 6_000, 60_000])
@pytest.mark.parametrize("listing", LISTINGS, ids=lambda listing: listing.tool.name)
async def test_what_is_shown_and_what_is_told_as_left_out_is_all(services, listing: Listing, tokens: int):
    services = replace(services, room=ResultBudget(tokens))
    result = await run_server_tool(listing.tool, listing.arguments, services)
    data = result["data"]
    shown, left_out = listing.shown(data), listing.left_out(data)

    assert shown >= 1
    assert shown + left_out == listing.all_there_are
    assert (listing.how in json.dumps(data, ensure_ascii=False).replace('\\"', '"')) is (left_out > 0)
