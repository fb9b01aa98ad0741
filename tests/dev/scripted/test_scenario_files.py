from __future__ import annotations

import pytest

from dev.scripted.scenario import seconds
from dev.scripted.scenario_files import (
    ScenarioError,
    load_scenario,
    parse_scenario,
    scenario_names,
)
from dev.scripted.template import TemplateError, Values


@pytest.mark.parametrize("name", scenario_names())
def test_each_shipped_scenario_can_be_played(name):
    assert load_scenario(name).about.endswith(".")


def steps(*parts):
    return {"about": "x", "steps": [{"reply": list(parts)}]}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param({"about": "x", "steps": []}, "steps: List should have at least 1", id="no steps"),
        pytest.param(steps({"saay": "x"}), "exactly one of the keys say, think, call", id="an unknown part"),
        pytest.param(steps({"say": "x", "call": "y"}), "exactly one of the keys", id="two parts in one"),
        pytest.param(steps({"say": "x", "splitt": "whole"}), "splitt", id="a misspelt key"),
        pytest.param(steps({"wait": "soon"}), "length of time", id="a time in words"),
        pytest.param(
            {**steps({"say": "x"}), "rules": ["polite"]}, "names the rules ['polite']", id="an unknown rule"
        ),
        pytest.param("hello", "not a scenario", id="no mapping"),
    ],
)
def test_a_mistake_is_answered_with_its_place(content, complaint):
    with pytest.raises(ScenarioError, match=r"is not a scenario|names the rules") as found:
        parse_scenario(content, source="x.yaml")
    assert complaint in str(found.value)


def test_an_unknown_scenario_is_answered_with_the_known_ones(tmp_path):
    with pytest.raises(ScenarioError, match="red-image"):
        load_scenario("blue-image")
    broken = tmp_path / "broken.yaml"
    broken.write_text("about: [")
    with pytest.raises(ScenarioError, match=r"broken\.yaml is not YAML"):
        load_scenario(broken)


@pytest.mark.parametrize(
    ("written", "expected"), [("250ms", 0.25), ("1.5s", 1.5), ("2 m", 120.0), (3, 3.0), (0.5, 0.5)]
)
def test_times_are_read(written, expected):
    assert seconds(written) == expected


VALUES = Values(
    results={
        "addNode": [
            '{"ok": true, "data": {"id": 7, "outputs": ["IMAGE"]}}',
            'Untrusted:\n{"data": {"id": "8"}}\nEnd.',
        ]
    },
    user="make it red",
    step=2,
)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        pytest.param("{{ result.addNode[0].data.id }}", 7, id="a lone expression keeps its type"),
        pytest.param("node {{result.addNode.data.id}}!", "node 7!", id="inside text it becomes text"),
        pytest.param("{{ result.addNode[-1].data.id }}", "8", id="from the end, out of a labelled result"),
        pytest.param("{{ result.addNode[0].data.outputs[0] }}", "IMAGE", id="into a list"),
        pytest.param(
            {"a": ["{{ step }}", 1, None]}, {"a": [2, 1, None]}, id="at any depth, other values as they are"
        ),
        pytest.param("{{ user }} {{ step }}", "make it red 2", id="two expressions"),
        pytest.param("{ no } {{}}", "{ no } {{}}", id="other braces stay"),
    ],
)
def test_expressions_are_filled_in(template, expected):
    assert VALUES.fill(template) == expected


@pytest.mark.parametrize(
    "template",
    [
        "{{ result.addNode[2].data.id }}",
        "{{ result.addNode[0].data.nothing }}",
        "{{ result.removeNode[0].ok }}",
        "{{ result.addNode[0].data.id.__class__ }}",
        "{{ 1 + 1 }}",
        "{{ __import__('os') }}",
    ],
)
def test_an_expression_without_a_value_is_refused(template):
    with pytest.raises(TemplateError):
        VALUES.fill(template)
