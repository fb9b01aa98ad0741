from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.environment.node_definition import NodeDefinition
from comfyui_assistant.engine.environment.node_input import NodeInput
from comfyui_assistant.engine.plain.call import BrowserCall
from comfyui_assistant.engine.plain.request.values_said import as_words, values_said
from comfyui_assistant.engine.plain.tools import browser_call
from comfyui_assistant.engine.plain.workflow import Workflow

from ...growth import grows_in_proportion
from ..workflows import DEFAULT, ENVIRONMENT, TWO_LORAS, TWO_SAMPLERS, node, workflow

SAMPLERS = ("euler", "heun", "euler_ancestral", "dpmpp_2m", "dpmpp_2m_sde")
SCHEDULERS = ("normal", "karras", "simple", "sgm_uniform")


def with_choices(**choices: tuple[str, ...]) -> NodeDefinition:
    """A sampler whose widgets have these choices; the recorded nodes have none."""
    known = ENVIRONMENT.nodes["KSampler"]
    return replace(
        known, inputs=tuple(replace(each, choices=choices.get(each.name)) for each in known.inputs)
    )


DEFINITIONS = {**ENVIRONMENT.nodes, "KSampler": with_choices(sampler_name=SAMPLERS, scheduler=SCHEDULERS)}
IMAGE = workflow(
    node(10, "LoadImage", image="example.png"), node(18, "KSampler", {"latent_image": "10"}, denoise=0.8)
)


