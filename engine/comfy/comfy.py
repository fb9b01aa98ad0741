"""The host that is the running ComfyUI. No other module of the engine imports ComfyUI's own modules."""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ..base.caller import DEFAULT_USER
from .exposure import Exposure, exposure
from .host import FileKind, GraphicsMemory, HelpFolder, TemplateFolder
from .load_failures import LoadFailure, logged_reasons, read_failure

_DATA_FOLDER = "comfyui_assistant"
_NO_MODELS = frozenset({"custom_nodes", "configs"})
_TEMPLATE_PACKAGES = (
    "comfyui_workflow_templates",
    "comfyui_workflow_templates_core",
    "comfyui_workflow_templates_json",
)
_OWN_FOLDERS = ("comfy_extras", "comfy_api_nodes")
_EXAMPLE_FOLDERS = ("example_workflows", "example", "examples", "workflow", "workflows")


class RunningComfy:
    """Answers from ComfyUI's modules, which are imported at the first call that needs them, never before."""

    def __init__(self) -> None:
        self._logged: dict[str, str] = {}

    def node_types(self) -> Sequence[str]:
        import nodes

        return list(nodes.NODE_CLASS_MAPPINGS)

    def node_info(self, node_type: str) -> Mapping[str, Any]:
        import nodes

        node_class = nodes.NODE_CLASS_MAPPINGS[node_type]
        describe_itself = getattr(node_class, "GET_NODE_INFO_V1", None)
        if callable(describe_itself):
            return cast("Mapping[str, Any]", describe_itself())
        return {
            "input": node_class.INPUT_TYPES(),
            "output": node_class.RETURN_TYPES,
            "output_name": getattr(node_class, "RETURN_NAMES", node_class.RETURN_TYPES),
            "output_is_list": getattr(node_class, "OUTPUT_IS_LIST", ()),
            "display_name": nodes.NODE_DISPLAY_NAME_MAPPINGS.get(node_type),
            "description": getattr(node_class, "DESCRIPTION", ""),
            "category": getattr(node_class, "CATEGORY", ""),
            "python_module": getattr(node_class, "RELATIVE_PYTHON_MODULE", "nodes"),
            "output_node": bool(getattr(node_class, "OUTPUT_NODE", False)),
            "deprecated": bool(getattr(node_class, "DEPRECATED", False)),
            "search_aliases": getattr(node_class, "SEARCH_ALIASES", ()),
            "api_node": bool(getattr(node_class, "API_NODE", False)),
            "experimental": bool(getattr(node_class, "EXPERIMENTAL", False)),
        }

    def own_checks(self) -> Mapping[str, Sequence[str]]:
        """Return by node type the inputs with a check of the type's own.

        The rule is that of `validate_inputs` in ComfyUI's execution.py, which reads the signature of the check.
        """
        import nodes

        found: dict[str, Sequence[str]] = {}
        for node_type, node_class in list(nodes.NODE_CLASS_MAPPINGS.items()):
            check = _own_check(node_class)
            if callable(check):
                signature = inspect.getfullargspec(check)
                found[node_type] = signature.args if signature.varkw is None else ["*"]
        return found

    def node_classes_version(self) -> Hashable:
        import nodes

        return hash(
            tuple((name, id(node_class)) for name, node_class in list(nodes.NODE_CLASS_MAPPINGS.items()))
        )

    def node_replacements(self) -> Mapping[str, Any]:
        """Return what newer versions list under /node_replacements."""
        from server import PromptServer

        manager = getattr(PromptServer.instance, "node_replace_manager", None)
        return {} if manager is None else cast("Mapping[str, Any]", manager.as_dict())

    def model_folders(self) -> Sequence[str]:
        import folder_paths

        return [name for name in list(folder_paths.folder_names_and_paths) if name not in _NO_MODELS]

    def model_files(self, folder: str) -> Sequence[str]:
        """Return ComfyUI's own cached list, which compares the folders' times on each call."""
        import folder_paths

        return [name for name in folder_paths.get_filename_list(folder) if not _is_placeholder(name)]

    def model_places(self, folder: str) -> Sequence[Path]:
        """Return the folder of this name first: ComfyUI may list folders of older names before it."""
        import folder_paths

        places = [Path(path) for path in folder_paths.get_folder_paths(folder)]
        return sorted(places, key=lambda place: place.name != folder)

    def file_directory(self, kind: FileKind) -> Path:
        import folder_paths

        return Path(getattr(folder_paths, f"get_{kind}_directory")())

    def input_files_version(self) -> Hashable:
        import folder_paths

        try:
            return os.stat(folder_paths.get_input_directory()).st_mtime_ns
        except OSError:
            return None

    def packages(self) -> Sequence[str]:
        import folder_paths
        import nodes

        homes = {_normal_path(path) for path in folder_paths.get_folder_paths("custom_nodes")}
        directories = getattr(nodes, "LOADED_MODULE_DIRS", {})
        return sorted(
            os.path.basename(name)
            for name, directory in list(directories.items())
            if {_normal_path(directory), _normal_path(os.path.dirname(directory))} & homes
        )

    def package_folders(self) -> Sequence[Path]:
        import folder_paths

        homes = map(Path, folder_paths.get_folder_paths("custom_nodes"))
        entries = [entry for home in homes for entry in sorted(home.glob("*"))]
        return [entry for entry in entries if entry.is_dir() and not entry.name.endswith(".disabled")]

    def load_failures(self) -> Sequence[LoadFailure]:
        """Return the modules that ComfyUI tried to load and did not.

        ComfyUI enters a module into `sys.modules` before it runs it, and into LOADED_MODULE_DIRS once it is loaded.
        The reason stands only in ComfyUI's log, which keeps the newest lines, so reasons that were read are kept
        here.
        """
        import folder_paths
        import nodes

        self._logged.update(logged_reasons(_log_lines()))
        loaded = getattr(nodes, "LOADED_MODULE_DIRS", {})
        home = os.path.dirname(os.path.realpath(str(nodes.__file__)))
        modules = [
            (os.path.join(home, folder, name), None)
            for folder in _OWN_FOLDERS
            for name in _entries(os.path.join(home, folder))
            if name.startswith("nodes_") and name.endswith(".py")
        ]
        modules += [
            (os.path.join(place, name), name.removesuffix(".py"))
            for place in folder_paths.get_folder_paths("custom_nodes")
            for name in _entries(place)
        ]
        return [
            read_failure(Path(path), logged=self._logged.get(path, ""), package=package)
            for path, package in modules
            if _was_tried(path) and not {path.removesuffix(".py"), os.path.basename(path)} & loaded.keys()
        ]

    def help_folders(self) -> Sequence[HelpFolder]:
        """Return the folder of the comfyui-embedded-docs package, where installed, then those beside custom nodes'
        scripts.
        """
        import nodes

        official = [
            HelpFolder(place / "docs", is_own=True) for place in _package_places("comfyui_embedded_docs")
        ]
        web_folders = [Path(path) for path in list(getattr(nodes, "EXTENSION_WEB_DIRS", {}).values())]
        folders = (*official, *(HelpFolder(web / "docs") for web in web_folders))
        return [folder for folder in folders if folder.path.is_dir()]

    def template_folders(self) -> Sequence[TemplateFolder]:
        """Return the template folders of ComfyUI, then the example folders of custom node packages.

        The templates are one package, several media packages, or one of JSON files alone. The names of example
        folders are those that ComfyUI's own /workflow_templates looks for.
        """
        import folder_paths

        official = [
            place / "templates"
            for neighbours in {place.parent for place in _package_places(*_TEMPLATE_PACKAGES)}
            for place in sorted(neighbours.glob("comfyui_workflow_templates*"))
        ]
        examples = [
            TemplateFolder(package / name, package.name)
            for home in folder_paths.get_folder_paths("custom_nodes")
            for package in sorted(Path(home).glob("*/"))
            for name in _EXAMPLE_FOLDERS
        ]
        return [folder for folder in (*map(TemplateFolder, official), *examples) if folder.path.is_dir()]

    def memory_bytes(self) -> int | None:
        from comfy import model_management  # pyright: ignore[reportAttributeAccessIssue]

        return int(model_management.get_total_memory(model_management.get_torch_device())) or None

    def run_record(self, prompt_id: str) -> Mapping[str, Any] | None:
        from server import PromptServer

        return PromptServer.instance.prompt_queue.get_history(prompt_id=prompt_id).get(prompt_id)

    def is_page_open(self, page: str) -> bool:
        from server import PromptServer

        return page in PromptServer.instance.sockets

    def send_event(self, page: str, event: str, data: Mapping[str, Any]) -> None:
        from server import PromptServer

        if self.is_page_open(page):
            PromptServer.instance.send_sync(event, dict(data), page)

    def graphics_memory(self) -> GraphicsMemory | None:
        """Return the memory of the CUDA device; None without one.

        Memory that the driver counts as taken and PyTorch has not reserved belongs to other programs.
        """
        import torch  # pyright: ignore[reportMissingImports]

        if not torch.cuda.is_available():
            return None
        free, total = torch.cuda.mem_get_info()
        own = torch.cuda.memory_reserved()
        return GraphicsMemory(total, max(0, total - free - own), own)

    def exposure(self) -> Exposure:
        from comfy.cli_args import args

        return exposure(getattr(args, "listen", None), getattr(args, "enable_cors_header", None))

    def user_of(self, request: Any) -> str | None:
        from server import PromptServer

        manager = getattr(PromptServer.instance, "user_manager", None)
        user_id = getattr(manager, "get_request_user_id", None)
        if user_id is None:
            return DEFAULT_USER
        try:
            return str(user_id(request))
        except KeyError:
            return None

    def data_directory(self) -> Path:
        import folder_paths

        system_directory = getattr(folder_paths, "get_system_user_directory", None)
        if system_directory is not None:
            return Path(system_directory(_DATA_FOLDER))
        return Path(folder_paths.get_user_directory()) / f"__{_DATA_FOLDER}"


