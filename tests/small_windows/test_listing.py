from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.comfy.node_input import NodeInput
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.small_windows.listing import write_listing
from comfyui_assistant.engine.small_windows.open_workflow import Group, read_workflow

from .workflows import DEFAULT, ENVIRONMENT, TWO_LORAS, node, posted, workflow


def test_a_workflow_is_told_by_its_nodes_and_then_by_its_values() -> None:
    assert (
        write_listing(DEFAULT, room=2_000, count=count_text)
        == """\
<open-workflow>
The open workflow has 7 nodes, in this order:
4 Load Checkpoint
5 Empty Latent Image
6 CLIP Text Encode (Prompt) (positive prompt), clip from 4
7 CLIP Text Encode (Prompt) (negative prompt), clip from 4
3 KSampler, model from 4, positive from 6, negative from 7, latent_image from 5
8 VAE Decode, samples from 3, vae from 4
9 Save Image, images from 8

Its values:
checkpoint = "v1-5.safetensors"
width = 512
height = 512
batch size = 1 (number of images per run)
positive prompt = "a bottle"
negative prompt = "text, watermark"
seed = 1
steps = 20
cfg = 8
sampler = "euler"
scheduler = "normal"
file name = "ComfyUI" (of saved files)

No failed run of it is known.
</open-workflow>"""
    )


def test_nodes_that_are_switched_off_say_so_and_alike_ones_are_numbered() -> None:
    text = write_listing(TWO_LORAS, room=2_000, count=count_text)
    assert "\n11 Load LoRA 1, model from 4, clip from 4\n" in text
    off = workflow(node(1, "ImageInvert", mode="bypassed"))
    assert "\n1 Invert Image [bypassed]\n" in write_listing(off, room=2_000, count=count_text)


def test_what_is_missing_and_why_the_last_run_failed_is_told() -> None:
    loader = node(4, "CheckpointLoaderSimple", ckpt_name="gone.safetensors")
    loader["values"][0]["isMissing"] = True
    saver = {**node(9, "SaveImage"), "remarks": {"openInputs": ["images"]}}
    found = replace(workflow(loader, saver), failure="4 Load Checkpoint: no such file")
    lines = write_listing(found, room=2_000, count=count_text).splitlines()
    assert 'checkpoint = "gone.safetensors" (this file is not installed)' in lines
    assert "9 Save Image, images NOT CONNECTED" in lines
    assert lines[-2] == "The last run failed. 4 Load Checkpoint: no such file"


def test_a_value_that_is_none_of_its_choices_comes_with_the_nearest_one() -> None:
    sampler = node(3, "KSampler", scheduler="normalx", sampler_name="no such thing")
    for value in sampler["values"]:
        value["isMissing"] = value["name"] in ("scheduler", "sampler_name")
    definition = ENVIRONMENT.nodes["KSampler"]
    scheduler = NodeInput("scheduler", "COMBO", True, True, choices=("simple", "normal", "karras"))
    definitions = {"KSampler": replace(definition, inputs=(scheduler,))}
    found = read_workflow(posted(sampler), definitions)
    assert found is not None
    lines = write_listing(found, room=2_000, count=count_text).splitlines()
    assert 'scheduler = "normalx" (this is not one of its choices; the nearest is "normal")' in lines
    assert 'sampler = "no such thing" (this is not one of its choices)' in lines


def test_a_choice_that_is_open_says_so() -> None:
    loader = node(1, "LoadImage", image=None)
    loader["values"][0]["isMissing"] = True
    assert "input image = (nothing chosen)" in write_listing(workflow(loader), room=2_000, count=count_text)


def test_groups_are_told_with_their_nodes_and_values_as_they_are_meant() -> None:
    sampler = node(3, "KSampler", cfg=5.000000000000001)
    body = posted(sampler)
    body["graph"]["groups"] = [{"title": "First pass", "nodes": ["3"]}]
    found = read_workflow(body, ENVIRONMENT.nodes)
    assert found is not None
    lines = write_listing(found, room=2_000, count=count_text).splitlines()
    assert 'Group "First pass": 3' in lines
    assert "cfg = 5.0" in lines


def test_an_empty_workflow_says_that_it_is() -> None:
    assert "is empty" in write_listing(workflow(), room=2_000, count=count_text)


def test_many_nodes_are_told_by_kind() -> None:
    many = workflow(*(node(number, "ImageInvert") for number in range(1, 60)), node(99, "SaveImage"))
    text = write_listing(many, room=2_000, count=count_text)
    assert "has 60 nodes" in text
    assert "59 × Invert Image: 1, 2, 3" in text


def test_many_nodes_of_another_state_are_told_apart() -> None:
    many = workflow(
        *(node(number, "ImageInvert") for number in range(1, 60)),
        *(node(number, "ImageInvert", mode="bypassed") for number in range(60, 63)),
        {**node(99, "SaveImage"), "remarks": {"openInputs": ["images"]}},
    )
    many = replace(many, groups=(Group("Part", ("1", "2", "60")), Group("Other", ("3",))))
    text = write_listing(many, room=2_000, count=count_text)
    assert 'Group "Part" of 3 nodes, 1 bypassed\nGroup "Other" of 1 node\n' in text
    assert "3 × Invert Image [bypassed]: 60, 61, 62" in text
    assert "99 Save Image, images NOT CONNECTED" in text


def test_nodes_lose_their_sources_before_a_value_is_left_out() -> None:
    many = workflow(
        *(node(number, "KSampler", {"model": "99"}, steps=20, cfg=8) for number in range(1, 11)),
        *(node(20 + number, "KSampler", {"latent_image": str(number)}, steps=20) for number in range(1, 11)),
    )
    whole = count_text(write_listing(many, room=9_000, count=count_text))
    text = write_listing(many, room=whole - 1, count=count_text)
    assert "20 × KSampler: " in text
    assert text.count(" = ") == 30
    assert "… and" not in text


@pytest.mark.parametrize("room", [100, 200, 400, 900])
def test_what_does_not_fit_is_left_out_in_whole_entries_and_counted(room: int) -> None:
    large = workflow(
        *(node(number, "KSampler", title=f"Sampler {number}", steps=20, cfg=8) for number in range(1, 41))
    )
    text = write_listing(large, room=room, count=count_text)
    assert count_text(text) <= room
    lines = text.splitlines()
    shown = sum(" = " in line for line in lines)
    left_out = sum(int(line.split()[2]) for line in lines if line.startswith("… and") and "value" in line)
    assert shown + left_out == 80


def test_a_long_text_says_how_long_it_is() -> None:
    found = workflow(node(1, "CLIPTextEncode", text="word " * 200))
    assert '…" (1,002 characters)' in write_listing(found, room=2_000, count=count_text)


def test_a_node_that_is_not_installed_says_so_and_its_nameless_values_stand_with_it() -> None:
    canny = node(34, "Canny", **{"#0": 0.35})
    canny["remarks"] = {"isUninstalled": True}
    text = write_listing(workflow(canny), room=500, count=len)
    assert "34 Canny (this node is not installed; it holds 0.35)" in text
    assert "#0" not in text


def test_what_comes_without_a_wire_says_so() -> None:
    invert, take = node(1, "ImageInvert"), node(2, "TakeNode")
    invert["links"] = [{"input": "image", "source": {"node": "3"}, "unwired": {"via": "4"}}]
    take["links"] = [{"input": "", "source": {"node": "4"}, "unwired": {}}]
    lines = write_listing(workflow(invert, take), room=2_000, count=count_text).splitlines()
    assert "1 Invert Image, image from 3 without a wire" in lines
    assert "2 TakeNode, from 4 without a wire" in lines
