from __future__ import annotations

import pytest

from bench.first_job import FIRST_JOB
from bench.small_model import Outcome, kinds_table, windows_table
from bench.small_model.judge import Played, faults
from bench.small_model.requests import EVERYDAY, REQUESTS, Request, read_requests

OUTCOMES = [
    Outcome(1, "value", True, True, 4.0),
    Outcome(3, "value", True, False, 9.0),
    Outcome(5, "question", True, True, 2.0),
]


def test_each_kind_and_each_window_has_a_row() -> None:
    assert kinds_table(OUTCOMES).splitlines()[2:] == [
        "| value | 1 of 2 | 6.5 | 9.0 |",
        "| question | 1 of 1 | 2.0 | 2.0 |",
    ]
    assert windows_table({4_096: OUTCOMES[:2]}).splitlines()[2:] == ["| 4,096 | 4.0 | 9.0 | 1 of 2 |"]


def graph(steps: int) -> dict[str, dict[str, object]]:
    return {
        "3": {"type": "KSampler", "title": "", "mode": "active", "widgets": {"steps": steps}, "inputs": {}}
    }


@pytest.mark.parametrize(
    ("after", "answer", "is_right"),
    [(30, "Done.", True), (20, "I have set the steps to 30.", False)],
)
def test_a_change_is_judged_by_the_graph_and_not_by_what_the_answer_says(
    after: int, answer: str, is_right: bool
) -> None:
    request = Request(0, "default", "value", "set the steps to 30", {"set": {"3.steps": 30}})
    played = Played(graph(20), graph(after), answer, False, [], 1.0)
    assert (not faults(request, played)) == is_right


def test_a_value_that_a_primitive_node_writes_into_a_widget_is_no_other_change() -> None:
    def fed(value: int, linked_to: str) -> dict[str, dict[str, object]]:
        given = {
            "type": "PrimitiveNode",
            "title": "",
            "mode": "active",
            "widgets": {"value": value},
            "inputs": {},
        }
        return {"45": given, "3": {**graph(value)["3"], "inputs": {linked_to: "45.0"}}}

    request = Request(0, "sdxl", "value", "set the steps to 30", {"set": {"45.value": 30}})
    assert not faults(request, Played(fed(20, "steps"), fed(30, "steps"), "", False, [], 1.0))
    assert faults(request, Played(fed(20, "model"), fed(30, "model"), "", False, [], 1.0)) == [
        "3.steps is 30"
    ]


@pytest.mark.parametrize(("color", "is_right"), [(0xFF0000, True), (0x0000FF, False)])
def test_the_first_job_is_judged_by_what_the_new_nodes_hold(color: int, is_right: bool) -> None:
    def made(kind: str, **widgets: object) -> dict[str, object]:
        return {"type": kind, "title": "", "mode": "active", "widgets": widgets, "inputs": {}}

    after = {"1": made("EmptyImage", width=64, height=64, color=color), "2": made("SaveImage")}
    assert (not faults(FIRST_JOB, Played(graph(20), after, "", True, [], 1.0))) == is_right


@pytest.mark.parametrize(
    ("expected", "steps", "is_right"),
    [
        ({"less": ["3.steps"]}, 10, True),
        ({"less": ["3.steps"]}, 30, False),
        ({"more": ["3.steps"]}, 20, False),
        ({"other": ["3.steps"]}, 30, True),
        ({"other": ["3.cfg"]}, 30, False),
    ],
)
def test_what_names_no_number_is_judged_by_its_way(
    expected: dict[str, object], steps: int, is_right: bool
) -> None:
    played = Played(graph(20), graph(steps), "Done.", False, [], 1.0)
    assert (not faults(Request(0, "default", "value", "", expected), played)) == is_right


def test_a_text_that_is_added_to_stays() -> None:
    before, kept, lost = graph(20), graph(20), graph(20)
    for each, text in ((before, "blurry"), (kept, "blurry, ugly"), (lost, "ugly")):
        each["3"]["widgets"] = {"text": text}
    request = Request(0, "default", "text", "", {"also": {"3.text": ["ugly"]}})
    assert not faults(request, Played(before, kept, "", False, [], 1.0))
    assert faults(request, Played(before, lost, "", False, [], 1.0))


@pytest.mark.parametrize(
    ("source", "is_right"),
    [
        pytest.param("10.0", True, id="it feeds the new node"),
        pytest.param("3.0", False, id="it stands alone"),
    ],
)
def test_beside_an_added_node_only_what_feeds_it_may_be_new(source: str, is_right: bool) -> None:
    loader = {"10": {**graph(1)["3"], "type": "ControlNetLoader"}}
    added = {"11": {**graph(1)["3"], "type": "ControlNetApply", "inputs": {"control_net": source}}}
    request = Request(0, "default", "add", "", {"added": ["ControlNetApply"]})
    played = Played(graph(20), {**graph(20), **loader, **added}, "", False, [], 1.0)
    assert (not faults(request, played)) == is_right


def test_both_sets_are_large_and_share_no_workflow() -> None:
    usual, everyday = read_requests(REQUESTS), read_requests(EVERYDAY)
    assert len(usual) >= 120
    assert len(everyday) >= 60
    assert not {each.workflow for each in usual} & {each.workflow for each in everyday}