def said(request: str, flow: Workflow = DEFAULT) -> dict[str, str]:
    found = values_said(flow, DEFINITIONS, request)
    return {f"{value.node.id}.{value.widget}": new for value, new in found}


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        ("set the steps to 30", {"3.steps": "30"}),
        ("steps to 28", {"3.steps": "28"}),
        ("bump the number of sampling steps up to 35", {"3.steps": "35"}),
        ("mets 18 étapes", {"3.steps": "18"}),
        ("cfg scale 4,5", {"3.cfg": "4.5"}),
        ("set the steps to 30 and the cfg to 7", {"3.steps": "30", "3.cfg": "7"}),
        ("I'd like a 896x640 picture", {"5.width": "896", "5.height": "640"}),
        ("change the image to 1152 by 896", {"5.width": "1152", "5.height": "896"}),
        ("set width and height to 640", {"5.width": "640", "5.height": "640"}),
        ("make the image 768 pixels wide", {"5.width": "768"}),
        ("make two images at once", {"5.batch_size": "2"}),
        ("I want 4 images per run", {"5.batch_size": "4"}),
        ("set the steps of node 3 to 12", {"3.steps": "12"}),
        ("use the dpmpp_2m sampler", {"3.sampler_name": "dpmpp_2m"}),
        ("use DPM++ 2M Karras", {"3.sampler_name": "dpmpp_2m", "3.scheduler": "karras"}),
        ("scheduler: simple", {"3.scheduler": "simple"}),
        ("switch from euler to euler_ancestral", {"3.sampler_name": "euler_ancestral"}),
        ("save the files under the name forest", {"9.filename_prefix": "forest"}),
        ("output files should start with holiday", {"9.filename_prefix": "holiday"}),
        ("change the prompt to a red fox in the snow", {"6.text": "a red fox in the snow"}),
        ("negative prompt: blurry, 3 hands", {"7.text": "blurry, 3 hands"}),
        ("Der negative Prompt soll 'unscharf' lauten", {"7.text": "unscharf"}),
        ("cambia el prompt a un gato negro", {"6.text": "un gato negro"}),
        ("positive: an old sailor, oil", {"6.text": "an old sailor, oil"}),
        ("set the prompt to a cat on a roof and run it", {"6.text": "a cat on a roof"}),
        ("change the text of node 7 to jpeg artifacts", {"7.text": "jpeg artifacts"}),
        ("make it 1,024 x 768", {"5.width": "1024", "5.height": "768"}),
        ("set the width to 1,024", {"5.width": "1024"}),
        ("setze die Breite auf 1.024", {"5.width": "1024"}),
        ("12 steps looked awful. Set it to 30 steps.", {"3.steps": "30"}),
        ("set the steps to 30, but don't run it yet", {"3.steps": "30"}),
        ("change prompt to a cat, width 640", {"6.text": "a cat", "5.width": "640"}),
        ("change the prompt to a cat, 3 hands, 8k", {"6.text": "a cat, 3 hands, 8k"}),
        ("negative promt: blurry", {"7.text": "blurry"}),
        ("add 'sharp focus' to the prompt", {"6.text": "a bottle, sharp focus"}),
        ("append ugly hands to the negative prompt", {"7.text": "text, watermark, ugly hands"}),
        ("name the files holiday", {"9.filename_prefix": "holiday"}),
        ("more steps, like 35", {"3.steps": "35"}),
        ("replace 'bottle' with 'cup' in the prompt", {"6.text": "a cup"}),
        ("put 'masterpiece' in front of the prompt", {"6.text": "masterpiece, a bottle"}),
        ("take watermark out of the neg prompt", {"7.text": "text"}),
        ("cfg 5 and remove 'text' from the negative prompt", {"3.cfg": "5", "7.text": "watermark"}),
        ("neagtive prompt: blurry", {"7.text": "blurry"}),
        ("clear the negative prompt", {"7.text": ""}),
        ("stpes 25", {"3.steps": "25"}),
        ("cgf .5", {"3.cfg": "0.5"}),
        ("cfg 7 -> 9", {"3.cfg": "9"}),
        ("from 20 to 30 steps", {"3.steps": "30"}),
        ("wider, 1216 by 832", {"5.width": "1216", "5.height": "832"}),
        ("square, 768", {"5.width": "768", "5.height": "768"}),
        ("cfg 4 steps 15", {"3.cfg": "4", "3.steps": "15"}),
        ("30 steps 7 cfg", {"3.steps": "30", "3.cfg": "7"}),
        ("nimm 3 Bilder auf einmal", {"5.batch_size": "3"}),
        ("width 640, same height", {"5.width": "640"}),
        ("change 512x512 to 640x960", {"5.width": "640", "5.height": "960"}),
        ("25 steps & cfg 5", {"3.steps": "25", "3.cfg": "5"}),
        ("my prompt is: a knight in fog", {"6.text": "a knight in fog"}),
        ("get 4 variations in one go", {"5.batch_size": "4"}),
        ("prompt: a cat. negative: a dog", {"6.text": "a cat", "7.text": "a dog"}),
        ("positive: a cat, 8k\nnegative prompt: ugly, text", {"6.text": "a cat, 8k", "7.text": "ugly, text"}),
        ("delete the word text from the negative", {"7.text": "watermark"}),
        ("switch to euler_ancestral", {"3.sampler_name": "euler_ancestral"}),
        ("file prefix: portrait", {"9.filename_prefix": "portrait"}),
        ("triple the steps", {"3.steps": "60"}),
        ("change la graine à 12", {"3.seed": "12"}),
        ("set the noise seed to 9", {"3.seed": "9"}),
        ("thirty steps", {"3.steps": "30"}),
        ("cambia la semilla a 77", {"3.seed": "77"}),
        ("name the output i2i_test", {"9.filename_prefix": "i2i_test"}),
        ("save it under clips/fox", {"9.filename_prefix": "clips/fox"}),
    ],
)
def test_what_is_said_without_a_doubt(request_: str, values: dict[str, str]) -> None:
    assert said(request_) == values


