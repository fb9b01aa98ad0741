"""`make check`, `make test` and `make nightly`: which steps there are, and in which order they begin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dev import matrix
from dev.comfyui import FRONTEND
from dev.component import ensure
from dev.demonstration_model import service as demonstration_model
from dev.fake_page import FAKE_PAGE
from dev.frontends import NEWER_FRONTEND, NEWEST_FRONTEND, NODES_2, SERIES, frontend_files
from dev.needs import CHECK_NEEDS, HOST_NEEDS, NPM, PYTHON
from dev.panel import UI, stale_build
from dev.single_tests import HOST_TESTS, PANEL_TESTS, POSTGRESQL_TESTS, test_invariants
from dev.steps import Step, run_steps

FORMAT_MENDS = "`make format` mends what can be mended."
QUICK = "not slow"
ON_OLDER_FRONTEND = "(main_flow or older_frontend) and not slow"
"""What `make test` runs in the browser with the older frontend; the rest is for `make nightly`."""
NO_UNIT_TESTS = (HOST_TESTS, PANEL_TESTS, POSTGRESQL_TESTS)
TODAYS_UNIT_TESTS = ("-m", "pytest", "tests", *(f"--ignore={folder}" for folder in NO_UNIT_TESTS))
ON_EACH_CORE = ("-n", "auto", "--dist", "loadfile")
IN_TWO_BROWSERS = ("-n", "2", "--dist", "loadfile")
"""Whole files go to one process or the other, so that the tests of a file share its page and its ComfyUI."""


def static_steps() -> list[Step]:
    return [
        Step("format", (PYTHON, "-m", "ruff", "format", "--check", "."), hint=FORMAT_MENDS),
        Step(
            "lint",
            (PYTHON, "-m", "ruff", "check", "--output-format", "concise", "."),
            hint="`make format` mends what can be mended.",
        ),
        Step("panel lint and format", (NPM, "run", "--silent", "lint"), UI, hint=FORMAT_MENDS),
        Step("panel types", (NPM, "run", "--silent", "check"), UI),
        Step("types", (PYTHON, "-m", "basedpyright")),
    ]


def unit_steps(*, slow: bool) -> list[Step]:
    """The tests without a ComfyUI and a browser, with those marked `slow` and those in `*.slow.test.ts`, or without."""
    return [
        Step(
            "unit tests, Python 3.11",
            (PYTHON, *TODAYS_UNIT_TESTS, *ON_EACH_CORE, *(() if slow else ("-m", QUICK))),
        ),
        Step("panel tests, contract", (NPM, "run", "--silent", "test" if slow else "test:quick"), UI),
    ]


def reliability_step() -> Step:
    return Step(
        "reliability",
        (PYTHON, "-m", "bench.reliability", "--test"),
        hint="one part: make reliability ARGS=kills",
    )


def panel_step() -> Step:
    """The panel in a browser without ComfyUI. Each process begins a browser, which takes as long as seven tests."""
    return Step(
        "panel in a page without ComfyUI",
        (PYTHON, "-m", "pytest", PANEL_TESTS, "-n", "2"),
        hint="one test alone: .cache/dev/bin/python -m pytest tests/panel -k name",
        second_try=lambda tests: (PYTHON, "-m", "pytest", *tests),
    )


def build_step() -> Step:
    return Step("js/ is a fresh build", stale_build, hint="run `make build` and commit js/.")


def host_step(frontend: str, *, marked: str = "", side_by_side: Sequence[str] = ()) -> Step:
    """All browser tests of a frontend, or only those with a mark."""

    def command(tests: Sequence[str], *chosen: str) -> Sequence[str | Path]:
        return (
            PYTHON,
            "-m",
            "pytest",
            *tests,
            *chosen,
            f"--frontend={frontend}",
            "--no-pictures",
            "--durations=40",
        )

    return Step(
        f"ComfyUI, frontend {frontend}",
        command([HOST_TESTS], *(("-m", marked) if marked else ()), *side_by_side),
        hint=f"look into .cache/screenshots; one test alone: make test-host ARGS='--frontend={frontend} -k name'",
        second_try=command,
    )


def main_flows_step(frontend: str) -> Step:
    return Step(
        f"main flows, frontend {frontend}",
        (PYTHON, "-m", "pytest", HOST_TESTS, "-m", "main_flow", f"--frontend={frontend}"),
        hint=f"one test alone: make test-host ARGS='--frontend={frontend} -k name'",
    )


def check() -> bool:
    ensure(*CHECK_NEEDS)
    return run_steps([*unit_steps(slow=False), *static_steps()])


def test() -> bool:
    ensure(*HOST_NEEDS, FAKE_PAGE)
    environments = matrix.quick_environments()
    ensure(*(environment.component for environment in environments))
    demonstration_model.fetch("small")
    # After what soon tells of a slip the longest first, so that no core waits for one at the end.
    return run_steps(
        [
            *static_steps(),
            build_step(),
            panel_step(),
            host_step(NEWER_FRONTEND, marked=QUICK, side_by_side=IN_TWO_BROWSERS),
            *unit_steps(slow=True),
            host_step(FRONTEND, marked=ON_OLDER_FRONTEND),
            *(environment.step for environment in environments),
            host_step(NODES_2, marked=QUICK),
            main_flows_step(NEWEST_FRONTEND),
            reliability_step(),
        ]
    )


def nightly(*arguments: str) -> bool:
    """What `make test` leaves out: slow browser tests, most on the older frontend, Pythons, many more random cases."""
    ensure(*HOST_NEEDS)
    environments = matrix.all_environments()
    ensure(*(environment.component for environment in environments))
    demonstration_model.fetch("small")
    holds = run_steps(
        [
            host_step(NEWER_FRONTEND, marked="slow"),
            host_step(FRONTEND, marked=f"not ({ON_OLDER_FRONTEND})"),
            host_step(NODES_2, marked="slow"),
            *(environment.step for environment in environments),
        ]
    )
    return test_invariants(*arguments) and holds


def test_versions(*versions: str) -> bool:
    """The main flows on the last frontend of each minor series, or on those that are named."""
    unknown = [version for version in versions if version not in SERIES]
    if unknown:
        print(f"Not among the frontends: {', '.join(unknown)}. There are: {', '.join(SERIES)}.")
        return False
    chosen = versions or SERIES
    ensure(*HOST_NEEDS, *(frontend_files(version) for version in chosen if version != FRONTEND))
    return run_steps([main_flows_step(version) for version in chosen])
