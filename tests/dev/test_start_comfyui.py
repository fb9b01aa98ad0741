from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from dev.places import ROOT
from dev.start_comfyui import COMPILER, FOR_EVER, compiler_stays_out, keeping_what_is_hashed, load_when_used


@web.middleware
async def cache_control(request: web.Request, handler: Any) -> web.StreamResponse:
    """As ComfyUI's own."""
    response = await handler(request)
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


@pytest.mark.parametrize(
    ("path", "is_kept"),
    [
        ("assets/index-B2rHQ9Sn.js", True),
        ("assets/vendor-datadog-CS-2l-KQ.js", True),
        ("assets/app-BmK3YsXN.css", True),
        ("assets/sorted-custom-node-map.json", False),
        ("assets/index.js", False),
        ("extensions/comfyui-assistant/assets/panel-B2rHQ9Sn.js", False),
        ("index.html", False),
    ],
)
async def test_only_files_of_the_frontend_whose_names_hold_their_hashes_are_kept(
    tmp_path: Path, path: str, is_kept: bool
) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("1")
    app = web.Application(middlewares=[keeping_what_is_hashed(cache_control)])
    app.router.add_static("/", tmp_path)
    async with TestClient(TestServer(app)) as client, client.get(f"/{path}") as answer:
        assert answer.headers["Cache-Control"] == (FOR_EVER if is_kept else "no-cache")


def test_the_compiler_is_asked_in_vain_only_while_it_stays_out() -> None:
    assert COMPILER not in sys.modules
    with compiler_stays_out():
        assert not vars(sys.modules[COMPILER])["is_compile_supported"]("cpu")
    assert COMPILER not in sys.modules


def test_a_compiler_that_is_there_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    there = ModuleType(COMPILER)
    monkeypatch.setitem(sys.modules, COMPILER, there)
    with compiler_stays_out():
        assert sys.modules[COMPILER] is there
    assert sys.modules[COMPILER] is there


ENDS = """
import atexit
from dev.start_comfyui import ends_at_once

class Kept:
    def __del__(self):
        print("taken apart")

kept = Kept()

@ends_at_once()
def main():
    atexit.register(print, "told of the end")
    1 / DIVISOR

main()
"""


@pytest.mark.parametrize(
    ("divisor", "ends_with", "said"), [(1, 0, "told of the end\n"), (0, 1, "told of the end\ntaken apart\n")]
)
def test_what_has_done_its_work_ends_at_once_and_what_failed_ends_as_ever(
    divisor: int, ends_with: int, said: str
) -> None:
    program = ENDS.replace("DIVISOR", str(divisor))
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (ends_with, said), ended.stderr


@pytest.fixture
def seldom_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package that says when it is loaded, behind its stand-in."""
    (tmp_path / "seldom_used").mkdir()
    (tmp_path / "seldom_used" / "__init__.py").write_text("print('loaded')\nfound = 5\n")
    (tmp_path / "seldom_used" / "part.py").write_text("inner = 7\n")
    monkeypatch.syspath_prepend(tmp_path)
    load_when_used("seldom_used")
    yield "seldom_used"
    for name in ("seldom_used", "seldom_used.part"):
        sys.modules.pop(name, None)


def test_what_is_seldom_used_is_loaded_when_something_of_it_is_asked_for(seldom_used, capsys) -> None:
    stand_in = importlib.import_module(seldom_used)
    assert not hasattr(stand_in, "__file__")
    assert inspect.getmodule(ModuleType) is not stand_in
    assert capsys.readouterr().out == ""

    assert (stand_in.found, stand_in.found) == (5, 5)
    with pytest.raises(AttributeError, match="lost"):
        _ = stand_in.lost
    assert importlib.import_module(seldom_used) is not stand_in
    assert capsys.readouterr().out == "loaded\n"


def test_a_part_of_what_is_seldom_used_is_imported_as_ever(seldom_used) -> None:
    assert importlib.import_module(f"{seldom_used}.part").inner == 7


def test_what_is_loaded_already_gets_no_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    there = ModuleType("there_already")
    monkeypatch.setitem(sys.modules, "there_already", there)
    load_when_used("there_already")
    assert sys.modules["there_already"] is there
