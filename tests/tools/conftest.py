from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from comfyui_assistant.engine.environment.recorded import RecordedComfy
from comfyui_assistant.engine.environment.scan import EnvironmentScanner
from comfyui_assistant.engine.environment.templates import TemplateShelf
from comfyui_assistant.engine.skills.loader import SkillFolders
from comfyui_assistant.engine.tools.tool import ToolServices
from comfyui_assistant.engine.web.node_registry import RegisteredPackage, RegistryUnavailable

FIXTURES = Path(__file__).parent.parent / "fixtures"


@dataclass
class Registry:
    """A registry that has these packages, or is out of reach."""

    packages: list[RegisteredPackage] = field(default_factory=list)
    trouble: str = ""

    async def search(self, query: str, *, limit: int) -> list[RegisteredPackage]:
        if self.trouble:
            raise RegistryUnavailable(self.trouble)
        return self.packages[:limit]


@pytest.fixture
def comfy() -> RecordedComfy:
    """Core nodes of ComfyUI 0.3.75, as /object_info gave them, and a few model files."""
    return RecordedComfy(
        object_info=json.loads((FIXTURES / "object_info.json").read_text(encoding="utf-8")),
        models={
            "checkpoints": ["sd_xl_base_1.0.safetensors", "SD1.5/v1-5-pruned-emaonly.safetensors"],
            "loras": ["add_detail.safetensors"],
            "vae": [],
            "diffusion_models": ["flux1-dev.safetensors"],
        },
    )


@pytest.fixture
def services(comfy, tmp_path) -> ToolServices:
    return ToolServices(
        environment=EnvironmentScanner(comfy),
        system_skills=SkillFolders((FIXTURES / "skills",)),
        user_skills=SkillFolders((tmp_path / "skills",)),
        templates=TemplateShelf(comfy),
        registry=Registry(),
    )
