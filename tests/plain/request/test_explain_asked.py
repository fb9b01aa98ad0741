from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.explain_asked import explanation_asked


@pytest.mark.parametrize(
    ("request_", "language"),
    [
        ("what does this workflow do?", "en"),
        ("whats this", "en"),
        ("explain this workflow to me", "en"),
        ("give me a short summary of this", "en"),
        ("what am I looking at here?", "en"),
        ("explain this graph step by step", "en"),
        ("was macht dieser workflow?", "de"),
        ("wofür ist das gut", "de"),
        ("erklären, was hier passiert", "de"),
        ("qu'est-ce que fait ce workflow ?", "fr"),
        ("explique-moi ce workflow", "fr"),
        ("à quoi ça sert ?", "fr"),
        ("m'expliquer ce workflow", "fr"),
        ("que hace este flujo de trabajo?", "es"),
        ("¿para qué sirve esto?", "es"),
        ("这个工作流是做什么的？", "zh"),
        ("解释一下这个工作流", "zh"),
    ],
)
def test_the_whole_workflow_is_asked_for(request_: str, language: str) -> None:
    assert explanation_asked(request_) == language


@pytest.mark.parametrize(
    "request_",
    [
        "what can you do?",
        "what model is this?",
        "explain the sampler",
        "what does the ksampler do",
        "how many steps?",
        "what is the image size",
        "how do i make this bigger",
        "why is it so dark?",
        "what did you do",
        "what does that do?",
        "tell me about you",
        "tell me about steps",
        "what are nodes",
        "how good is this?",
        "que faire ?",
        "what should i do",
        "show it to me",
        "make this again",
        "what does this node do",
        "que fait ce nœud ?",
        "run it",
        "set the steps to 30 and explain what this does",
        "你能做什么",
        "把它改成一只猫",
        "",
    ],
)
def test_a_part_of_it_or_anything_else_is_left_to_a_model(request_: str) -> None:
    assert explanation_asked(request_) is None
