"""A page that is loaded anew at any moment of a turn: nothing of the turn is lost, and nothing is done twice."""

from __future__ import annotations

import random
import re
from itertools import repeat
from typing import Any

import pytest
from playwright.sync_api import expect

from bench.report import Figure, Report, none_of
from dev.places import ROOT, SCREENSHOTS
from tests.host.panel import Panel

pytestmark = pytest.mark.any_frontend

RELIABILITY = ROOT / "docs" / "reliability.md"
SEARCH = {"call": "searchInstalledNodes", "arguments": {"query": "invert image"}}
ADD = {"call": "addNode", "arguments": {"type": "EmptyImage"}}
RUN = {"call": "executeWorkflow", "arguments": {}}
CALLS = ["searchInstalledNodes", "addNode", "executeWorkflow"]
SAID = [[f"{letter}{number} " for number in range(12)] for letter in "abcd"]
TURN = {
    "about": "Text, and between it a server tool, a browser tool and a run.",
    "pace": 0.06,
    "steps": [
        {"reply": [{"say": SAID[0]}, SEARCH]},
        {"reply": [{"say": SAID[1]}, ADD]},
        {"reply": [{"say": SAID[2]}, RUN]},
        {"reply": [{"say": SAID[3]}]},
    ],
}
OVER = re.compile("d11|(Add EmptyImage|Run the workflow) *stopped")
NOTICE_CHANGES = "() => app.extensionManager.workflow.activeWorkflow.changeTracker.checkState()"
# A message that was on its way is either back in the composer or among those that were sent.
IS_SETTLED = """() => (document.querySelector(".cass-input")?.value === "")
    === (document.querySelectorAll(".cass-message").length > 0)"""
MILLISECONDS_TO_KEEP = 700
SECONDS_OF_THE_RUN = 1.0
SECONDS_OF_A_TURN = 5.0
SECONDS_OF_SENDING = 0.1


def kept_parts(comfy, part_type: str) -> list[dict[str, Any]]:
    """Of the last answer, as the server keeps it."""
    threads = comfy.fetch("/assistant/threads")["body"]["threads"]
    # One that was begun for a message that then came back into the composer is empty.
    (thread,) = (each for each in threads if each["messageCount"])
    last = comfy.fetch(f"/assistant/threads/{thread['id']}")["body"]["messages"][-1]
    return [part for part in last["parts"] if part["type"].startswith(part_type)]


def runs_so_far(comfy) -> int:
    return len(comfy.fetch("/history?max_items=10000")["body"])


def as_report(frontend: str, config: pytest.Config, wrong: int, broken_off: int) -> Report:
    times, seed = config.getoption("--reloads"), config.getoption("--seed")
    return Report(
        f"reloads-{frontend}",
        f"A page loaded anew in the midst of a turn, frontend {frontend}",
        f"The page is loaded anew at a random moment of the first {SECONDS_OF_A_TURN:g} s of a turn (the first time "
        "while its message is sent) with four pieces of text, a server tool, a browser tool and a run of a second; "
        "then the text on the page and in the thread, the calls, the nodes of the graph, the runs and the requests "
        f"to the model are compared with those of an undisturbed turn. Seed {seed}.",
        [
            none_of("turns with text lost or changed, or a call lost or made twice", wrong, times),
            Figure(
                "turns that a reload ended in the midst of a call, which says so", f"{broken_off} of {times}"
            ),
        ],
        command="make test-reloads",
    )


@pytest.fixture
def moments(request: pytest.FixtureRequest) -> list[float]:
    """In seconds after the message was sent, as many as `--reloads` says, by chance; the first while it is on its
    way.
    """
    seed = request.config.getoption("--seed")
    print(f"--seed={seed}")
    chance = random.Random(seed)
    longest = [SECONDS_OF_SENDING, *repeat(SECONDS_OF_A_TURN, request.config.getoption("--reloads") - 1)]
    return [chance.uniform(0, seconds) for seconds in longest]


@pytest.mark.slow
def test_a_reload_at_any_moment_of_a_turn_loses_nothing_and_does_nothing_twice(
    comfy, panel, model, moments, request, frontend
):
    comfy.add_node("TestSlowRun", seconds=SECONDS_OF_THE_RUN)
    found, broken_off = [], []
    for number, moment in enumerate(moments):
        panel.begin_new_chat()
        comfy.delete_all_chats()
        # What ComfyUI brings back after a reload is what its page has noticed of the graph by then.
        comfy.page.evaluate(NOTICE_CHANGES)
        comfy.page.wait_for_timeout(MILLISECONDS_TO_KEEP)
        ran, nodes = runs_so_far(comfy), comfy.node_types()
        model.reset()
        model.play(TURN)
        panel.send("go")
        comfy.page.wait_for_timeout(moment * 1000)

        comfy.reload()
        panel = Panel(comfy.page)
        panel.open()

        try:
            comfy.page.wait_for_function(IS_SETTLED)
            if panel.composer.input_value():
                assert panel.composer.input_value() == "go"
                assert panel.messages.count() == 0
                panel.composer.press("Enter")
            expect(panel.answers.last).to_contain_text(OVER, timeout=20_000)
            panel.wait_until_the_turn_is_over()
            *before, (last, state) = panel.tools_by_state()
            if last in CALLS[1:] and state == "skipped":
                # Begun, and nobody knows how far it came: it is not tried again, and the turn ends and says so.
                broken_off.append(moment)
                assert before == [(call, "succeeded") for call in CALLS[: CALLS.index(last)]]
                assert runs_so_far(comfy) - ran in (0, 1)
                assert len(model.requests) == CALLS.index(last) + 1
                continue
            assert panel.answer().split() == "".join(map("".join, SAID)).split()
            assert panel.tools_by_state() == [(call, "succeeded") for call in CALLS]
            assert [part["text"] for part in kept_parts(comfy, "text")] == ["".join(said) for said in SAID]
            assert [part["type"] for part in kept_parts(comfy, "tool-")] == [f"tool-{call}" for call in CALLS]
            assert comfy.node_types() == sorted(["EmptyImage", *nodes])
            assert runs_so_far(comfy) == ran + 1
            assert len(model.requests) == len(SAID)
        except AssertionError as error:
            comfy.screenshot(SCREENSHOTS / f"reload-{number}.png")
            found.append(f"{moment:.3f} s: {error}")
            if panel.stop_button.is_visible():
                panel.stop()
    report = as_report(frontend, request.config, len(found), len(broken_off))
    print(report.as_text())
    if request.config.getoption("--write-reloads"):
        report.write(RELIABILITY)
    assert not found, f"{len(found)} of {len(moments)}\n" + "\n\n".join(found)
    assert comfy.errors == []
