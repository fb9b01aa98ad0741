"""The arrows of docs/architecture.md, drawn as tests."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOT_MODULES = tuple(path.stem for path in sorted(ROOT.glob("*.py")))
COMFY_MODULES = {"server", "folder_paths", "nodes", "comfy", "execution", "app"}
HEAVY = {"openai", "tiktoken", "sqlalchemy", "alembic", "httpx", "aiohttp", "yaml", "xllamacpp"}

TESTED_ELSEWHERE = {
    "events": "types, and one question that tests/stream/test_encoder.py asks",
    "skills/diagnostic": "a value, which the tests of the files that it tells of compare whole",
}
"""Modules whose tests are not found by their name, each with the reason."""

FILES = [ROOT / f"{name}.py" for name in ROOT_MODULES] + sorted((ROOT / "engine").rglob("*.py"))


def name_of(path: Path) -> str:
    """`engine/context/plan.py` is `engine.context.plan`; a package is the name of its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imports(path: Path, *, at_import_only: bool = False) -> set[tuple[str, bool]]:
    """The (module, is ours) pairs that a file imports."""
    tree = ast.parse(path.read_text("utf-8"))
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


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [
        ("engine/context", ("engine.context", "engine.messages", "engine.own_metadata", "engine.text")),
        ("engine/stream", ("engine.stream", "engine.events", "engine.own_metadata")),
        ("engine/text", ("engine.text",)),
        ("engine/event_loop", ("engine.event_loop",)),
    ],
)
def test_a_folder_imports_only_what_it_may(folder: str, allowed: tuple[str, ...]) -> None:
    for path in inside(folder):
        for module in ours(path):
            assert module.startswith(allowed), f"{name_of(path)} imports {module}"


@pytest.mark.parametrize("folder", ["store", "environment", "skills", "web"])
def test_leaves_do_not_know_each_other(folder: str) -> None:
    others = {
        f"engine.{other}"
        for other in ("store", "environment", "skills", "web", "chat", "http", "llm", "tools")
    }
    for path in inside(f"engine/{folder}"):
        for module in ours(path):
            assert not module.startswith(tuple(others - {f"engine.{folder}"})), (
                f"{name_of(path)} imports {module}"
            )


OPENS_A_CONNECTION = {
    *("ClientSession", "TCPConnector", "AsyncOpenAI", "OpenAI", "AsyncClient", "DefaultAsyncHttpxClient"),
    *("urlopen", "urlretrieve", "open_connection", "create_connection", "ws_connect"),
}


def test_all_that_leaves_the_process_goes_through_one_module() -> None:
    opening = set()
    for path in FILES:
        calls = [
            node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)
        ]
        names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
        modules = {module for module, is_ours in imports(path) if not is_ours}
        if names & OPENS_A_CONNECTION or modules & {"urllib.request", "http.client", "requests"}:
            opening.add(name_of(path))
    assert opening == {"engine.network.outgoing"}


def test_comfyui_is_imported_in_two_places() -> None:
    places = {
        name_of(path)
        for path in FILES
        if any(module.split(".")[0] in COMFY_MODULES for module, is_ours in imports(path) if not is_ours)
    }
    assert places == {"__init__", "engine.environment.comfy"}


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
    """`asyncio.wait_for` can, before Python 3.12: `engine/event_loop/within.py`."""
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
    """Whether it defines a function with a body: declarations of types and values are tested by their users."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return any(
        not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant)
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for statement in node.body
    )
