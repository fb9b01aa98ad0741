from __future__ import annotations

import pytest

from dev import checks
from dev.frontends import NEWER_FRONTEND, NEWEST_FRONTEND, NODES_2


@pytest.fixture
def steps_of_test(monkeypatch: pytest.MonkeyPatch) -> list[checks.Step]:
    found: list[checks.Step] = []
    monkeypatch.setattr(checks, "ensure", lambda *_: None)
    monkeypatch.setattr(checks.demonstration_model, "fetch", lambda _: None)
    monkeypatch.setattr(checks, "run_steps", found.extend)
    checks.test()
    return found


def test_each_frontend_is_tested_once(steps_of_test: list[checks.Step]) -> None:
    commands = [step.run for step in steps_of_test if not callable(step.run)]
    named = [str(part) for command in commands for part in command if str(part).startswith("--frontend=")]
    assert sorted(named) == sorted(
        f"--frontend={frontend}" for frontend in (checks.FRONTEND, NEWER_FRONTEND, NODES_2, NEWEST_FRONTEND)
    )


def test_the_newest_pre_release_is_tested_in_the_main_flows(steps_of_test: list[checks.Step]) -> None:
    [step] = [step for step in steps_of_test if NEWEST_FRONTEND in step.name]
    assert "main_flow" in list(step.run)
