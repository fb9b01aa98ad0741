from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.chat.replies.claims import claims_in_vain, has_acted
from comfyui_assistant.engine.context.tool_facts import ToolFacts


@pytest.mark.parametrize(
    "answer",
    [
        "I have set the steps to 30.",
        "I've removed the Save Image node from the workflow.",
        "I removed the node.",
        "The steps have been set to 30.",
        "The workflow has been executed.",
        "The image was successfully saved.",
        "Successfully added the node.",
        "The image has been made and saved.",
        "The image is now 768 pixels wide.",
        "Ich habe die Schritte auf 25 gesetzt.",
        "Der Prompt wurde geändert.",
        "J'ai changé le prompt.",
        "He cambiado el prompt.",
        "已将步数设置为30。",
        "プロンプトを変更しました。",
    ],
)
def test_an_answer_that_says_that_something_was_done_claims_it(answer: str) -> None:
    assert claims_in_vain(answer, [], {})


@pytest.mark.parametrize(
    "answer",
    [
        "The workflow has 7 nodes.",
        "The steps are set to 20.",
        "KSampler takes the model and removes noise; the image is saved by Save Image.",
        "First the checkpoint is loaded, then the prompt is encoded.",
        "I can set the steps to 30. Shall I?",
        "You can remove the node with the Delete key.",
        "There is no LoRA.",
        "It now has to be run.",
        "Der Sampler ist euler.",
        "这个工作流有7个节点。",
    ],
)
def test_an_answer_that_tells_what_is_claims_nothing(answer: str) -> None:
    assert not claims_in_vain(answer, [], {})


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("did you set the steps?", "Yes. I have set the steps to 30."),
        ("what are the steps now? and fix the error", "I set the steps to 30 in the last turn."),
        (
            "explain how the picture is made, then stop",
            "The latent is now decoded into a picture by VAE Decode.",
        ),
        (
            "fix the missing checkpoint",
            "It cannot be found because the model has been removed from the folder.",
        ),
        ("use another sampler", "The file example.png has been deleted, as ComfyUI tells."),
    ],
)
def test_true_sentences_are_not_contradicted(request_: str, answer: str) -> None:
    assert not claims_in_vain(answer, [], {}, request_)


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("set the steps to 30", "The steps have been set to 30."),
        ("set the steps to 30", "The steps are now 30."),
        ("remove the Save Image node", "The Save Image node has been removed."),
        ("make the image 768 wide", "Done. The image is now 768 pixels wide."),
        ("run it", "The workflow has been executed."),
        ("undo that", "The change has been reverted."),
        ("use euler", "I have changed the sampler, because it is faster."),
    ],
)
def test_what_was_asked_for_and_not_done_is_claimed_in_vain(request_: str, answer: str) -> None:
    assert claims_in_vain(answer, [], {}, request_)


@pytest.mark.parametrize(
    ("answer", "is_in_vain"),
    [
        ("I have set the steps to 30.", False),
        ("The steps have been set to 30 and the image has been generated.", True),
        ("I ran the workflow.", True),
        ("Das Bild wurde generiert.", True),
    ],
)
def test_a_change_makes_no_claim_of_a_run_true(answer: str, is_in_vain: bool) -> None:
    facts = {"set": ToolFacts("edits"), "run": ToolFacts("runs")}
    changed, ran = ({"type": f"tool-{name}", "output": {"ok": True}} for name in ("set", "run"))
    assert claims_in_vain(answer, [changed], facts) is is_in_vain
    assert not claims_in_vain(answer, [changed, ran], facts)


def test_a_call_has_acted_where_it_changes_or_runs_and_succeeded() -> None:
    facts = {"set": ToolFacts("edits"), "run": ToolFacts("runs"), "look": ToolFacts("reads")}

    def part(name: str, *, ok: bool) -> dict[str, Any]:
        return {"type": f"tool-{name}", "toolCallId": "c", "state": "output-available", "output": {"ok": ok}}

    assert has_acted([part("look", ok=True), part("set", ok=True)], facts)
    assert has_acted([part("run", ok=True)], facts)
    assert not has_acted([part("look", ok=True), part("set", ok=False)], facts)
    assert not has_acted([], facts)


def test_values_told_as_the_listing_names_them_are_a_claim_unless_somebody_asked() -> None:
    assert claims_in_vain("steps = 30\n\ncfg = 7", [], {}, "make it look better")
    assert not claims_in_vain("steps = 30", [], {}, "how many steps?")
    assert not claims_in_vain("steps = 30", [], {}, "steps?")
    assert not claims_in_vain("It says: steps = 30 is enough.", [], {}, "make it look better")
