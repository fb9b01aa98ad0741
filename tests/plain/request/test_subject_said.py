from __future__ import annotations

import pytest
from comfyui_assistant.engine.plain.request.subject_said import subject_said


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ("make it a cyberpunk city at night with neon lights", "a cyberpunk city at night with neon lights"),
        ("i want a dragon sitting on a castle instead, keep everything else", "a dragon sitting on a castle"),
        ("change the subject to a golden retriever on a beach", "a golden retriever on a beach"),
        ("prompt should be about a forest in autumn", "a forest in autumn"),
        (
            "the video should show a robot dancing in the rain, change the prompt",
            "a robot dancing in the rain",
        ),
        ("make the picture show a cat on the moon", "a cat on the moon"),
        (
            "change what the picture shows. I'd like a man with red hair.",
            "a man with red hair",
        ),
        ("write a castle in the clouds as prompt", "a castle in the clouds"),
        ("put a lighthouse as a prompt", "a lighthouse"),
        ("make it a dog instead of a bottle", "a dog"),
        ("mach daraus einen Hund statt einer Flasche", "einen Hund"),
        ("换成一只白色的猫", "一只白色的猫"),
        ("mach daraus ein altes Schiff im Sturm", "ein altes Schiff im Sturm"),
        ("das Bild soll einen Drachen zeigen", "einen Drachen"),
        ("je voudrais un chat noir à la place", "un chat noir"),
        ("quiero un perro en la playa en su lugar", "un perro en la playa"),
    ],
)
def test_another_subject_is_the_new_text(request_: str, text: str) -> None:
    assert subject_said(request_) == (text, False)


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ("make a picture of a cat on a roof", "a cat on a roof"),
        ("draw me a dragon", "a dragon"),
        ("generate a cat wearing sunglasses", "a cat wearing sunglasses"),
        ("make me an old house by the lake", "an old house by the lake"),
        ("mach mir ein bild von einem hund am strand", "einem hund am strand"),
        ("fais une image d'un phare la nuit", "un phare la nuit"),
        ("画一只猫", "猫"),
        ("create a realistic photo of an old port", "a realistic photo of an old port"),
        ("generate another oil painting of a stormy sea", "oil painting of a stormy sea"),
        ("make a nice picture of a harbour", "a harbour"),
        (
            "erstelle ein realistisches Foto von einer alten Frau",
            "ein realistisches Foto von einer alten Frau",
        ),
        ("crée une photo réaliste d'un vieux port", "une photo réaliste d'un vieux port"),
        ("genera una foto realista de un caballo", "una foto realista de un caballo"),
        ("生成一张写实的老人照片", "写实的老人照片"),
        ('create a logo with the text "Bakery"', 'a logo with the text "Bakery"'),
        ("a red fox in the snow", "a red fox in the snow"),
        ("An astronaut riding a horse, oil painting.", "An astronaut riding a horse, oil painting"),
        ("ein roter Fuchs im Schnee", "ein roter Fuchs im Schnee"),
        (
            "masterpiece, best quality, 1girl, solo, blue eyes",
            "masterpiece, best quality, 1girl, solo, blue eyes",
        ),
    ],
)
def test_a_picture_that_is_to_be_made_is_run_too(request_: str, text: str) -> None:
    assert subject_said(request_) == (text, True)


@pytest.mark.parametrize(
    "request_",
    [
        "make a loop over all the frames",
        "make a background with no people at all",
        "make a picture with no people in it",
        "make a 512x768 picture of a cat",
        "make a larger picture of a cat",
        "draw a sketch of how it works",
        "把图片改成竖版",
        "make a grid of 4 images",
        "make an undo of the last change",
        "generate an outfit for the man that fits",
        "render a scene with better lighting",
        "create a second sampler pass with denoise",
        "make a short text about cats",
        "make it a bit wider",
        "make it a forest",
        "turn it into a snowy street",
        "mach daraus einen Wald",
        "make it a 2x upscale",
        "make it a batch of 4",
        "make it a night scene",
        "draw a line from 3 to 8",
        "the prompt should be in english",
        "make it a square",
        "make it better",
        "make it a video",
        "make a red 64x64 image and save it",
        "make an image of plain red",
        "i want a preview of the image instead",
        "i want more steps instead",
        "generate a picture",
        "make another picture",
        "create a video from this image",
        "what should the picture show?",
        "i don't want a cat instead",
        "make it a workflow with a lora",
        "i want a cat. how does that work?",
        "change it to euler",
        "make it a lot brighter",
        "show me a picture of the result",
        "generate an image with the current settings",
        "turn the picture into a painting",
        "生成一张图",
        "make the image a png",
        "make it a portrait",
        "i want a sharper image instead",
        "give me a list of samplers instead",
        "画质更好一点",
        "做一个视频工作流",
        "生成图片",
        "改成512x512",
        "换成euler采样器",
        "run it",
        "a cat",
        "a link from the vae to the save node",
        "a different style for the background",
        "some blur for the background of it",
        "a question about the sampler here",
        "a lora between checkpoint and sampler",
        "fix this, run it, show me, thanks, bye",
        "steps 20, cfg 7, euler, karras, seed 4",
        "",
    ],
)
def test_anything_else_is_no_subject(request_: str) -> None:
    assert subject_said(request_) is None


@pytest.mark.parametrize(
    ("asked", "answer", "subject"),
    [
        ("What should the picture show?", "an oil painting of a ship", ("an oil painting of a ship", True)),
        ("What should the picture show?", "lighthouse", ("lighthouse", True)),
        ("Was soll das Bild zeigen?", "ein alter Leuchtturm", ("ein alter Leuchtturm", True)),
        ("What should the new prompt be?", "a lighthouse", ("a lighthouse", False)),
        ("What should the picture show?", "nothing", None),
        ("What should the picture show?", "i don't know", None),
        ("What should the picture show?", "the second one", None),
        ("What should the picture show?", "run it", None),
        ("Which of the two nodes did you mean?", "an oil painting of a ship", None),
        ("Which image should I load?", "a red fox in the snow", None),
        ("Do you want me to change the picture?", "a red fox in the snow", None),
        ("Which image should I load?", "change the prompt to be about a fox", None),
        ("Which image should I load?", "draw me a dragon", ("a dragon", True)),
    ],
)
def test_what_was_asked_before_decides_what_a_bare_answer_means(
    asked: str, answer: str, subject: tuple[str, bool] | None
) -> None:
    assert subject_said(answer, asked) == subject
