from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.host import TemplateFolder
from comfyui_assistant.engine.comfy.registry.node_registry import RegisteredPackage, RegistryUnavailable
from comfyui_assistant.engine.comfy.scan import EnvironmentScanner
from comfyui_assistant.engine.comfy.templates import TemplateShelf
from comfyui_assistant.engine.tools.tool import ToolResult, ToolServices, success
from comfyui_assistant.engine.user.skills.loader import SkillFolders

FIXTURES = Path(__file__).parent.parent / "fixtures"
FLUX_FILE = {
    "name": "flux1-dev-fp8.safetensors",
    "directory": "diffusion_models",
    "url": "https://example.org/f",
}
WORKFLOWS = {
    "flux_future": {"nodes": [{"type": "FluxNine"}]},
    "flux_dev": {
        "nodes": [{"type": "KSampler"}, {"type": "VAEDecode", "properties": {"models": [FLUX_FILE]}}]
    },
    "sdxl_ready": {"nodes": [{"type": "KSampler", "widgets_values": ["sd_xl_base_1.0.safetensors"]}]},
    "broken": [],
}


@dataclass
class Registry:
    """A registry that has these packages, or is out of reach."""

    packages: list[RegisteredPackage] = field(default_factory=list)
    trouble: str = ""

    async def search(self, query: str, *, limit: int) -> list[RegisteredPackage]:
        if self.trouble:
            raise RegistryUnavailable(self.trouble)
        return self.packages[:limit]


@dataclass
class Conversation:
    """A conversation that remembers what was given to a helper, and which thread read it."""

    messages: list[Any]
    delegated: list[tuple[str, list[str]]] = field(default_factory=list)
    others: list[Any] | None = None
    in_files: list[Any] = field(default_factory=list)
    file_texts: dict[int, str] = field(default_factory=dict)

    def conversation(self) -> list[Any]:
        return self.messages

    async def cross_chat_search(self, query: str) -> list[Any] | None:
        del query
        return self.others

    async def places_in_files(self, query: str) -> list[Any]:
        del query
        return self.in_files

    async def file_text(self, number: int) -> str | None:
        return self.file_texts.get(number)

    async def delegate(self, task: str, inputs: Sequence[str]) -> ToolResult:
        self.delegated.append((task, list(inputs)))
        return success("Looked it up.", {"result": "There are 3."})


@pytest.fixture
def conversation() -> Conversation:
    return Conversation([])


@pytest.fixture
def comfy() -> FakeComfy:
    """Core nodes of ComfyUI 0.3.75, as /object_info gave them, and a few model files."""
    return FakeComfy(
        object_info=json.loads((FIXTURES / "object_info.json").read_text(encoding="utf-8")),
        models={
            "checkpoints": ["sd_xl_base_1.0.safetensors", "SD1.5/v1-5-pruned-emaonly.safetensors"],
            "loras": ["add_detail.safetensors"],
            "vae": [],
            "diffusion_models": ["flux1-dev.safetensors"],
        },
    )


@pytest.fixture
def services(comfy, tmp_path, conversation) -> ToolServices:
    return ToolServices(
        environment=EnvironmentScanner(comfy),
        system_skills=SkillFolders((FIXTURES / "skills",)),
        user_skills=SkillFolders((tmp_path / "skills",)),
        templates=TemplateShelf(comfy),
        registry=Registry(),
        thread=conversation,
    )


@pytest.fixture
def templates(comfy, tmp_path) -> None:
    """One template that runs here, one that lacks a model, one that lacks a node and one that is none."""
    folder = tmp_path / "templates"
    folder.mkdir()
    for name, workflow in WORKFLOWS.items():
        (folder / f"{name}.json").write_text(json.dumps(workflow), encoding="utf-8")
    entries = [{"name": "flux_future", "title": "Flux"}, {"name": "flux_dev", "description": "Draws. " * 40}]
    (folder / "index.json").write_text(json.dumps([{"templates": entries}]), encoding="utf-8")
    comfy.templates.append(TemplateFolder(folder))