@pytest.mark.parametrize(
    "request_",
    [
        "set the steps to 20",
        "how many steps does it take?",
        "what happens at 30 steps?",
        "undo that",
        "add 5 steps",
        "write the prompt in German",
        "put the prompt in brackets",
        "set the prompt to its default",
        "the prompt should be shorter",
        "the prompt should be in english",
        "prompt: same as before but with a dog",
        "replace the first word in the prompt with dog",
        "replace the prompt with a poem",
        "dont randomize the seed",
        "don't change the seed to 5",
        "how to change the seed to 5",
        "max 15 steps",
        "set steps to twenty five",
        "every 5 steps",
        "no need to change the seed",
        "add a node to the prompt",
        "translate the prompt to German",
        "shorten the prompt to 20 words",
        "connect the prompt to the sampler",
        "steps x2",
        "don't remove 'text' from the negative prompt",
        "what if I remove 'text' from the negative prompt?",
        "set the cfg to 75%",
        "lower the denoise by 10%",
        "steps 20 or 30",
        "start at step 5",
        "use anything but karras",
        "keep it simple",
        "make it normal",
        "save it as png",
        "Make a red 64×64 image and save it",
        "add a fox in the snow",
        "change the prompt to something better",
        "replace 'vase' with 'cup' in the prompt",
        "the prompt says a bottle, is that right?",
        "make a picture of a cat on a roof",
        "run it",
        "",
        "12 steps looked awful. Which sampler do you recommend?",
        "never go above 15 steps",
        "the picture takes 40 steps, is that too many?",
        "The picture takes 40 steps.",
        "never use 30 steps",
        "use at most 30 steps",
        "no more than 30 steps",
        "30 steps are too many",
        "30 steps was better than this",
        "I used 30 steps before",
        "compare euler_ancestral with karras",
        "don't use euler_ancestral",
        "is dpmpp_2m better? what about 30 steps?",
        "nimm nie mehr als 30 Schritte",
        "30 Schritte sind zu viel",
        "when I use karras it crashes",
        "never change the prompt to a cat",
        "the prompt is a bottle on a table",
    ],
)
def test_nothing_is_read_into_other_words(request_: str) -> None:
    assert said(request_) == {}


def test_of_several_the_one_is_meant_that_the_request_tells_apart() -> None:
    assert said("set the denoise of the refiner to 0.4", TWO_SAMPLERS) == {"2.denoise": "0.4"}
    assert said("set denoise to 0.4", TWO_SAMPLERS) == {}
    assert said("use cfg 6", TWO_SAMPLERS) == {"1.cfg": "6", "2.cfg": "6"}
    assert said("set denoise to 0.4 for both", TWO_SAMPLERS) == {"1.denoise": "0.4", "2.denoise": "0.4"}
    assert said("strength model of the second LoRA: 1", TWO_LORAS) == {"13.strength_model": "1"}


@pytest.mark.parametrize(
    "request_",
    [
        "set the 2nd step to 25",
        "set the second cfg to 4",
        "set the cfg of the third sampler to 4",
        "use dpmpp_2m for the second sampler",
        "more steps for the second sampler",
        "less steps, 20",
    ],
)
def test_a_second_one_is_not_the_only_one_that_there_is(request_: str) -> None:
    assert said(request_) == {}


def test_what_is_said_of_a_second_one_is_not_said_of_the_rest() -> None:
    assert said("third lora strength model 0.5, 30 steps", TWO_LORAS) == {"3.steps": "30"}


def test_another_seed_is_another_one_and_the_same_each_time_it_is_read() -> None:
    [(value, new)] = values_said(DEFAULT, DEFINITIONS, "different seed")
    assert value.widget == "seed"
    assert int(new) not in (value.value, 0)
    assert said("different seed") == {"3.seed": new}
    assert values_said(DEFAULT, DEFINITIONS, "different seed", is_fresh=False) == []


def test_of_several_the_one_is_meant_whose_file_is_named() -> None:
    assert said("model strength of the ink lora: 1", TWO_LORAS) == {"13.strength_model": "1"}
    assert said("both lora model strengths to 0.3", TWO_LORAS) == {
        "11.strength_model": "0.3",
        "13.strength_model": "0.3",
    }


def test_a_percentage_of_a_denoise_is_a_part_of_one() -> None:
    assert said("make it 50% denoise", IMAGE) == {"18.denoise": "0.5"}
    assert said("set the denoise to 75 %", IMAGE) == {"18.denoise": "0.75"}


def test_a_number_of_another_node_of_the_type_is_not_taken() -> None:
    linked = workflow(
        node(1, "KSampler", title="KSampler - BASE", steps=20),
        node(2, "KSampler", {"steps": "1"}, title="KSampler - REFINER", cfg=8),
    )
    assert said("the refiner should take 10 steps", linked) == {}


