from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.synonyms import conversions, phrase_synonyms, synonyms


@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("photo", {"image", "picture"}),
        ("prompt", {"text", "conditioning"}),
        ("scale", {"resize", "shrink"}),
    ],
)
def test_a_word_has_the_meanings_of_each_group_that_it_stands_in(word, some):
    assert some <= set(synonyms(word))
    assert word not in synonyms(word)
    assert len(set(synonyms(word))) == len(synonyms(word))


def test_whoever_means_a_word_is_meant_by_it():
    for word in ("photo", "upscale", "outpaint", "vram"):
        assert all(word in synonyms(other) for other in synonyms(word))


def test_a_word_of_no_group_means_only_itself():
    assert synonyms("ksampler") == ()


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("Remove background", ["mask", "alpha"]),
        ("cut out, lip-sync", ["mask", "crop", "alpha", "sound", "audio"]),
        ("two pictures side by side", ["concat", "concatenate", "stitch"]),
        ("shortcut outline", []),
        ("", []),
    ],
)
def test_several_words_mean_something_together(query, meant):
    assert list(phrase_synonyms(query)) == meant


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ("KSampler to the LATENT", [["ksampler to latent", "ksampler to latents"]]),
        (
            "turn text into a mesh",
            [[f"{one} to {other}" for one in ("text", "string", "words") for other in ("mesh", "3d", "glb")]],
        ),
        ("upload", []),
    ],
)
def test_what_becomes_what_is_said_in_the_words_of_names(query, phrases):
    assert list(conversions(query)) == phrases


@pytest.mark.parametrize(
    "query",
    [
        "I want to animate a photo",
        "make a video from my photo",
        "make the photo move",
        "bring this photo to life",
    ],
)
def test_what_is_to_move_becomes_a_video(query):
    assert "image to video" in list(conversions(query))[-1]


def test_of_a_chain_each_conversion_counts():
    assert [phrases[0] for phrases in conversions("text to image to video")] == [
        "text to image",
        "image to video",
    ]
