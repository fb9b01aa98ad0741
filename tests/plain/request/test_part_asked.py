from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from comfyui_assistant.engine.environment.help_pages import HelpPages
from comfyui_assistant.engine.environment.host import HelpFolder
from comfyui_assistant.engine.plain.request.part_asked import part_explained

from ..workflows import DEFAULT, ENVIRONMENT, TWO_LORAS, node, workflow


def test_a_node_is_explained_by_its_definition_and_what_it_is_connected_with() -> None:
    told = part_explained(DEFAULT, ENVIRONMENT, "what does the VAE decode node do?")
    assert told == (
        "Decodes latent images back into pixel space images.\n\n"
        "Here, VAE Decode (node 8): it takes samples from KSampler, vae from Load Checkpoint; it feeds Save Image."
    )


@pytest.mark.parametrize(
    ("is_own", "begins"),
    [(True, "Makes a picture of it.\n\nHere, VAE Decode"), (False, "Decodes latent images")],
)
def test_a_help_page_goes_before_that_where_it_is_of_comfyui(
    tmp_path: Path, *, is_own: bool, begins: str
) -> None:
    (tmp_path / "VAEDecode.md").write_text("# VAE Decode\n\nMakes a picture of it.\n", "utf-8")
    pages = HelpPages.in_folders([HelpFolder(tmp_path, is_own=is_own)])
    told = part_explained(DEFAULT, replace(ENVIRONMENT, help_pages=pages), "explain the vae decode")
    assert told.startswith(begins)


def test_a_value_is_explained_by_what_its_node_says_of_it() -> None:
    sampler = ENVIRONMENT.nodes["KSampler"]
    inputs = tuple(
        replace(each, tooltip="How closely." if each.name == "cfg" else "") for each in sampler.inputs
    )
    environment = replace(ENVIRONMENT, nodes={"KSampler": replace(sampler, inputs=inputs)})
    assert part_explained(DEFAULT, environment, "what does cfg do") == "How closely.\n\nHere: cfg = 8."
    assert part_explained(DEFAULT, environment, "what does the scheduler do") == ""


def test_of_several_each_is_told() -> None:
    told = part_explained(TWO_LORAS, ENVIRONMENT, "what do the LoRA nodes do?")
    assert "(node 11)" in told
    assert "(node 13)" in told


@pytest.mark.parametrize(
    "request_",
    [
        "which nodes are connected to the VAE decode?",
        "what's connected to node 8",
        "what feeds the VAE Decode",
        "where does the vae decode node go to?",
        "what is the vae decode connected to here?",
    ],
)
def test_what_a_node_is_connected_with_is_told_whole(request_: str) -> None:
    assert part_explained(DEFAULT, ENVIRONMENT, request_) == (
        "VAE Decode (node 8): it takes samples from KSampler, vae from Load Checkpoint; it feeds Save Image."
    )


@pytest.mark.parametrize(
    "request_",
    [
        "what is connected to the internet?",
        "what is connected to what?",
        "what does this workflow do?",
        "what do you do?",
        "what does a LoRA do?",
        "explain why the sampler needs a latent",
        "what should the sampler do?",
        "remove the vae decode",
        "",
    ],
)
def test_every_other_question_is_left(request_: str) -> None:
    assert part_explained(DEFAULT, ENVIRONMENT, request_) == ""


def test_of_many_the_first_are_told() -> None:
    flow = workflow(*(node(number, "VAEDecode") for number in range(1, 30)))
    told = part_explained(flow, ENVIRONMENT, "explain all vae decodes").split("\n\n")
    more = "… and 17 more. Ask for one by its number, such as node 13."
    assert (len(told), told[-2][:22], told[-1]) == (14, "Here, VAE Decode 12 (n", more)
    assert part_explained(flow, ENVIRONMENT, "what does node 13 do?").count("Here, ") == 1