def test_files_go_by_their_names_with_or_without_an_ending() -> None:
    choices = ("cat.png", "example.png", "my dog.png")
    image = NodeInput("image", "COMBO", required=True, is_widget=True, choices=choices)
    load = NodeDefinition("LoadImage", "Load Image", "", "", (image,), ())
    for request, file in (("load cat.png instead", "cat.png"), ("use my_dog as the input", "my dog.png")):
        [(value, new)] = values_said(IMAGE, {"LoadImage": load}, request)
        assert (value.node.id, new) == ("10", file)


def test_thousands_of_files_are_looked_through_in_time_that_grows_with_them() -> None:
    def look_through(files: int) -> None:
        choices = tuple(f"folder/model_{number}.safetensors" for number in range(files))
        field = NodeInput("ckpt_name", "COMBO", required=True, is_widget=True, choices=choices)
        loader = NodeDefinition("CheckpointLoaderSimple", "Load Checkpoint", "", "", (field,), ())
        definitions = {"CheckpointLoaderSimple": loader}
        assert len(values_said(DEFAULT, definitions, f"use folder/model_{files - 1}")) == 1

    assert grows_in_proportion(look_through, 3_000)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("makeColorImage", {"color": "red", "width": "512", "height": "512"}),
        ("runWorkflow", {}),
        ("removeNode", {"node": "3"}),
        ("insertNode", {"type": "KSampler", "where": "after", "node": "3"}),
        ("setValue", {"name": "cfg", "value": "28"}),
    ],
)
def test_what_was_said_is_done_whatever_the_model_calls(tool: str, arguments: dict[str, str]) -> None:
    call = browser_call(tool, arguments, DEFAULT, ENVIRONMENT, "steps to 28")
    assert call == BrowserCall("setNodeWidgetValue", {"node": "3", "widget": "steps", "value": "28"})
    assert isinstance(call, BrowserCall)
    assert (call.asked_of, call.asked) == ("setValue", {"name": "steps", "value": "28"})


@pytest.mark.parametrize(
    ("tool", "arguments", "request_", "done"),
    [
        ("removeNode", {"node": "9"}, "remove the save node and set the steps to 28", "removeNode"),
        ("bypassNode", {"node": "3", "mode": "mute"}, "mute the sampler, steps 28", "editWorkflow"),
        ("runWorkflow", {}, "run it with 20 steps", "executeWorkflow"),
        (
            "insertNode",
            {"type": "ImageInvert", "where": "before", "node": "9"},
            "make it 128 wide and invert it",
            "editWorkflow",
        ),
        (
            "makeColorImage",
            {"color": "red", "width": "64", "height": "64"},
            "Make a red 64×64 image and save it",
            "runNewWorkflow",
        ),
    ],
)
def test_what_else_was_asked_for_is_done_as_the_model_calls_it(
    tool: str, arguments: dict[str, str], request_: str, done: str
) -> None:
    call = browser_call(tool, arguments, DEFAULT, ENVIRONMENT, request_)
    assert isinstance(call, BrowserCall)
    assert call.tool == done


@pytest.mark.parametrize("tool", ["runWorkflow", "removeNode", "addNode", "makeColorImage"])
def test_nothing_else_is_done_once_what_was_said_is_so(tool: str) -> None:
    arguments = {"node": "3", "type": "KSampler", "color": "red", "width": "64", "height": "64"}
    result = browser_call(tool, arguments, DEFAULT, ENVIRONMENT, "steps to 20")
    assert not isinstance(result, BrowserCall)
    assert result["error"] == "Nothing more was done: what the user asked for is so, steps = 20."


def test_several_values_are_words_that_set_value_takes() -> None:
    found = values_said(DEFAULT, ENVIRONMENT.nodes, "make it 896x640")
    assert as_words(found) == {"name": "width and height", "value": "896 and 640"}


def test_more_is_more_than_there_was_when_it_was_said() -> None:
    assert values_said(DEFAULT, DEFINITIONS, "more steps", is_fresh=False) == []
    assert values_said(DEFAULT, DEFINITIONS, "add a hat to the prompt", is_fresh=False) == []
