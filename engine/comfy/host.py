"""What is asked of ComfyUI to know what is installed in it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from .exposure import Exposure
from .load_failures import LoadFailure

FileKind = Literal["input", "output", "temp"]


@dataclass(frozen=True)
class TemplateFolder:
    """Workflows as JSON files. `package` is the custom node package that brings them; None for ComfyUI's own."""

    path: Path
    package: str | None = None


@dataclass(frozen=True)
class HelpFolder:
    """Pages about nodes, `<type>.md` or `<type>/en.md`; `is_own` where they come with ComfyUI itself."""

    path: Path
    is_own: bool = False


@dataclass(frozen=True)
class GraphicsMemory:
    """In bytes. `others` is what programs beside ComfyUI hold of it, `own` what ComfyUI holds."""

    total: int
    others: int
    own: int = 0


class ComfyHost(Protocol):
    """Blocking calls, made from a worker thread; each may raise whatever a custom node package raises."""

    def node_types(self) -> Sequence[str]: ...

    def node_info(self, node_type: str) -> Mapping[str, Any]:
        """One node type in the form of /object_info."""
        ...

    def own_checks(self) -> Mapping[str, Sequence[str]]:
        """By node type, the inputs whose values ComfyUI leaves to a check of the type's own; "*" stands for all.

        Of such an input ComfyUI does not look whether a choice is one of its list. /object_info does not tell.
        """
        ...

    def node_classes_version(self) -> Hashable:
        """Another value whenever a node type came, went or was reloaded."""
        ...

    def node_replacements(self) -> Mapping[str, Any]:
        """By node type, what takes its place, in the form of /node_replacements."""
        ...

    def model_folders(self) -> Sequence[str]: ...

    def model_files(self, folder: str) -> Sequence[str]:
        """File names as ComfyUI's widgets want them: relative to the folder, in the system's own slashes."""
        ...

    def model_places(self, folder: str) -> Sequence[Path]:
        """The directories of a model folder; files are put into the first."""
        ...

    def file_directory(self, kind: FileKind) -> Path:
        """Where files lie that nodes and messages take, that runs saved, or that they only showed. Does not block."""
        ...

    def input_files_version(self) -> Hashable:
        """Another value whenever files came to or left the input folder, which some choices list."""
        ...

    def packages(self) -> Sequence[str]: ...

    def package_folders(self) -> Sequence[Path]:
        """Of the packages that are not switched off, also of those that did not load."""
        ...

    def load_failures(self) -> Sequence[LoadFailure]:
        """Modules of nodes that are there and did not load."""
        ...

    def help_folders(self) -> Sequence[HelpFolder]:
        """ComfyUI's own first."""
        ...

    def template_folders(self) -> Sequence[TemplateFolder]:
        """Folders with example workflows; ComfyUI's own first."""
        ...

    def memory_bytes(self) -> int | None:
        """Of the device that models are computed on; None where that cannot be told."""
        ...

    def run_record(self, prompt_id: str) -> Mapping[str, Any] | None:
        """What ComfyUI keeps of a run that has ended: `prompt`, `outputs`, `status`."""
        ...

    def is_page_open(self, page: str) -> bool:
        """Whether a page of the browser is connected, by the id that ComfyUI's websocket gave it. Does not block."""
        ...

    def tell_page(self, page: str, event: str, data: Mapping[str, Any]) -> None:
        """Over ComfyUI's websocket, to a page that may be gone. Does not block."""
        ...

    def graphics_memory(self) -> GraphicsMemory | None:
        """None where models are computed elsewhere, or the device does not tell."""
        ...

    def exposure(self) -> Exposure:
        """Who else can reach ComfyUI."""
        ...

    def user_of(self, request: Any) -> str | None:
        """The user that a request is from; None for one that ComfyUI does not know. Does not block."""
        ...

    def data_directory(self) -> Path:
        """Where this extension keeps its own files: not readable over HTTP, not lost at a reinstall."""
        ...
