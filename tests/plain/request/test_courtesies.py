from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.courtesies import without_courtesies

from tests.growth import grows_in_proportion


@pytest.mark.parametrize(
    ("request_", "rest"),
    [
        ("set the steps to 28 thx!!", "set the steps to 28"),
        ("can you use 20 steps please?", "use 20 steps"),
        ("prompt: a fox in snow, thanks!!", "prompt: a fox in snow"),
        ("une photo d'un chat qui dort, s'il te plaît", "une photo d'un chat qui dort"),
        ("Make it 512x768. Also use seed 7. Thanks!", "Make it 512x768. Also use seed 7."),
        ("cfg 5, please, many thanks :)", "cfg 5"),
        ("把尺寸改成1280x720，谢谢", "把尺寸改成1280x720"),
        ("thanks! now 30 steps", "30 steps"),
        ("great, but a bit less cfg", "a bit less cfg"),
        ("30 steps 🙏", "30 steps"),
        ("Hi! Could you please set the steps to 30? Thanks", "set the steps to 30"),
        ("make it 30 steps, and could u please run it?", "make it 30 steps, and run it"),
        ("Könntest du mir mal bitte die Breite auf 768 setzen?", "die Breite auf 768 setzen"),
        ("Setze bitte die Schritte auf 30", "Setze die Schritte auf 30"),
        ("Peux-tu mettre 30 étapes s'il te plaît ?", "mettre 30 étapes"),
        ("¿Puedes poner 30 pasos, por favor?", "¿poner 30 pasos"),
        ("你好，能不能把步数改成30？谢谢", "把步数改成30"),
        ("can you tell me how many steps there are?", "how many steps there are?"),
        ("no, undo that", "undo that"),
        ("set 30 steps, ok?", "set 30 steps"),
    ],
)
def test_thanks_and_please_are_left_out(request_: str, rest: str) -> None:
    assert without_courtesies(request_) == rest


@pytest.mark.parametrize(
    "request_",
    [
        "prompt: a card that says thank you",
        "prompt: a sign, reads please",
        "prompt: dwarfs, giving thanks to the king",
        "cool, blue, ice, snow, wolf",
        "prompt: a cat 🐱",
        "prompt: a sign, please wait here",
        "set the prompt to a shop sign, please wait here",
        "would you use more steps?",
        "würdest du mehr Schritte nehmen?",
        'set the prompt to "can you please smile"',
        "no people in the background",
        "so many steps",
        "what can you do?",
        "thank you",
        "set the cfg to 5",
        "",
    ],
)
def test_words_that_are_meant_stay(request_: str) -> None:
    assert without_courtesies(request_) == request_


def test_a_long_message_is_looked_at_where_it_ends() -> None:
    def read(size: int) -> None:
        without_courtesies(" \n" * 4 * size + "thanks" + "?!" * size)

    assert grows_in_proportion(read, 10_000)
