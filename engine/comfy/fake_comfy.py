"""A fake ComfyUI that answers from recorded values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..base.caller import DEFAULT_USER
from .exposure import Exposure
from .host import FileKind, GraphicsMemory, HelpFolder, TemplateFolder
from .load_failures import LoadFailure

NodeInfo = Mapping[str, Any] | Callable[[], Mapping[str, Any]]


@dataclass
class FakeComfy:
    """A host with the recorded answer of /object_info. An entry may be a function, to raise or to take long.

    With `users` it acts as if it was started with --multi-user.
    """

    object_info: dict[str, NodeInfo]
    models: dict[str, list[str]] = field(default_factory=dict)
    package_names: list[str] = field(default_factory=list)
    directory: Path = Path("user/__comfyui_assistant")
    input_files: list[str] = field(default_factory=list)
    help_pages: list[HelpFolder] = field(default_factory=list)
    templates: list[TemplateFolder] = field(default_factory=list)
    failures: list[LoadFailure] = field(default_factory=list)
    memory: int | None = None
    graphics: GraphicsMemory | None = None
    runs: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    users: list[str] = field(default_factory=list)
    exposed: Exposure = field(default_factory=Exposure)
    open_pages: set[str] = field(default_factory=set)
    sent: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    replacements: dict[str, Any] = field(default_factory=dict)
    checks: dict[str, list[str]] = field(default_factory=dict)

    def node_types(self) -> Sequence[str]:
        return list(self.object_info)

    def node_info(self, node_type: str) -> Mapping[str, Any]:
        info = self.object_info[node_type]
        return info() if callable(info) else info

    def node_classes_version(self) -> Hashable:
        return tuple((name, id(info)) for name, info in self.object_info.items())

    def node_replacements(self) -> Mapping[str, Any]:
        return self.replacements

    def own_checks(self) -> Mapping[str, Sequence[str]]:
        return self.checks

    def model_folders(self) -> Sequence[str]:
        return list(self.models)

    def model_files(self, folder: str) -> Sequence[str]:
        return self.models[folder]

    def model_places(self, folder: str) -> Sequence[Path]:
        return [self.directory / "models" / folder]

    def input_files_version(self) -> Hashable:
        return tuple(self.input_files)

    def packages(self) -> Sequence[str]:
        return self.package_names

    def package_folders(self) -> Sequence[Path]:
        return [self.directory / "custom_nodes" / name for name in self.package_names]

    def load_failures(self) -> Sequence[LoadFailure]:
        return self.failures

    def help_folders(self) -> Sequence[HelpFolder]:
        return self.help_pages

    def template_folders(self) -> Sequence[TemplateFolder]:
        return self.templates

    def file_directory(self, kind: FileKind) -> Path:
        return self.directory / kind

    def run_record(self, prompt_id: str) -> Mapping[str, Any] | None:
        return self.runs.get(prompt_id)

    def is_page_open(self, page: str) -> bool:
        return page in self.open_pages

    def send_event(self, page: str, event: str, data: Mapping[str, Any]) -> None:
        self.sent.append((page, event, dict(data)))

    def graphics_memory(self) -> GraphicsMemory | None:
        return self.graphics

    def memory_bytes(self) -> int | None:
        return self.memory

    def exposure(self) -> Exposure:
        return self.exposed

    def user_of(self, request: Any) -> str | None:
        user = request.headers.get("comfy-user", DEFAULT_USER) if self.users else DEFAULT_USER
        return user if user in (self.users or [DEFAULT_USER]) else None

    def data_directory(self) -> Path:
        return self.directory
