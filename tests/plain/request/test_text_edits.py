from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.text_edits import edit_said

OLD = "a bottle, blue sky, text"


def edited(request: str, old: str = OLD) -> str | None:
    """`request` names the prompt once, as "prompt"."""
    start = request.lower().index("prompt")
    edit = edit_said(request, start, start + len("prompt"))
    return edit[0](old) if edit else "no edit"


@pytest.mark.parametrize(
    ("request_", "new"),
    [
        ("put 'sharp' in front of the prompt", f"sharp, {OLD}"),
        ("prepend best quality to the prompt", f"best quality, {OLD}"),
        ("add 'sharp' at the beginning of my prompt", f"sharp, {OLD}"),
        ("the prompt needs to start with 'sharp'", f"sharp, {OLD}"),
        ("start the prompt with photo of", f"photo of, {OLD}"),
        ("setz 'scharf' vor den Prompt", f"scharf, {OLD}"),
        ("mets net au début du prompt", f"net, {OLD}"),
        ("add sharp focus to the prompt", f"{OLD}, sharp focus"),
        ("8k, sharp should be added to the prompt", f"{OLD}, 8k, sharp"),
        ("füge Nebel zum Prompt hinzu", f"{OLD}, Nebel"),
        ("añade niebla al prompt", f"{OLD}, niebla"),
        ("put fog at the end of the prompt", f"{OLD}, fog"),
        ("remove 'text' from the prompt", "a bottle, blue sky"),
        ("take the word bottle out of the prompt", "a, blue sky, text"),
        ("remove blue sky and text from the prompt", "a bottle"),
        ("remove 'text' and 'blue sky' from the prompt", "a bottle"),
        ("remove the blue sky from the prompt", "a bottle, text"),
        ("entferne text aus dem Prompt", "a bottle, blue sky"),
        ("quita text del prompt", "a bottle, blue sky"),
        ("change 'bottle' to 'cup' in the prompt", "a cup, blue sky, text"),
        ("in the prompt, replace blue with red", "a bottle, red sky, text"),
        ("remplace bottle par tasse dans le prompt", "a tasse, blue sky, text"),
        ("replace the bottle in the prompt with a cup", "a cup, blue sky, text"),
        ("add the word 'dog' to the prompt", f"{OLD}, dog"),
        ("add polka dots to the prompt", f"{OLD}, polka dots"),
        ("clear the prompt", ""),
        ("make the prompt empty", ""),
        ("get rid of the prompt", ""),
        ("nimm den Prompt raus", ""),
    ],
)
def test_a_part_of_a_prompt_is_changed_and_the_rest_stays(request_: str, new: str) -> None:
    assert edited(request_) == new


@pytest.mark.parametrize(
    "request_",
    [
        "remove 'fox' from the prompt",
        "replace fox with wolf in the prompt",
        "remove something from the prompt",
        "add something to the prompt",
        "add 5 to the prompt",
        "add 'a dog' in front and 'cat' to the prompt",
        "insert a line break in the prompt",
        "put a newline between the tags in the prompt",
        "add emphasis to blue in the prompt",
        "add a bit of variation to the prompt",
        "füge einen Zeilenumbruch in den Prompt ein",
        "replace the first word in the prompt with dog",
    ],
)
def test_what_is_not_in_it_or_not_said_changes_nothing(request_: str) -> None:
    assert edited(request_) is None


@pytest.mark.parametrize(
    "request_",
    [
        "change the prompt to a cat",
        "prompt: a cat in front of a house",
        "use a cat as the prompt",
        "put a lighthouse as a prompt",
        "the prompt node",
    ],
)
def test_a_whole_text_is_no_part_of_one(request_: str) -> None:
    assert edited(request_) == "no edit"


def test_what_is_added_to_an_empty_text_stands_alone() -> None:
    assert edited("add fog to the prompt", "") == "fog"
    assert edited("add '5' to the prompt", "") == "5"
    assert edited("add 'fog' and 'mist' to the prompt", "") == "fog, mist"
    assert edited("prompt: add fog", "") == "fog"


def test_what_has_a_weight_goes_with_it() -> None:
    now = "a fox, (oil painting:1.1), (red) sky, ((fog))"
    assert edited("remove oil painting from the prompt", now) == "a fox, (red) sky, ((fog))"
    assert edited("remove fog from the prompt", now) == "a fox, (oil painting:1.1), (red) sky"
    assert edited("remove red from the prompt", now) == "a fox, (oil painting:1.1), sky, ((fog))"
    assert edited("prepend fog to the prompt", "") == "fog"


def test_where_the_words_of_an_edit_begin_is_told() -> None:
    request = "set the cfg to 5 and remove text from the prompt"
    found = edit_said(request, request.index("prompt"), len(request))
    assert found is not None
    assert request[: found[1]] == "set the cfg to 5 and "