def _own_check(node_class: type) -> Callable[..., Any] | None:
    """Return the type's own check or None; newer types inherit an empty `validate_inputs` from ComfyUI's base class."""
    if not hasattr(node_class, "GET_BASE_CLASS"):
        return getattr(node_class, "VALIDATE_INPUTS", None)
    from comfy_api.internal import first_real_override  # pyright: ignore[reportMissingImports]

    return first_real_override(node_class, "validate_inputs")


def _was_tried(path: str) -> bool:
    """Return whether ComfyUI tried to load the module at `path`.

    ComfyUI names a module by its path as it joined it, with slashes of both kinds or two of them.
    """
    name = path.removesuffix(".py") if path.endswith(".py") else path.replace(".", "_x_")
    return name in sys.modules


def _entries(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _normal_path(path: str) -> str:
    """Return the one spelling of a path that all its spellings share."""
    return os.path.normcase(os.path.abspath(path))


def _log_lines() -> list[str]:
    try:
        from app.logger import get_logs
    except ImportError:
        return []
    logs = get_logs() or ()
    entries = [logs] if isinstance(logs, str) else [_entry_message(entry) for entry in list(logs)]
    return [line for entry in entries for line in entry.splitlines()]


def _entry_message(entry: Any) -> str:
    """Return the message of a log entry, `{"t": time, "m": message}`."""
    return str(entry.get("m", "")) if isinstance(entry, Mapping) else str(entry)


def _package_places(*names: str) -> list[Path]:
    """Return the folders of those Python packages that are installed, without importing them."""
    specs = [importlib.util.find_spec(name) for name in names]
    return [
        Path(place) for spec in specs if spec is not None for place in spec.submodule_search_locations or ()
    ]


def _is_placeholder(name: str) -> bool:
    """Return whether the file is one of those in ComfyUI's empty model folders, such as `put_checkpoints_here`."""
    base = os.path.basename(name)
    return base.startswith("put_") and base.endswith("_here")
