from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.node_input import NodeInput
from comfyui_assistant.engine.small_windows.listing import write_listing
from comfyui_assistant.engine.small_windows.open_workflow import read_workflow

from .workflows import DEFAULT, ENVIRONMENT, node, posted, workflow


def test_nodes_stand_in_the_order_in_which_they_run_with_what_the_canvas_calls_them() -> None:
    assert [(one.id, one.label) for one in DEFAULT.nodes] == [
        ("4", "Load Checkpoint"),
        ("5", "Empty Latent Image"),
        ("6", "CLIP Text Encode (Prompt)"),
        ("7", "CLIP Text Encode (Prompt)"),
        ("3", "KSampler"),
        ("8", "VAE Decode"),
        ("9", "Save Image"),
    ]


def test_notes_are_counted() -> None:
    found = workflow(node(1, "Note", text="read me"), node(2, "KSampler", seed=1))
    assert (found.notes, [dict(one.values) for one in found.nodes]) == (1, [{"seed": 1}])


def test_values_at_their_default_count_too() -> None:
    sampler = {**node(3, "KSampler", cfg=8), "unwritten": {"usual": [{"name": "steps", "value": 20}]}}
    assert workflow(sampler).nodes[0].values == {"cfg": 8, "steps": 20}


def test_a_choice_that_is_open_is_a_value_and_a_button_is_none() -> None:
    loader = {
        **node(1, "LoadImage", image=None),
        "unwritten": {"usual": [{"name": "choose file to upload", "value": "image"}]},
    }
    assert workflow(loader).nodes[0].values == {"image": None}


def test_nodes_inside_a_subgraph_go_by_their_path() -> None:
    inner = {
        "key": "S1",
        "name": "Upscale",
        "nodes": [node(3, "ImageInvert", {"image": "input"})],
        "groups": [],
    }
    found = workflow(node(1, "LoadImage"), node(12, "S1", {"image": "1"}), subgraphs=[inner])
    assert [(one.id, one.label) for one in found.nodes] == [
        ("1", "Load Image"),
        ("12", "Upscale"),
        ("12:3", "Invert Image"),
    ]
    assert found.nodes[2].links[0].source == "12"


def test_why_the_last_run_failed_is_told_with_the_node() -> None:
    error = {"node": "3", "type": "KSampler", "message": "out of\nmemory"}
    found = read_workflow({**posted(node(3, "KSampler")), "failure": {"problems": [], "error": error}}, {})
    assert found is not None
    assert found.failure == "3 KSampler: out of memory"
    problem = {"node": "9", "type": "SaveImage", "message": "images is missing"}
    refused = read_workflow({**posted(), "failure": {"problems": [problem]}}, {})
    assert refused is not None
    assert refused.failure == "9 SaveImage: images is missing"


def test_a_circle_of_links_ends() -> None:
    assert (
        len(workflow(node(1, "ImageInvert", {"image": "2"}), node(2, "ImageInvert", {"image": "1"})).nodes)
        == 2
    )


def test_nodes_stand_in_the_order_in_which_they_run_and_else_as_they_come() -> None:
    chain = [
        node(1, "A"),
        node(5, "B", {"x": "7"}),
        node(7, "C", {"x": "1"}),
        node(2, "D"),
        node(9, "E", {"x": "5"}),
    ]
    assert [each.id for each in workflow(*chain).nodes] == ["1", "7", "5", "2", "9"]


@pytest.mark.slow
def test_thousands_of_nodes_saved_in_reverse_take_no_longer_each_than_a_few() -> None:
    def seconds(number: int) -> float:
        nodes = [
            node(each, "KSampler", {"positive": str(each - 1), "model": str(each - 2)}, steps=20, text="a")
            for each in range(number, 0, -1)
        ]
        graph = posted(*nodes)
        began = time.thread_time()
        found = read_workflow(graph, ENVIRONMENT.nodes)
        assert found is not None
        write_listing(found, room=1_600, count=len)
        return time.thread_time() - began

    few = min(seconds(200) for _ in range(5))
    assert min(seconds(4_000) for _ in range(3)) < 20 * few * 4


@pytest.mark.parametrize("value", [None, [], {}, {"graph": 3}, {"graph": {"nodes": [{"id": 1}]}}, "text"])
def test_what_is_no_workflow_is_none(value: object) -> None:
    assert read_workflow(value, ENVIRONMENT.nodes) is None


def test_an_empty_workflow_is_one() -> None:
    found = read_workflow(posted(), ENVIRONMENT.nodes)
    assert found is not None
    assert found.nodes == ()


def test_subgraphs_in_subgraphs_that_would_come_to_any_number_of_nodes_are_not_read() -> None:
    """Forty definitions of two nodes each: a thousand billion nodes, in a file of a few kilobytes."""

    def doubled(depth: int) -> dict[str, Any]:
        insides = [*(f"S{number}" for number in range(1, depth)), "ImageInvert"]
        subgraphs = [
            {"key": f"S{number}", "name": "Twice", "nodes": [node(1, inside), node(2, inside)]}
            for number, inside in enumerate(insides)
        ]
        return posted(node(1, "S0"), subgraphs=subgraphs)

    assert read_workflow(doubled(40), ENVIRONMENT.nodes) is None
    few = read_workflow(doubled(3), ENVIRONMENT.nodes)
    assert few is not None
    assert sum(each.type == "ImageInvert" for each in few.nodes) == 8


@pytest.mark.parametrize(
    ("wanted", "installed", "nearest"),
    [
        ("flux1-schnell-fp8.safetensors", "v1-5-pruned-emaonly-fp16.safetensors", ""),
        ("MoXinV1.safetensors", "lcm-lora-sdv1-5.safetensors", ""),
        ("flux1-schnell-fp8.safetensors", "flux1-schnell.safetensors", "flux1-schnell.safetensors"),
        (
            "v1-5-pruned-emaonly.ckpt",
            "v1-5-pruned-emaonly-fp16.safetensors",
            "v1-5-pruned-emaonly-fp16.safetensors",
        ),
        ("UltraSharp-4x.pth", "4x-Ultra_Sharp.pth", "4x-Ultra_Sharp.pth"),
        ("ae.safetensors", "ae.sft", "ae.sft"),
    ],
)
def test_the_nearest_file_is_one_of_the_family(wanted: str, installed: str, nearest: str) -> None:
    loader = node(4, "CheckpointLoaderSimple", ckpt_name=wanted)
    loader["values"][0]["isMissing"] = True
    ckpt = NodeInput("ckpt_name", "COMBO", True, True, choices=(installed,))
    definition = replace(ENVIRONMENT.nodes["CheckpointLoaderSimple"], inputs=(ckpt,))
    found = read_workflow(posted(loader), {"CheckpointLoaderSimple": definition})
    assert found is not None
    assert found.nodes[0].missing == {"ckpt_name": nearest}
