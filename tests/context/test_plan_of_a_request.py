from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.message_metadata import MessageMetadata, newest_metadata
from comfyui_assistant.engine.context.plan import plan, with_workflow
from comfyui_assistant.engine.context.rendering import IMAGES_OF_RESULTS

from .conversations import answer, call, turns, user
from .planned import planned

SHORT = planned([user("u1", "hi")])


def test_only_what_was_condensed_makes_a_compaction_anew() -> None:
    condensed = planned(turns(40), window=8_000)
    assert condensed.has_compacted
    assert condensed.new_compaction is condensed.compaction
    assert (SHORT.has_compacted, SHORT.new_compaction) == (False, None)
    assert planned(turns(10), window=8_000, emergency=1).is_emergency
    assert not condensed.is_emergency


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (SHORT, "checkpoint"),
        (planned([user("u1"), answer("a1", [call("c1")])]), "digest"),
        (replace(SHORT, budget=Budget(32_000, 4_000, auto_compact=False)), "emergency"),
    ],
)
def test_a_report_says_what_happens_next(made: Any, what: str) -> None:
    report = made.report()
    assert report["nextAction"]["what"] == what
    assert report["messages"] == len(made.messages)
    assert 0 < report["low"] < report["high"] <= report["working"]


def user_with(name: str, text: str, workflow: str = "") -> Any:
    message: Any = {"id": name, "role": "user", "parts": [{"type": "text", "text": text}]}
    return MessageMetadata(workflow=workflow).put_into(message)


def said(name: str, text: str) -> Any:
    return {
        "id": name,
        "role": "assistant",
        "parts": [{"type": "step-start"}, {"type": "text", "text": text}],
    }


CONVERSATION = [
    user_with("u1", "first", "one node"),
    said("a1", "yes"),
    user_with("u2", "second", "two nodes"),
]


def planned_slim(conversation: Any) -> Any:
    return plan(conversation, Frame("You help.", "slim"), Budget(window=8_000, reserve=500))


def test_only_the_newest_message_brings_the_workflow_and_all_before_it_is_as_it_was() -> None:
    bare = planned_slim(CONVERSATION)
    request = with_workflow(bare, newest_metadata(CONVERSATION).workflow, 2)
    assert request.messages[:-1] == bare.messages[:-1]
    assert request.messages[-1] == {"role": "user", "content": "two nodes\n\nsecond"}
    assert [message["content"] for message in request.messages[1:2]] == ["first"]
    assert request.estimate == bare.estimate + 2
    assert request.tokens > bare.tokens


def test_a_message_without_one_goes_as_it_is() -> None:
    conversation = [*CONVERSATION, said("a2", "yes"), user_with("u3", "third")]
    bare = planned_slim(conversation)
    assert with_workflow(bare, newest_metadata(conversation).workflow, 0) == bare


def test_pictures_of_results_are_no_message_of_the_person() -> None:
    bare = planned_slim(CONVERSATION[:1])
    pictures = {"role": "user", "content": [IMAGES_OF_RESULTS, {"type": "text", "text": "[not shown]"}]}
    bare.messages.append(pictures)
    request = with_workflow(bare, "one node", 2)
    assert request.messages[-1] == pictures
    assert request.messages[-2]["content"] == "one node\n\nfirst"


def test_a_message_with_files_keeps_them_behind_the_workflow() -> None:
    bare = planned_slim(CONVERSATION[:1])
    bare.messages[-1] = {"role": "user", "content": [{"type": "text", "text": "look"}]}
    texts = [part["text"] for part in with_workflow(bare, "one node", 2).messages[-1]["content"]]
    assert texts == ["one node", "look"]
