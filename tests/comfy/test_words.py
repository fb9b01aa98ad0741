from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.words import (
    parts,
    query_words,
    requested_outputs,
    squeeze,
    unwanted_words,
    words,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("VAEDecode", ["vae", "decode", "vaedecode"]),
        ("KSamplerAdvanced", ["k", "sampler", "advanced", "ksampler", "sampleradvanced", "ksampleradvanced"]),
        ("4x_upscale", ["4", "x", "4x", "upscale"]),
        ("Grüße an alle", ["grüsse", "an", "alle"]),
        ("", []),
    ],
)
def test_names_are_taken_apart(name, expected):
    assert words(name) == expected


def test_joining_words_count_when_there_is_nothing_else():
    assert query_words("load the image") == ["load", "image"]
    assert query_words("to the") == ["to", "the"]


def test_how_much_is_no_word_to_search_by_and_a_version_is_one():
    assert query_words("upscale latent by 1.5") == ["upscale", "latent"]
    assert query_words("hunyuan video 1.5 to 3d, at 24 fps") == ["hunyuan", "video", "1", "5", "3d", "fps"]
    assert query_words("by 2") == ["2"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CLIPTextEncodeSDXL", ["clip", "text", "encode", "sdxl"]),
        ("load_image2.png", ["load", "image", "2", "png"]),
        ("ÄhnlicheBilder 画像", ["ähnlichebilder", "画像"]),
        ("_-!", []),
    ],
)
def test_the_words_of_a_name_are_its_parts_in_small_letters(text, expected):
    assert parts(text) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Red red RED sky", ["red", "sky"]),
        ("controlNet-v11", ["controlnet", "v11"]),
        ("?!", []),
    ],
)
def test_what_somebody_typed_is_taken_as_words_once_each(typed, expected):
    assert query_words(typed) == expected


@pytest.mark.parametrize(
    "written", ["Load Checkpoint", "load_checkpoint", "LoadCheckpoint", " load-checkpoint!"]
)
def test_a_name_is_the_same_however_it_is_written(written):
    assert squeeze(written) == "loadcheckpoint"


@pytest.mark.parametrize(
    ("text", "terms", "unwanted"),
    [
        ("upscale without a model", ["upscale"], {"model"}),
        ("load image no mask", ["load", "image"], {"mask"}),
        ("sample without adding noise", ["sample", "adding", "noise"], set()),
        ("yes or no switch", ["yes", "no", "switch"], set()),
        ("without clip", ["clip"], {"clip"}),
        ("nothing", ["nothing"], set()),
    ],
)
def test_what_is_not_wanted_is_told_apart(text: str, terms: list[str], unwanted: set[str]) -> None:
    assert query_words(text) == terms
    assert unwanted_words(text) == unwanted


@pytest.mark.parametrize(
    ("text", "words_asked"),
    [
        ("get width of image", {"width"}),
        ("read the width and height of a picture", {"width", "height"}),
        ("get an image", set()),
        ("width", set()),
    ],
)
def test_what_is_asked_of_something_is_told_apart(text: str, words_asked: set[str]) -> None:
    assert requested_outputs(text) == words_asked
