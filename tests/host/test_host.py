"""The host itself, without the assistant: what every other test in this folder builds on."""

from __future__ import annotations


def test_a_graph_that_needs_no_model_runs_and_saves_its_image(comfy, comfyui):
    image = comfy.add_node("EmptyImage", width=64, height=64, color=0xFF0000)
    save = comfy.add_node("SaveImage", filename_prefix="host")
    comfy.connect(image, "IMAGE", save, "images")

    comfy.run()

    assert comfy.prompt()[save]["inputs"]["images"] == [image, 0]
    assert [path.name for path in (comfyui.base / "output").glob("host*.png")] == ["host_00001_.png"]
    assert comfy.errors == []
