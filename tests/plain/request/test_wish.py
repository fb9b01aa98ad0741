from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.wish import against_wish, wish_of


@pytest.mark.parametrize(
    ("request_", "wish"),
    [
        ("which sampler is used?", {"know"}),
        ("what does this workflow make?", {"know"}),
        ("Explain this workflow step by step", {"know"}),
        ("Wie viele Knoten sind das?", {"know"}),
        ("undo that", {"undo"}),
        ("take that back", {"undo"}),
        ("Mach das rückgängig", {"undo"}),
        ("that was wrong, take it back", {"undo"}),
        ("this is not what I wanted. Undo it", {"undo"}),
        ("make it wider", {"set"}),
        ("make it wider and run it", {"set", "run"}),
        ("add an upscaler before the image is saved", {"add"}),
        ("Setze die Schritte auf 12 und starte es", {"set", "run"}),
        ("run it", {"run"}),
        ("do it again", {"run"}),
    ],
)
def test_a_request_tells_what_it_wants(request_: str, wish: set[str]) -> None:
    assert wish_of(request_) == wish


@pytest.mark.parametrize(
    "request_",
    [
        "how about a blue car?",
        "why did it fail? fix it",
        "which sampler is used? use euler",
        "is it possible to make it 1024 wide?",
        "undo the mute of node 3",
        "steps 30",
    ],
)
def test_what_might_be_meant_otherwise_is_no_question_and_no_undoing(request_: str) -> None:
    assert not wish_of(request_) & {"know", "undo"}


@pytest.mark.parametrize(
    ("tool", "request_", "hint"),
    [
        ("setValue", "what is the denoise value?", "in words"),
        ("setValue", "undo that", "undoTurn"),
        ("runWorkflow", "add a preview of the image", "insertNode"),
        ("runWorkflow", "set the steps to 30", "setValue"),
        ("removeNode", "change what is to be avoided to: people", "setValue"),
        ("removeNode", "run it", "Answer in words"),
    ],
)
def test_a_call_of_another_kind_is_refused_with_the_one_that_was_asked_for(
    tool: str, request_: str, hint: str
) -> None:
    refused = against_wish(tool, request_)
    assert refused is not None
    assert hint in refused["hint"]


@pytest.mark.parametrize(
    ("tool", "request_"),
    [
        ("runWorkflow", "render the video"),
        ("runWorkflow", "set the steps to 30 and run it"),
        ("runWorkflow", "steps 30"),
        ("removeNode", "get rid of the preview"),
        ("removeNode", "take the LoRA out and set the steps to 30"),
        ("removeNode", "change the sampler for a simple one, without the second"),
        ("removeNode", "la imagen sobra"),
        ("runWorkflow", ""),
    ],
)
def test_what_may_be_meant_is_not_refused(tool: str, request_: str) -> None:
    assert against_wish(tool, request_) is None
