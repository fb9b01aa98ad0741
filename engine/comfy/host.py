"""The interface to ComfyUI by which the engine learns what is installed in it."""

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
    """A folder of workflows as JSON files. `package` is the custom node package; None for ComfyUI's own."""

    path: Path
    package: str | None = None


@dataclass(frozen=True)
class HelpFolder:
    """A folder of pages on nodes, `<type>.md` or `<type>/en.md`; `is_own` where they come with ComfyUI itself."""

    path: Path
    is_own: bool = False


@dataclass(frozen=True)
class GraphicsMemory:
    """Graphics memory in bytes: in all, held by programs beside ComfyUI (`others`), and by ComfyUI (`own`)."""

    total: int
    others: int
    own: int = 0


class ComfyHost(Protocol):
    """Blocking calls for worker threads; each may raise whatever a custom node package raises."""

    def node_types(self) -> Sequence[str]: ...

    def node_info(self, node_type: str) -> Mapping[str, Any]:
        """Return a node type in the form of /object_info."""
        ...

    def own_checks(self) -> Mapping[str, Sequence[str]]:
        """Return by node type the inputs that ComfyUI leaves to a check of the type's own; "*" stands for all.

        ComfyUI does not check whether the value of such an input is one of its choices, and /object_info does not say
        so.
        """
        ...

    def node_classes_version(self) -> Hashable:
        """Return a value that changes whenever a node type is added, removed or reloaded."""
        ...

    def node_replacements(self) -> Mapping[str, Any]:
        """Return by node type its replacements, in the form of /node_replacements."""
        ...

    def model_folders(self) -> Sequence[str]: ...

    def model_files(self, folder: str) -> Sequence[str]:
        """Return file names as ComfyUI's widgets want them: relative to the folder, in the system's own slashes."""
        ...

    def model_places(self, folder: str) -> Sequence[Path]:
        """Return the directories of a model folder; new files are put into the first."""
        ...

    def file_directory(self, kind: FileKind) -> Path:
        """Return the directory of input, output or temporary files. Does not block."""
        ...

    def input_files_version(self) -> Hashable:
        """Return a value that changes with the input folder's files, which some choices list."""
        ...

    def packages(self) -> Sequence[str]: ...

    def package_folders(self) -> Sequence[Path]:
        """Return the folders of the enabled packages, including those that did not load."""
        ...

    def load_failures(self) -> Sequence[LoadFailure]:
        """Return the modules of nodes that are present and did not load."""
        ...

    def help_folders(self) -> Sequence[HelpFolder]:
        """Return the folders of help pages, ComfyUI's own first."""
        ...

    def template_folders(self) -> Sequence[TemplateFolder]:
        """Return the folders of example workflows, ComfyUI's own first."""
        ...

    def memory_bytes(self) -> int | None:
        """Return the memory of the device that models run on; None where it is unknown."""
        ...

    def run_record(self, prompt_id: str) -> Mapping[str, Any] | None:
        """Return ComfyUI's history entry of a finished run: `prompt`, `outputs`, `status`."""
        ...

    def is_page_open(self, page: str) -> bool:
        """Return whether a browser page is connected, by its id on ComfyUI's websocket. Does not block."""
        ...

    def send_event(self, page: str, event: str, data: Mapping[str, Any]) -> None:
        """Send an event to a page over ComfyUI's websocket; a page that is gone is ignored. Does not block."""
        ...

    def graphics_memory(self) -> GraphicsMemory | None:
        """Return the memory of the graphics card; None where models run elsewhere or it is unknown."""
        ...

    def exposure(self) -> Exposure:
        """Return which other machines can reach ComfyUI."""
        ...

    def user_of(self, request: Any) -> str | None:
        """Return the user of a request; None for one that ComfyUI does not know. Does not block."""
        ...

    def data_directory(self) -> Path:
        """Return the extension's data folder: not readable over HTTP, not lost at a reinstall."""
        ...
