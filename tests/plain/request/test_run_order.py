from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.run_order import without_run_order


@pytest.mark.parametrize(
    ("request_", "rest"),
    [
        ("set steps to 30 and run it", "set steps to 30"),
        ("steps to 20, then start it", "steps to 20"),
        ("prompt: a cat. Then generate the image", "prompt: a cat"),
        ("cfg 7; run", "cfg 7"),
        ("Setze cfg auf 7 und starte es", "Setze cfg auf 7"),
        ("mets 20 étapes et lance-le", "mets 20 étapes"),
        ("pon 20 pasos y ejecuta el flujo", "pon 20 pasos"),
        ("run it", ""),
        ("run the workflow again", ""),
        ("run it for me", ""),
        ("running the workflow", ""),
        ("run everything", ""),
        ("run it again with 20 steps", "20 steps"),
        ("starte mal", ""),
        ("ausführen", ""),
        ("steps 12, generate the image", "steps 12"),
        ("运行工作流", ""),
        ("把步数改成12，然后运行", "把步数改成12，"),
    ],
)
def test_the_order_to_run_is_told_from_what_is_said_before_it(request_: str, rest: str) -> None:
    assert without_run_order(request_) == (rest, True)


@pytest.mark.parametrize(
    "request_",
    [
        "set steps to 30",
        "set steps to 30 but don't run it",
        "start at step 5",
        "change the prompt to a horse and a man who run",
        "why did the last run fail?",
        "how do I run it",
        "generate a cat on a roof",
        "run it 3 times",
        "make it go",
        "can it run?",
        "prompt: a dragon in the snow, fire",
        "prompt: a dog on a beach, running",
        "prompt: a castle, 3d render",
        "run?",
        "为什么运行失败",
    ],
)
def test_other_words_are_no_order_to_run(request_: str) -> None:
    assert without_run_order(request_) == (request_, False)
