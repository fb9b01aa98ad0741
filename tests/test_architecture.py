"""The arrows of docs/architecture.md, drawn as tests."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from .sources import tree_of

ROOT = Path(__file__).parent.parent
ROOT_MODULES = tuple(path.stem for path in sorted(ROOT.glob("*.py")))
COMFY_MODULES = {"server", "folder_paths", "nodes", "comfy", "execution", "app"}
HEAVY = {"openai", "tiktoken", "sqlalchemy", "alembic", "httpx", "aiohttp", "yaml", "xllamacpp"}

TESTED_ELSEWHERE = {
    "base/events": "types, and one question that tests/stream/test_encoder.py asks",
    "user/skills/diagnostic": "a value, which the tests of the files that it tells of compare whole",
}
"""Modules whose tests are not found by their name, each with the reason."""

FOLDERS = {
    "base": "",
    "context": "base",
    "stream": "base",
    "comfy": "base context",
    "settings": "base comfy",
    "small_windows": "base comfy context",
    "store": "base comfy context settings stream",
    "llm": "base context settings store",
    "user": "base context",
    "tools": "base comfy context user",
    "chat": "base comfy context llm settings small_windows store stream tools user",
    "http": "base chat comfy context llm settings store stream tools user",
}
"""The folders of `engine/` that each of them may import."""

SUBFOLDERS = {
    "base": "",
    "base/network": "base",
    "base/text": "",
    "chat/calls": "",
    "comfy": "",
    "comfy/missing": "comfy",
    "comfy/pictures": "comfy",
    "llm/replies": "",
    "llm/requests": "llm",
    "store/log": "store",
    "user/skills": "",
    "base/files": "base base/text",
    "chat/thread_context": "chat/calls",
    "llm/known": "llm llm/replies",
    "llm/refusals": "llm llm/replies",
    "store": "store/log",
    "user": "user/skills",
    "user/own_skills": "user/skills",
    "user/project": "user/skills",
    "chat/replies": "chat/calls",
    "llm": "llm/known llm/refusals llm/replies llm/requests",
    "chat/turn": "chat/calls chat/replies chat/thread_context",
    "chat/incoming": "chat/thread_context chat/turn",
    "chat": "chat/calls chat/incoming chat/replies chat/thread_context chat/turn",
}
"""The same for the folders within one folder, and for the modules that lie in that itself."""

OWN_MODULES_SERVE_ROOMS = {"base", "comfy", "llm", "store"}
"""Folders whose own modules their rooms import: what all speak; node types; an endpoint; rows and tables."""

FILES = [ROOT / f"{name}.py" for name in ROOT_MODULES] + sorted((ROOT / "engine").rglob("*.py"))


def name_of(path: Path) -> str:
    """`engine/context/plan.py` is `engine.context.plan`; a package is the name of its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imports(path: Path, *, at_import_only: bool = False) -> set[tuple[str, bool]]:
    """The (module, is ours) pairs that a file imports."""
    tree = tree_of(path)
    nodes = ast.walk(tree) if not at_import_only else _executed_at_import(tree)
    found: set[tuple[str, bool]] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {(alias.name, False) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add((node.module or "", False))
        elif isinstance(node, ast.ImportFrom):
            package = list(path.relative_to(ROOT).parent.parts)
            base = package[: len(package) - (node.level - 1)]
            targets = [node.module] if node.module else [alias.name for alias in node.names]
            found |= {(".".join([*base, target]), True) for target in targets}
    return found


def _executed_at_import(tree: ast.Module) -> list[ast.AST]:
    found: list[ast.AST] = []
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        found.append(node)
        pending.extend(ast.iter_child_nodes(node))
    return found


def ours(path: Path) -> set[str]:
    return {module for module, is_ours in imports(path) if is_ours}


def inside(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def test_the_engine_never_imports_the_root() -> None:
    for path in inside("engine"):
        assert all(module.startswith("engine") for module in ours(path)), path


def test_no_module_of_the_engine_imports_itself_by_way_of_others() -> None:
    modules = {name_of(path): ours(path) for path in inside("engine")}
    sorter = TopologicalSorter(
        {name: (imported & modules.keys()) - {name} for name, imported in modules.items()}
    )
    try:
        sorter.prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_the_product_knows_nothing_of_what_is_not_installed_with_it() -> None:
    for path in FILES:
        others = {module.split(".")[0] for module, is_ours in imports(path) if not is_ours}
        assert not others & {"dev", "bench", "tests"}, path
        assert not ours(path) & {"dev", "bench", "tests"}, path


def test_the_root_modules_are_ordered() -> None:
    assert ours(ROOT / "__init__.py") == {"api_handlers"}
    for name in set(ROOT_MODULES) - {"__init__"}:
        assert not ours(ROOT / f"{name}.py") & {"__init__"}, name
        if name != "api_handlers":
            assert "api_handlers" not in ours(ROOT / f"{name}.py"), name


def folder_of(module: str, *, depth: int) -> str:
    """`engine.chat.turn.turn` lies in `chat` (depth 1) or `chat/turn` (depth 2), `engine.base.errors` in `engine`."""
    parts = module.split(".")
    folders = parts if (ROOT / Path(*parts)).is_dir() else parts[:-1]
    return "/".join(folders[1 : depth + 1])


def folder_arrows(*, depth: int) -> set[tuple[str, str]]:
    arrows = {
        (folder_of(name_of(path), depth=depth), folder_of(module, depth=depth))
        for path in inside("engine")
        for module in ours(path)
    }
    return {(origin, target) for origin, target in arrows if origin != target}


def table_arrows(table: dict[str, str]) -> set[tuple[str, str]]:
    return {(origin, target) for origin, targets in table.items() for target in targets.split()}


def room_arrows() -> set[tuple[str, str]]:
    """The arrows within one folder: between its rooms, and its own modules."""
    arrows = folder_arrows(depth=2)
    return {(origin, target) for origin, target in arrows if origin.split("/")[0] == target.split("/")[0]}


def circle(arrows: set[tuple[str, str]]) -> str:
    """A circle of arrows, drawn; "" where there is none."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for origin, target in arrows:
        sorter.add(origin, target)
    try:
        sorter.prepare()
    except CycleError as error:
        return " <- ".join(error.args[1])
    return ""


def longest_chain() -> list[str]:
    """The modules of the longest chain of imports that run when they are loaded: not those for types alone."""
    modules = {name_of(path): imports(path, at_import_only=True) for path in FILES}

    @functools.cache
    def chain(name: str) -> list[str]:
        below = [chain(module) for module, is_ours in sorted(modules[name]) if is_ours and module in modules]
        return [name, *max(below, key=len, default=[])]

    return max(map(chain, modules), key=len)


def test_no_module_hangs_on_a_longer_chain_of_others() -> None:
    chain = longest_chain()
    assert len(chain) <= 14, " -> ".join(chain)


def test_each_folder_imports_what_the_table_says_and_nothing_else() -> None:
    used, allowed = folder_arrows(depth=1), table_arrows(FOLDERS)
    assert not used - allowed, "arrows that the table lacks; is it the wall that is wrong, or the import?"
    assert not allowed - used, "arrows of the table that nothing uses"
    assert FOLDERS.keys() == {
        folder.name for folder in (ROOT / "engine").iterdir() if (folder / "__init__.py").exists()
    }


def test_each_room_imports_what_the_table_says_and_nothing_else() -> None:
    used, allowed = room_arrows(), table_arrows(SUBFOLDERS)
    assert not used - allowed, "arrows that the table lacks; is it the wall that is wrong, or the import?"
    assert not allowed - used, "arrows of the table that nothing uses"
    assert all((ROOT / "engine" / room).is_dir() for room in SUBFOLDERS)


def test_folders_and_rooms_make_no_circle() -> None:
    assert circle(table_arrows(FOLDERS)) == ""
    upward = {(room, folder) for room, folder in table_arrows(SUBFOLDERS) if room.split("/")[0] == folder}
    assert {folder for _, folder in upward} == OWN_MODULES_SERVE_ROOMS
    assert circle(table_arrows(SUBFOLDERS) - upward) == ""


def test_a_circle_is_seen() -> None:
    assert circle({("a", "b"), ("b", "c"), ("c", "a")})
    assert not circle({("a", "b"), ("b", "c"), ("a", "c")})


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [("context", {"messages", "extension_metadata"}), ("stream", {"events", "extension_metadata"})],
)
def test_what_is_pure_knows_few_of_the_modules_that_all_know(folder: str, allowed: set[str]) -> None:
    used = {module for path in inside(f"engine/{folder}") for module in ours(path)}
    assert {module for module in used if folder_of(module, depth=2) == "base"} == {
        f"engine.base.{module}" for module in allowed
    }


OPENS_A_CONNECTION = {
    *("ClientSession", "TCPConnector", "AsyncOpenAI", "OpenAI", "AsyncClient", "DefaultAsyncHttpxClient"),
    *("urlopen", "urlretrieve", "open_connection", "create_connection", "ws_connect"),
}


def test_all_that_leaves_the_process_goes_through_one_module() -> None:
    opening = set()
    for path in FILES:
        calls = [node.func for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
        names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
        modules = {module for module, is_ours in imports(path) if not is_ours}
        if names & OPENS_A_CONNECTION or modules & {"urllib.request", "http.client", "requests"}:
            opening.add(name_of(path))
    assert opening == {"engine.base.network.outgoing"}


def test_comfyui_is_imported_in_two_places() -> None:
    places = {
        name_of(path)
        for path in FILES
        if any(module.split(".")[0] in COMFY_MODULES for module, is_ours in imports(path) if not is_ours)
    }
    assert places == {"__init__", "engine.comfy.comfy"}


def test_nothing_heavy_is_imported_when_comfyui_starts() -> None:
    code = (
        "import sys, importlib.util as u, pathlib\n"
        f"root = pathlib.Path({str(ROOT)!r})\n"
        "spec = u.spec_from_file_location('assistant', root / '__init__.py', submodule_search_locations=[str(root)])\n"
        "module = u.module_from_spec(spec); sys.modules['assistant'] = module; spec.loader.exec_module(module)\n"
        "import assistant.api_handlers\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT / "docs"
    )
    assert result.stdout.strip() == "[]"


def test_no_settings_are_read_from_the_environment_outside_the_composition_point() -> None:
    readers = {
        name_of(path) for path in FILES if "environ" in path.read_text("utf-8").replace("environment", "")
    }
    assert readers <= {"api_handlers", "engine.settings.settings"}, readers


def test_nothing_waits_in_a_way_that_can_forget_a_stop() -> None:
    """`asyncio.wait_for` can, before Python 3.12: `engine/base/event_loop/timeout.py`."""
    assert not [path for path in FILES if "asyncio.wait_for(" in path.read_text("utf-8")]


def test_no_file_outgrows_its_name() -> None:
    for path in FILES:
        assert len(path.read_text("utf-8").splitlines()) <= 450, path


def test_the_test_of_a_module_is_found_by_its_name() -> None:
    """`engine/context/find.py` is tested in `tests/context/test_find.py`, whatever else tests it too."""
    missing = {
        path.relative_to(ROOT / "engine").with_suffix("").as_posix()
        for path in inside("engine")
        if "migrations" not in path.parts and _does_something(path) and not _test_of(path).exists()
    }
    assert missing == set(TESTED_ELSEWHERE)


def _test_of(module: Path) -> Path:
    place = module.relative_to(ROOT / "engine")
    return ROOT / "tests" / place.parent / f"test_{place.name}"


def _does_something(path: Path) -> bool:
    """Return whether a module defines a function with a body: types and values are tested by their users."""
    nodes = ast.walk(tree_of(path))
    return any(
        not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant)
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for statement in node.body
    )
