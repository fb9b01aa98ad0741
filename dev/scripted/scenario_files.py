"""Scenario files: found by name, read, and refused with the place of the mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from .request_rules import RULES
from .scenario import Scenario

SCENARIOS = Path(__file__).parent / "scenarios"


class ScenarioError(ValueError):
    """A scenario that cannot be played: which file, where in it, and what was expected."""


def scenario_names() -> list[str]:
    return sorted(
        path.relative_to(SCENARIOS).with_suffix("").as_posix() for path in SCENARIOS.rglob("*.yaml")
    )


def load_scenario(name: str | Path) -> Scenario:
    """The shipped scenario of that name ("red-image", "dialects/q01-no-index"), or the one in a file."""
    path = name if isinstance(name, Path) else SCENARIOS / f"{name}.yaml"
    if not path.is_file():
        raise ScenarioError(
            f'There is no scenario "{name}"; expected one of {", ".join(scenario_names())}, or the path of a file.'
        )
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ScenarioError(f"{path.name} is not YAML: {error}") from error
    return parse_scenario(content, source=path.name)


def parse_scenario(content: Any, *, source: str = "scenario") -> Scenario:
    try:
        scenario = Scenario.model_validate(content)
    except ValidationError as error:
        places = "; ".join(
            f"{'.'.join(str(step) for step in problem['loc'] if step != 'turns') or 'the file'}: {problem['msg']}"
            for problem in error.errors(include_url=False, include_context=False)
        )
        raise ScenarioError(f"{source} is not a scenario. {places}.") from error
    if unknown := [rule for rule in scenario.rules if rule not in RULES]:
        raise ScenarioError(f"{source} names the rules {unknown}; expected some of {sorted(RULES)}.")
    return scenario
