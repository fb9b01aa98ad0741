"""Edits on nodes with the newer kinds of inputs, as models write them: right at once, or refused with the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage

Case = dict[str, Any]

TURN = "asked"

WRITTEN = yaml.safe_load((Path(__file__).parent / "model_edits.yaml").read_text("utf-8"))
CASES: list[Case] = WRITTEN["cases"]


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> Iterator[Counter[str]]:
    counted: Counter[str] = Counter()
    yield counted
    capture = request.config.pluginmanager.get_plugin("capturemanager")
    assert capture
    with capture.global_and_fixture_disabled():
        print(f"\n{counted['at once']} of {len(CASES)} right at once, {counted['after a hint']} after a hint")


def parameter(case: Case) -> Any:
    marks = [pytest.mark.xfail(reason=case["fails"], strict=True)] if "fails" in case else []
    return pytest.param(case, id=f"{case['kind']}: {case['asked']}", marks=marks)


@pytest.mark.parametrize("case", [parameter(case) for case in CASES])
def test_an_edit_makes_the_page_run_what_was_asked_for(
    comfy: ComfyPage, bridge: Bridge, outcomes: Counter[str], case: Case
) -> None:
    open_workflow(comfy, bridge, case)
    refused = case.get("hint")
    *first, last = case["calls"]
    for each in first:
        carry_out(bridge, each)
    before = comfy.prompt()
    result = called(bridge, last)
    if refused:
        assert not result["ok"], result
        assert refused in f"{result['error']} {result.get('hint')}"
        assert comfy.prompt() == before
        for each in case.get("instead") or [{next(iter(last)): result.get("sendInstead")}]:
            result = carry_out(bridge, each)
    assert result["ok"], result

    prompt = comfy.prompt()
    assert {fact: held(prompt, fact) for fact in map(str, case["runs"])} == {
        str(fact): value for fact, value in case["runs"].items()
    }
    outcomes["after a hint" if refused else "at once"] += 1


def open_workflow(comfy: ComfyPage, bridge: Bridge, case: Case) -> None:
    lines: str = WRITTEN["workflows"].get(case["from"], case["from"])
    types = (
        {line.split()[1] for line in lines.splitlines()} | types_in(case) | {*case.get("needs", "").split()}
    )
    installed = comfy.page.evaluate("() => Object.keys(LiteGraph.registered_node_types)")
    if lacking := types.difference(installed):
        pytest.skip(f"this ComfyUI lacks {', '.join(sorted(lacking))}")
    opened = bridge.call("applyWorkflow", {"workflow": lines})
    assert opened["ok"], opened
    assert bridge.call("getWorkflowInfo", {})["ok"]


def types_in(written: Any) -> set[str]:
    if isinstance(written, list):
        return set().union(*map(types_in, written))
    if not isinstance(written, dict):
        return set()
    own = {written["type"]} if "type" in written and "op" in written else set()
    return own.union(*map(types_in, written.values()))


def carry_out(bridge: Bridge, call: Case) -> Case:
    result = called(bridge, call)
    assert result["ok"], result
    return result


def called(bridge: Bridge, call: Case) -> Case:
    """`undo` is what the person does; a list is that of the operations."""
    ((tool, arguments),) = call.items()
    if tool == "undo":
        return {"ok": bridge.toggle_turn(TURN) == []}
    assert arguments is not None, "nothing was told to send instead"
    return bridge.call(
        tool, {"operations": arguments} if isinstance(arguments, list) else arguments, turn=TURN
    )


def held(prompt: dict[str, dict[str, Any]], fact: str) -> Any:
    """What an input of a node holds, as `5:2.resize_type`; of a node alone its type."""
    node, _, name = fact.partition(".")
    entry = prompt.get(node, {"inputs": {}})
    return entry["inputs"].get(name) if name else entry.get("class_type")
