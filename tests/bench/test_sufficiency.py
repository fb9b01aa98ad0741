"""The oracle reads what a model is shown, and nothing else."""

from __future__ import annotations

import json
from typing import Any

from bench.listed_lines import whole_lines
from bench.sufficiency.listing import Source, read_listing
from bench.sufficiency.oracle import answer
from bench.sufficiency.plain import read_plain
from bench.sufficiency.shown import read_request
from dev.scripted.scenario import Call, Say

LINES = """4 CheckpointLoaderSimple ckpt_name="sd 1.5.safetensors"(missing)
3 KSampler "second pass" bypassed model<4 positive<6 latent_image<5.LATENT steps=30 negative<?
7 S1 image<3 ^9.seed
group "Sampling": 3 4
subgraph S1 "Upscale" at 7 in(image) out(IMAGE<9)
9 ImageScaleBy image<input scale_by=1.5 note="a long…+40
end"""


def test_each_line_is_a_node_with_its_place_links_and_values() -> None:
    listing = read_listing(LINES)

    assert [node.path for node in listing.nodes] == ["4", "3", "7", "7:9"]
    sampler = listing.node("3")
    assert sampler is not None
    assert (sampler.title, sampler.mode, sampler.values) == ("second pass", "bypassed", {"steps": 30})
    assert sampler.links == {
        "model": Source("4"),
        "positive": Source("6"),
        "latent_image": Source("5", "LATENT"),
    }
    assert sampler.open_inputs == ["negative"]
    assert listing.nodes[0].values == {"ckpt_name": "sd 1.5.safetensors"}


def test_the_readers_of_an_output_are_those_that_are_linked_to_it_by_name() -> None:
    listing = read_listing("4 CheckpointLoaderSimple\n3 KSampler model<4\n6 CLIPTextEncode clip<4\n8 X vae<4")

    assert [(node.id, name) for node, name in listing.readers(listing.nodes[0], "CLIP")] == [("6", "clip")]


def test_a_copy_in_an_outline_is_linked_to_the_copies() -> None:
    block = '4 CheckpointLoaderSimple\n3 KSampler "first" <4 6\n6 CLIPTextEncode <4\nend'
    copy = '14 CheckpointLoaderSimple =4\n13 KSampler =3 "second"\n16 CLIPTextEncode =6 <13\nend'

    lines = whole_lines(
        f'subgraph S1 "A" at 1 in() out()\n{block}\nsubgraph S2 "B" at 2 in() out() like S1\n{copy}'
    )

    assert lines[-4:] == [
        "14 CheckpointLoaderSimple",
        '13 KSampler "second" <14 16',
        "16 CLIPTextEncode <13",
        "end",
    ]


def test_an_outline_shows_no_more_than_it_tells() -> None:
    listing = read_listing("4 CheckpointLoaderSimple\n3 KSampler <4 6")

    assert listing.is_outline
    assert listing.nodes[1].links == {}


def test_it_reads_first_then_edits_then_says_what_it_did() -> None:
    asked = {"role": "user", "content": "Set steps to 9 on every KSampler."}
    read = called("getWorkflowInfo", {}, {"ok": True, "data": {"text": LINES}})
    edited = called("editWorkflow", {"operations": []}, {"ok": True, "data": {}})

    assert calls_after([asked]) == [("getWorkflowInfo", {})]
    assert calls_after([asked, *read]) == [
        ("editWorkflow", {"operations": [{"op": "set", "nodes": ["3"], "widgets": {"steps": 9}}]})
    ]
    assert said_after([asked, *read, *edited]) == "Set steps to 9 on 3."


def test_it_says_what_it_was_not_shown() -> None:
    asked = {"role": "user", "content": "Set steps to 9 on every WanSampler."}
    read = called("getWorkflowInfo", {}, {"ok": True, "data": {"text": LINES}})

    assert said_after([asked, *read]) == "I cannot go on: no WanSampler in the listing"


def test_of_a_result_that_was_cut_it_reads_the_lines_that_are_left() -> None:
    text = json.dumps({"ok": True, "data": {"text": LINES}}, separators=(",", ":"))[:120]
    asked = {"role": "user", "content": "Set steps to 9 on every KSampler."}
    shown = read_request({"messages": [asked, *called("getWorkflowInfo", {}, text)]})

    [[result]] = shown.rounds
    assert result.ok
    assert [node.id for node in read_listing(result.lines).nodes][:1] == ["4"]


def called(tool: str, arguments: dict[str, Any], result: Any) -> list[dict[str, Any]]:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    content = result if isinstance(result, str) else json.dumps(result, separators=(",", ":"))
    return [
        {"role": "assistant", "tool_calls": [{"id": tool, "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": tool, "content": content},
    ]


def request(messages: list[dict[str, Any]], *offered: str) -> dict[str, Any]:
    names = offered or ("getWorkflowInfo", "editWorkflow")
    tools = [{"type": "function", "function": {"name": name}} for name in names]
    return {"messages": messages, "tools": tools}


def calls_after(messages: list[dict[str, Any]], *offered: str) -> list[tuple[str, Any]]:
    reply = answer(request(messages, *offered)).reply
    return [(part.call, part.arguments) for part in reply if isinstance(part, Call)]


def said_after(messages: list[dict[str, Any]], *offered: str) -> Any:
    [part] = answer(request(messages, *offered)).reply
    assert isinstance(part, Say)
    return part.say


PLAIN = """<open-workflow>
The open workflow has 4 nodes, in this order:
4 Load Checkpoint
3 KSampler, model from 4, positive NOT CONNECTED
5 KSampler 2 [bypass], model from 4
9 Save Image

Its values:
checkpoint = "a.ckpt" (this file is not installed; the nearest is "b.ckpt")
KSampler 1 steps = 20
KSampler 2 steps = 12

No failed run of it is known.
</open-workflow>
"""


def test_in_the_slim_form_it_reads_the_listing_of_the_message() -> None:
    listing = read_plain(PLAIN)

    assert [(node.id, node.title) for node in listing.of_type("KSampler")] == [
        ("3", "KSampler"),
        ("5", "KSampler 2"),
    ]
    assert listing.nodes[1].links == [("model", "4")]
    assert listing.nodes[1].open_inputs == ["positive"]
    assert listing.values == {"checkpoint": "a.ckpt", "KSampler 1 steps": 20, "KSampler 2 steps": 12}
    assert listing.lacking == {"checkpoint": "b.ckpt"}


def test_in_the_slim_form_it_calls_the_tools_in_plain_words_that_it_is_offered() -> None:
    asked = {"role": "user", "content": f"{PLAIN}Set steps to 9 on every KSampler."}

    assert calls_after([asked], "setValue") == [
        ("setValue", {"name": "steps of node 3", "value": "9"}),
        ("setValue", {"name": "steps of node 5", "value": "9"}),
    ]


def test_in_the_slim_form_it_tells_a_value_from_the_listing() -> None:
    asked = {"role": "user", "content": f"{PLAIN}What are steps of the KSampler 5?"}

    assert said_after([asked], "setValue") == "KSampler 5: steps is 12"
