from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.asked_before import asks_for_run, asks_for_subject, question_in


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("Done. What should the picture show?", "What should the picture show?"),
        ("I can do that.\n\nWhich node did you mean? Tell me its number.", "Which node did you mean?"),
        ("Which one? It is unclear. There are two. Both are loaders. Both are named alike.", ""),
        ("The steps are 30.", ""),
        ("要画什么？", "要画什么？"),
        ("", ""),
    ],
)
def test_the_question_at_the_end_of_an_answer_is_found(answer: str, question: str) -> None:
    assert question_in(answer) == question


def test_what_it_asks_for_is_told() -> None:
    assert asks_for_subject("What should the picture show?")
    assert not asks_for_subject("Which picture should I load?")
    assert not asks_for_subject("Shall I change the prompt?")
    assert asks_for_run("Shall I run it now?")
    assert not asks_for_run("Should I remove the preview?")
