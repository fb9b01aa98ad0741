"""Tests by themselves: one part of `make test`, or what takes too long for it. Arguments are pytest's."""

from __future__ import annotations

import os

from dev.comfyui import FRONTEND
from dev.component import ensure
from dev.demonstration_model import service as demonstration_model
from dev.frontends import NEWER_FRONTEND
from dev.needs import CHECK_NEEDS, HOST_NEEDS, PYTHON
from dev.python_tools import PYTHON_TOOLS
from dev.steps import run_on_terminal
from dev.templates import TEMPLATE_NODES

HOST_TESTS = "tests/host"
PANEL_TESTS = "tests/panel"
POSTGRESQL_TESTS = "tests/postgresql"
INVARIANTS = (
    "tests/context/test_invariants.py",
    "tests/context/test_invariants_machine.py",
    "tests/context/test_invariants_can_fail.py",
    "tests/chat/test_no_error_loses_anything.py",
)
NIGHTLY_TIMES = 50
NIGHTLY_RELOADS = 50


def test_host(*arguments: str) -> bool:
    ensure(*HOST_NEEDS)
    demonstration_model.fetch("small")
    return _pytest(HOST_TESTS, *arguments)


def test_local_model(*arguments: str) -> bool:
    ensure(*HOST_NEEDS)
    demonstration_model.fetch("1.5b")
    return _pytest(HOST_TESTS, "--demonstration-model", *arguments)


def test_templates(*arguments: str) -> bool:
    ensure(*HOST_NEEDS, TEMPLATE_NODES)
    return _pytest(HOST_TESTS, "--all-templates", *arguments)


def test_packs(*arguments: str) -> bool:
    folder = os.environ.get("PACKS")
    if not folder:
        print(
            "Which packs? PACKS names a folder with a subfolder for each, such as make test-packs PACKS=~/packs."
        )
        return False
    ensure(*HOST_NEEDS)
    return _pytest(f"{HOST_TESTS}/test_packs.py", f"--packs={folder}", *arguments)


def test_postgresql(*arguments: str) -> bool:
    ensure(PYTHON_TOOLS)
    return _pytest(POSTGRESQL_TESTS, *arguments)


def test_reloads(*arguments: str) -> bool:
    chosen = ("-k", "test_random_reloads", f"--reloads={NIGHTLY_RELOADS}", "--write-reloads")
    outcomes = [
        test_host(*chosen, f"--frontend={frontend}", *arguments) for frontend in (FRONTEND, NEWER_FRONTEND)
    ]
    return all(outcomes)


def test_invariants(*arguments: str) -> bool:
    ensure(PYTHON_TOOLS)
    return _pytest(*INVARIANTS, *arguments, environment={"PROPERTY_CASES_TIMES": str(NIGHTLY_TIMES)})


def reliability(*arguments: str) -> bool:
    ensure(*CHECK_NEEDS)
    return run_on_terminal(PYTHON, "-m", "bench.reliability", *arguments)


def reliability_nightly(*arguments: str) -> bool:
    return reliability("--nightly", *arguments)


def _pytest(*arguments: str, environment: dict[str, str] | None = None) -> bool:
    return run_on_terminal(PYTHON, "-m", "pytest", *arguments, environment=environment)
