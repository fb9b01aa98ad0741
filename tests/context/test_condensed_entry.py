from __future__ import annotations

from comfyui_assistant.engine.context.condensed_entry import condensed_entry
from comfyui_assistant.engine.context.position import START, Position
from comfyui_assistant.engine.context.tool_facts import ToolFacts

from .conversations import answer, text, user

RUN = {
    "type": "tool-executeWorkflow",
    "toolCallId": "c1",
    "state": "output-available",
    "input": {},
    "output": {
        "ok": True,
        "summary": "Ran in 3 s.",
        "data": {"outputs": [{"node": "9", "files": [{"kind": "image", "filename": "output/fox_1.png"}]}]},
    },
}
FACTS = {"executeWorkflow": ToolFacts("runs", "usual")}
CHAT = [
    user("u1", "A fox in the\nsnow"),
    answer("a1", [RUN, text("Here is the fox.")]),
    user("u2", "A bear"),
    answer("a2", [text("Here is the bear.")]),
]


def test_what_was_asked_answered_and_made_is_kept_with_its_files():
    assert condensed_entry(CHAT, START, Position(2), FACTS) == (
        "## A fox in the snow\n\n- Asked: A fox in the snow\n- Answered: Here is the fox.\n"
        "- Made: executeWorkflow: Ran in 3 s. [output/fox_1.png]"
    )


def test_only_what_is_new_is_kept_the_next_time():
    assert condensed_entry(CHAT, Position(2), Position(4), FACTS) == (
        "## A fox in the snow\n\n- Asked: A bear\n- Answered: Here is the bear."
    )


def test_nothing_comes_of_nothing():
    assert condensed_entry(CHAT, Position(2), Position(2), FACTS) == ""


def test_of_an_answer_that_was_condensed_in_part_only_the_rest_is_told():
    chat = [user("u1", "A fox"), answer("a1", [text("First."), RUN], [text("Then."), RUN])]
    assert condensed_entry(chat, START, Position(1, 1), FACTS).splitlines()[2:] == [
        "- Asked: A fox",
        "- Answered: First.",
        "- Made: executeWorkflow: Ran in 3 s. [output/fox_1.png]",
    ]
    assert condensed_entry(chat, Position(1, 1), Position(2), FACTS).splitlines()[2:] == [
        "- Answered: Then.",
        "- Made: executeWorkflow: Ran in 3 s. [output/fox_1.png]",
    ]
