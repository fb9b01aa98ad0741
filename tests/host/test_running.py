"""Runs in the real ComfyUI: parts, several seeds, Stop and time-outs, beside other people's prompts in the queue."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

# Output nodes get a preview among their widgets as soon as they show an image.
VALUES = """() => app.graph.nodes.map((node) => [String(node.id), node.type, ...(node.widgets ?? [])
    .filter((widget) => !widget.name.startsWith("$"))
    .map((widget) => widget.value)])"""


def running(**arguments: Any) -> dict[str, Any]:
    """A model that calls executeWorkflow once, then says that it is over."""
    return {
        "about": "Runs the open workflow.",
        "steps": [
            {"reply": [{"call": "executeWorkflow", "arguments": arguments}]},
            {"reply": [{"say": "That was it."}]},
        ],
    }


@pytest.fixture
def seeded(comfy) -> tuple[str, str]:
    """An image made of a seed, and saved."""
    image = comfy.add_node("TestSeededImage", seed=5)
    save = comfy.add_node("SaveImage", filename_prefix="seeded")
    comfy.connect(image, "IMAGE", save, "images")
    return image, save


@pytest.fixture
def quiet_queue(comfy) -> Iterator[None]:
    """Nothing of ours is left in the queue, whatever a test did."""
    yield
    comfy.fetch("/queue", method="POST", body={"clear": True})
    comfy.fetch("/interrupt", method="POST", body={})
    comfy.wait_until_running(0)


def queue_foreign_prompt(comfy, *, seconds: float) -> str:
    """A prompt of another browser."""
    prompt = {"1": {"class_type": "TestSlowRun", "inputs": {"seconds": seconds}}}
    reply = comfy.fetch("/prompt", method="POST", body={"prompt": prompt, "client_id": "somebody-else"})
    return reply["body"]["prompt_id"]


def status_of(comfy, prompt_id: str) -> str | None:
    entry = comfy.fetch(f"/history/{prompt_id}")["body"].get(prompt_id)
    return entry and entry["status"]["status_str"]


def texts_in_png(path: Path) -> dict[str, Any]:
    """The JSON that ComfyUI wrote into an image: `prompt` and `workflow`."""
    data, position, texts = path.read_bytes(), 8, {}
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position : position + 8])
        if kind == b"tEXt":
            key, _, text = data[position + 8 : position + 8 + length].partition(b"\0")
            texts[key.decode()] = json.loads(text)
        position += length + 12
    return texts


def test_three_seeds_are_compared_side_by_side_and_the_graph_keeps_its_own(
    comfy, comfyui, panel, model, seeded
):
    image, _save = seeded
    before = comfy.page.evaluate(VALUES)
    model.play(running(seeds=[11, 22, 33]))

    panel.ask("try three seeds")

    card = panel.tool_card("executeWorkflow")
    expect(card.locator(".cass-run figcaption")).to_have_text(["seed=11", "seed=22", "seed=33"])
    expect(card.locator(".cass-run img").last).to_have_js_property("naturalWidth", 32)
    assert comfy.page.evaluate(VALUES) == before
    saved = [texts_in_png(path) for path in sorted((comfyui.base / "output").glob("seeded_*.png"))]
    assert [texts["prompt"][image]["inputs"]["seed"] for texts in saved] == [11, 22, 33]
    nodes = [node for texts in saved for node in texts["workflow"]["nodes"] if str(node["id"]) == image]
    assert [node["widgets_values"][0] for node in nodes] == [11, 22, 33]
    assert comfy.errors == []

    card.locator(".cass-run img").first.click()
    compared = comfy.page.get_by_role("dialog", name="Compare images")
    expect(compared.locator("img")).to_have_count(2)
    compared.get_by_label("Right image").select_option("seed=33")
    comfy.page.keyboard.press("Escape")
    expect(compared).to_have_count(0)


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_a_run_that_is_refused_leaves_seeds_as_they_are(comfy, panel, model):
    sampler = comfy.add_node("KSampler", seed=5, control_after_generate="randomize")
    decode = comfy.add_node("VAEDecode")
    save = comfy.add_node("SaveImage")
    comfy.connect(sampler, "LATENT", decode, "samples")
    comfy.connect(decode, "IMAGE", save, "images")
    before = comfy.page.evaluate(VALUES)
    model.play(running())

    panel.ask("run it")

    assert "Required input is missing" in model.requests[-1].messages[-1]["content"]
    assert comfy.page.evaluate(VALUES) == before


def test_a_run_up_to_a_node_shows_its_result_and_runs_nothing_behind_it(comfy, comfyui, panel, model, seeded):
    image, save = seeded
    inverted = comfy.add_node("ImageInvert")
    comfy.connect(image, "IMAGE", inverted, "image")
    comfy.connect(inverted, "IMAGE", save, "images")
    before = comfy.page.evaluate(VALUES)
    saved = len(list((comfyui.base / "output").glob("seeded_*.png")))
    model.play(running(until=inverted))

    panel.ask("run up to the inverted image")

    shown = panel.tool_card("executeWorkflow").locator("img")
    expect(shown).to_have_js_property("naturalWidth", 32)
    assert "type=temp" in shown.get_attribute("src")
    assert len(list((comfyui.base / "output").glob("seeded_*.png"))) == saved
    assert comfy.page.evaluate(VALUES) == before
    assert comfy.errors == []


def test_values_are_varied_inside_a_subgraph(comfy, comfyui, panel, model, seeded):
    image, _save = seeded
    outer = comfy.page.evaluate(
        """(id) => {
            const node = app.graph.nodes.find((each) => String(each.id) === id);
            return String(app.canvas.graph.convertToSubgraph(new Set([node])).node.id);
        }""",
        image,
    )
    [inner] = [node for node in comfy.prompt() if node.startswith(f"{outer}:")]
    earlier = set((comfyui.base / "output").glob("seeded_*.png"))
    model.play(running(vary=[{"node": inner, "widget": "seed", "values": ["101", "202"]}]))

    panel.ask("vary it")

    captions = panel.tool_card("executeWorkflow").locator(".cass-run figcaption")
    expect(captions).to_have_text([f"{inner}.seed=101", f"{inner}.seed=202"])
    saved = sorted(set((comfyui.base / "output").glob("seeded_*.png")) - earlier)
    texts = [texts_in_png(path) for path in saved]
    assert [each["prompt"][inner]["inputs"]["seed"] for each in texts] == [101, 202]
    inside = [each["workflow"]["definitions"]["subgraphs"][0]["nodes"][0] for each in texts]
    assert [node["widgets_values"][0] for node in inside] == [101, 202]
    assert comfy.prompt()[inner]["inputs"]["seed"] == 5


def test_what_differs_sets_runs_apart_in_the_panel_and_on_the_disk(comfy, comfyui, panel, model):
    image = comfy.add_node("EmptyImage", width=256, height=192)
    save = comfy.add_node("SaveImage", filename_prefix="apart/of%width%")
    comfy.connect(image, "IMAGE", save, "images")
    folder = comfyui.base / "output" / "apart"
    colors = {"node": image, "widget": "color", "values": ["red", "green"]}
    widths = {"node": image, "widget": "width", "values": ["128", "192", "256"]}
    height = {"node": image, "widget": "height", "values": ["96"]}
    card = panel.tool_card("executeWorkflow")

    model.play(running(vary=[widths, height]))
    panel.ask("compare widths")
    expect(card.locator("figcaption")).to_have_text([f"{image}.width={width}" for width in widths["values"]])
    expect(card.locator("table")).to_have_count(0)
    assert sorted(path.name for path in folder.iterdir()) == [
        f"of{width}_width-{width}_00001_.png" for width in (128, 192, 256)
    ]
    [saved] = [
        node
        for node in texts_in_png(next(folder.iterdir()))["workflow"]["nodes"]
        if node["type"] == "SaveImage"
    ]
    assert saved["widgets_values"][0] == "apart/of%width%"
    panel.look_at("runs-side-by-side")

    model.play(running(vary=[colors, widths]))
    panel.send("and colors")
    question = panel.root.get_by_role("alertdialog")
    expect(question).to_contain_text("2 × 3 runs")
    question.get_by_role("button", name="Allow").click()
    panel.wait_until_the_turn_is_over()
    expect(card.last.locator("th[scope=col]")).to_have_text(
        [f"{image}.width={width}" for width in widths["values"]]
    )
    expect(card.last.locator("th[scope=row]")).to_have_count(2)
    expect(card.last.locator("figcaption").first).to_be_hidden()
    panel.look_at("runs-as-a-table")
    assert comfy.prompt()[save]["inputs"]["filename_prefix"] == "apart/of%width%"


def test_several_texts_show_as_they_come_and_stay_after_a_stop(comfy, panel, model, quiet_queue):
    image = comfy.add_node("TestSeededImage", seed=5)
    slow = comfy.add_node("TestSlowRun", seconds=0.1)
    save = comfy.add_node("SaveImage", filename_prefix="list")
    comfy.connect(image, "IMAGE", save, "images")
    model.play(running(vary=[{"node": slow, "widget": "seconds", "values": ["0.2", "0.3", "60"]}]))
    panel.send("one after the other")
    card = panel.tool_card("executeWorkflow")
    expect(card.locator(".cass-run")).to_have_count(2)
    expect(card.locator(".cass-tool-outcome")).to_contain_text("Run 3 of 3")
    panel.stop()
    panel.wait_until_the_turn_is_over()
    expect(card.locator(".cass-run")).to_have_count(2)
    expect(card.locator(".cass-tool-outcome")).to_have_text("stopped")
    panel.look_at("runs-stopped")


def test_a_model_looks_at_what_it_made(comfy, panel, model):
    image = comfy.add_node("EmptyImage", width=3000, height=1500)
    save = comfy.add_node("SaveImage", filename_prefix="large")
    comfy.connect(image, "IMAGE", save, "images")
    name = "output/large_00001_.png"
    model.play(
        {
            "about": "Runs, then looks at the result.",
            "steps": [
                {"reply": [{"call": "executeWorkflow"}]},
                {"reply": [{"call": "viewImages", "arguments": {"refs": [name]}}]},
                {"reply": [{"say": "It is black."}]},
            ],
        }
    )

    assert panel.ask("what do you see?") == "It is black."

    result, shown = model.requests[2].messages[-2:]
    assert "large_00001_.png 3000x1500" in result["content"]
    [address] = [part["image_url"]["url"] for part in shown["content"] if part["type"] == "image_url"]
    assert address.startswith("data:image/jpeg;base64,")
    assert len(address) < 270_000
    size = comfy.page.evaluate(
        "async (url) => { const image = new Image(); image.src = url; await image.decode();"
        " return [image.naturalWidth, image.naturalHeight]; }",
        address,
    )
    assert size == [1024, 512]
    expect(panel.tool_card("executeWorkflow").locator("img")).to_have_js_property("naturalWidth", 3000)
    expect(panel.tool_card("viewImages").locator("a")).to_have_text("large_00001_.png 3000x1500")
    assert comfy.errors == []


@pytest.mark.parametrize(("answer", "state"), [("Deny", "skipped"), ("Allow", "succeeded")])
def test_a_node_that_runs_code_is_asked_about_though_nothing_else_is(comfy, panel, model, answer, state):
    node = comfy.add_node("TestRunScript", seconds=0)
    model.play(running())

    panel.send("run it")

    question = comfy.page.get_by_role("alertdialog")
    expect(question).to_contain_text(re.compile(rf"Node {node} “TestRunScript” \(from \S+\) runs code\."))
    before = len(comfy.fetch("/history")["body"])
    question.get_by_role("button", name=answer).click()
    panel.wait_until_the_turn_is_over()
    assert panel.tools_by_state() == [("executeWorkflow", state)]
    assert len(comfy.fetch("/history")["body"]) - before == (answer == "Allow")


@pytest.mark.main_flow
@pytest.mark.nodes_2
def test_stop_interrupts_our_run_and_lets_a_waiting_foreign_prompt_run(comfy, panel, model, quiet_queue):
    comfy.add_node("TestSlowRun")
    model.play(running())
    panel.send("run it")
    comfy.wait_until_running(1)
    foreign = queue_foreign_prompt(comfy, seconds=0.5)

    panel.stop()

    panel.wait_until_the_turn_is_over()
    comfy.wait_until(lambda: status_of(comfy, foreign) is not None)
    assert status_of(comfy, foreign) == "success"


def test_stop_takes_our_waiting_run_out_and_lets_the_foreign_one_go_on(comfy, panel, model, quiet_queue):
    comfy.add_node("TestSlowRun")
    foreign = queue_foreign_prompt(comfy, seconds=60)
    comfy.wait_until_running(1)
    model.play(running())
    panel.send("run it")
    expect(panel.tool_card("executeWorkflow")).to_contain_text("Queued behind 1 other")

    panel.stop()

    panel.wait_until_the_turn_is_over()
    comfy.wait_until(lambda: comfy.fetch("/queue")["body"]["queue_pending"] == [])
    comfy.page.wait_for_timeout(300)
    assert [entry[1] for entry in comfy.fetch("/queue")["body"]["queue_running"]] == [foreign]


def test_a_run_that_does_not_end_in_time_goes_on_and_can_be_waited_for(comfy, panel, model, quiet_queue):
    comfy.add_node("TestSlowRun", seconds=600)
    model.play(running(timeoutSeconds=1))

    panel.ask("run it")

    card = panel.tool_card("executeWorkflow")
    expect(card).to_contain_text("has not ended after 1 seconds; ComfyUI goes on with it")
    [entry] = comfy.fetch("/queue")["body"]["queue_running"]
    assert f'follow "{entry[1]}"' in model.requests[1].messages[-1]["content"].replace("\\", "")

    model.play(running(follow=entry[1]))
    panel.send("wait for it")
    expect(card.last).to_have_attribute("data-state", "running")
    assert [each[1] for each in comfy.fetch("/queue")["body"]["queue_running"]] == [entry[1]]
    comfy.fetch("/interrupt", method="POST", body={"prompt_id": entry[1]})

    panel.wait_until_the_turn_is_over()
    expect(card.last).to_contain_text("The run was interrupted in ComfyUI.")


def test_a_node_without_memory_is_named_and_memory_is_freed_by_a_button(comfy, panel, model):
    image, failing = comfy.add_node("EmptyImage"), comfy.add_node("TestFailing", strength=200)
    shown = comfy.add_node("PreviewImage")
    comfy.connect(image, "IMAGE", failing, "image")
    comfy.connect(failing, "IMAGE", shown, "images")
    model.play(running())
    sent: list[str] = []
    comfy.page.on(
        "request", lambda request: sent.append(f"{request.method} {request.url.split('/api/')[-1]}")
    )
    panel.send("run it")
    panel.wait_until_the_turn_is_over()

    assert "use a smaller size, batch or number of frames" in str(model.requests[-1].messages[-1])
    renders = [each for each in sent if "assistant/renders/" in each]
    assert [each.split()[0] for each in renders] == ["POST", "DELETE"]
    panel.tool_card("executeWorkflow").get_by_role("button", name="Free graphics memory").click()
    expect(panel.tool_card("executeWorkflow")).to_contain_text("Models leave the graphics memory")
    panel.look_at("no-memory")
    assert {"POST free", "POST assistant/renders/free"} <= set(sent)


HAS_A_NODE_OF_ANOTHER_MACHINE = """async () => {
    const workflow = app.graph.serialize();
    workflow.nodes.push({
        ...{ id: 17, type: "NotHereNode", pos: [0, 300], size: [200, 60], flags: {}, order: 0, mode: 0 },
        ...{ inputs: [], outputs: [], properties: {}, widgets_values: [] },
    });
    await app.loadGraphData(workflow, true, true, null, { checkForRerouteMigration: false });
}"""


def test_a_run_with_a_node_that_is_not_installed_names_it_and_what_finds_it(comfy, bridge, seeded):
    """ComfyUI before 0.33 says it in a sentence of its own only."""
    comfy.page.evaluate(HAS_A_NODE_OF_ANOTHER_MACHINE)
    comfy.page.keyboard.press("Escape")

    refused = bridge.call("executeWorkflow", {})

    assert not refused["ok"]
    if "not installed" not in refused["error"]:
        pytest.skip(f"this ComfyUI says: {refused['error']}")
    assert "node 17 (NotHereNode): This node type is not installed" in refused["error"]
    assert "findMissing" in refused["hint"]
