from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from dev import checks
from dev.frontends import NEWER_FRONTEND, NEWEST_FRONTEND, NODES_2
from tests.host.conftest import HALVES, half_of


@pytest.fixture
def steps_of_test(monkeypatch: pytest.MonkeyPatch) -> list[checks.Step]:
    found: list[checks.Step] = []
    monkeypatch.setattr(checks, "ensure", lambda *_: None)
    monkeypatch.setattr(checks.demonstration_model, "fetch", lambda _: None)
    monkeypatch.setattr(checks, "run_steps", found.extend)
    checks.test()
    return found


def test_each_frontend_is_tested_whole_or_in_both_halves(steps_of_test: list[checks.Step]) -> None:
    halves: dict[str, list[str]] = defaultdict(list)
    for step in steps_of_test:
        if not callable(step.run):
            parts = [str(part).partition("=") for part in step.run]
            options = {name: value for name, _, value in parts if value}
            if frontend := options.get("--frontend"):
                halves[frontend].append(options.get("--half", "whole"))
    assert sorted(halves) == sorted([checks.FRONTEND, NEWER_FRONTEND, NODES_2, NEWEST_FRONTEND])
    assert all(sorted(parts) in (["whole"], sorted(HALVES)) for parts in halves.values())


def test_the_newest_pre_release_is_tested_in_the_main_flows(steps_of_test: list[checks.Step]) -> None:
    [step] = [step for step in steps_of_test if NEWEST_FRONTEND in step.name]
    assert "main_flow" in list(step.run)


@pytest.mark.parametrize("count", [0, 1, 2, 75])
def test_each_file_is_in_one_half(count: int) -> None:
    files = {Path(f"test_{number}.py") for number in range(count)}
    first, second = (half_of(half, files) for half in HALVES)
    assert sorted([*first, *second]) == sorted(files)
    assert 0 <= len(second) - len(first) <= 1
