from __future__ import annotations

from comfyui_assistant.engine.comfy.missing.model_sources import KnownModels
from comfyui_assistant.engine.comfy.missing.report import report
from comfyui_assistant.engine.comfy.node_definition import read_node_definition
from comfyui_assistant.engine.comfy.snapshot import Environment
from comfyui_assistant.engine.comfy.workflow_needs import NeededModel

FLUX = {"name": "flux1-dev.safetensors", "directory": "diffusion_models", "url": "https://huggingface.co/f"}
WORKFLOW = {
    "nodes": [
        {
            "id": 1,
            "type": "UNETLoader",
            "widgets_values": ["flux1-dev.safetensors", "default"],
            "properties": {"models": [FLUX]},
        },
        {"id": 2, "type": "VAELoader", "widgets_values": ["big.safetensors"]},
        {"id": 3, "type": "VAELoader", "widgets_values": ["bypassed.safetensors"], "mode": 4},
        {"id": 4, "type": "ImageResizeKJ", "properties": {"cnr_id": "comfyui-kjnodes", "ver": "1.0"}},
        {"id": 5, "type": "Bypassed", "mode": 4},
    ]
}
ENVIRONMENT = Environment.build(
    {name: read_node_definition(name, {}) for name in ("UNETLoader", "VAELoader")},
    {
        "diffusion_models": ("mine/flux1-dev-q8.gguf", "flux1-dev-fp8.safetensors"),
        "vae": ("big.safetensors",),
    },
    packages=("ComfyUI-KJNodes",),
)
KNOWN = KnownModels.build(
    [
        NeededModel("flux1-dev-fp8.safetensors", "diffusion_models", "u"),
        NeededModel("big-fp8.safetensors", "vae", "v"),
    ]
)


def variant(file, folder, url, *, installed):
    return {"file": file, "folder": folder, "url": url, "sha256": "", "isInstalled": installed}


def test_all_that_takes_part_in_a_run_and_is_not_here_is_told():
    found = report(WORKFLOW, ENVIRONMENT, lambda: KNOWN, memory=8_000, size_of=lambda *_: 9_000)

    assert found == {
        "packages": [
            {
                "id": "comfyui-kjnodes",
                "version": "1.0",
                "types": ["ImageResizeKJ"],
                "isCore": False,
                "isInstalled": True,
            }
        ],
        "models": [
            {
                "name": FLUX["name"],
                "file": FLUX["name"],
                "folder": FLUX["directory"],
                "url": FLUX["url"],
                "sha256": "",
                "nodes": ["1 UNETLoader"],
                "types": ["UNETLoader"],
                "instead": ["flux1-dev-fp8.safetensors", "mine/flux1-dev-q8.gguf"],
                "variants": [variant("flux1-dev-fp8.safetensors", "diffusion_models", "u", installed=True)],
            }
        ],
        "memory": 8_000,
        "tooLarge": [
            {
                "name": "big.safetensors",
                "file": "big.safetensors",
                "folder": "vae",
                "size": 9_000,
                "variants": [variant("big-fp8.safetensors", "vae", "v", installed=False)],
            }
        ],
        "installed": [{"file": "big.safetensors", "size": 9_000}],
    }


def test_the_sizes_of_installed_files_are_told_largest_first():
    names = ("small.safetensors", "big.safetensors", "big.safetensors", "new.safetensors")
    loaders = {"VAELoader": read_node_definition("VAELoader", {})}
    files = {"vae": tuple(set(names))}
    nodes = [
        {"id": number, "type": "VAELoader", "widgets_values": [name]} for number, name in enumerate(names)
    ]
    sizes = {"small.safetensors": 5, "big.safetensors": 70, "new.safetensors": None}
    found = report(
        {"nodes": nodes},
        Environment.build(loaders, files),
        lambda: KnownModels({}),
        memory=None,
        size_of=lambda _, file: sizes[file],
    )
    assert found["installed"] == [
        {"file": "big.safetensors", "size": 70},
        {"file": "small.safetensors", "size": 5},
    ]


def of(workflow, *, files, types=()):
    loaders = {
        name: read_node_definition(name, {"input": {"required": {"name": [list(choices)]}}})
        for name, choices in types
    }
    return report(
        workflow,
        Environment.build(loaders, files),
        lambda: KnownModels({}),
        memory=None,
        size_of=lambda *_: 1,
    )["models"]


def test_a_file_under_another_path_is_offered_as_it_can_be_chosen():
    workflow = {"nodes": [{"id": 1, "type": "VAELoader", "widgets_values": ["flux/ae.safetensors"]}]}
    files = {"vae": ("mine/ae.safetensors",)}

    [found] = of(workflow, files=files, types=[("VAELoader", files["vae"])])
    assert (found["name"], found["instead"], found["isElsewhere"]) == (
        "flux/ae.safetensors",
        ["mine/ae.safetensors"],
        True,
    )
    workflow["nodes"][0]["widgets_values"] = ["mine/ae.safetensors"]
    assert of(workflow, files=files, types=[("VAELoader", files["vae"])]) == []


def test_a_subgraph_that_names_a_file_goes_by_its_name():
    node = {
        "id": 129,
        "type": "84e2cf3f",
        "widgets_values": ["ae.safetensors"],
        "inputs": [{"name": "vae_name", "widget": {"name": "vae_name"}}],
    }
    subgraphs = [{"id": "84e2cf3f", "name": "Image to Video", "nodes": []}]

    [found] = of({"nodes": [node], "definitions": {"subgraphs": subgraphs}}, files={"vae": ()})

    assert found["nodes"] == ['129 subgraph "Image to Video"']


def test_nodes_beyond_those_that_are_named_are_counted():
    nodes = [
        {"id": number, "type": "VAELoader", "widgets_values": ["ae.safetensors"]} for number in range(63)
    ]

    [found] = of({"nodes": nodes}, files={"vae": ()})

    assert (len(found["nodes"]), found["moreNodes"]) == (60, 3)


def test_a_source_that_a_note_names_is_told_as_such():
    address = "https://huggingface.co/a/b/resolve/main/ae.safetensors?download=true"
    note = {"type": "MarkdownNote", "widgets_values": [f"Get [the VAE]({address}), or https://x.org/b.zip."]}
    loader = {"id": 1, "type": "VAELoader", "widgets_values": ["ae.safetensors"]}

    [found] = of({"nodes": [note, loader]}, files={"vae": ()})
    assert (found["url"], found["isFromNote"]) == (address, True)
    declared = {"name": "ae.safetensors", "directory": "vae", "url": "https://huggingface.co/own"}
    [found] = of({"nodes": [note, loader | {"properties": {"models": [declared]}}]}, files={"vae": ()})
    assert (found["url"], "isFromNote" in found) == (declared["url"], False)


def test_where_all_fits_nothing_is_told_of_sizes():
    for memory, size in ((8_000, 7_000), (None, 9_000), (8_000, None)):
        found = report(
            WORKFLOW, ENVIRONMENT, lambda: KNOWN, memory=memory, size_of=lambda *_, size=size: size
        )
        assert found["tooLarge"] == []


def test_a_workflow_of_another_form_is_no_failure():
    for odd in ({}, {"nodes": 7}, {"nodes": [1, {"type": None, "widgets_values": {"a": 1}}]}):
        assert report(odd, ENVIRONMENT, lambda: KNOWN, memory=None, size_of=lambda *_: None)["models"] == []


def test_a_workflow_that_lacks_nothing_does_not_wait_for_the_templates():
    def known():
        raise AssertionError("the templates were read")

    assert report({"nodes": []}, ENVIRONMENT, known, memory=8_000, size_of=lambda *_: 1)["models"] == []


def test_what_is_beyond_the_report_is_counted():
    nodes = [
        node
        for number in range(63)
        for node in (
            {"id": number, "type": "VAELoader", "widgets_values": [f"{number}.safetensors"]},
            {"id": 100 + number, "type": f"T{number}", "properties": {"cnr_id": f"package-{number}"}},
        )
    ]

    found = report(
        {"nodes": [*nodes, {"id": 300, "type": "Nameless"}]},
        ENVIRONMENT,
        lambda: KnownModels({}),
        memory=None,
        size_of=lambda *_: 1,
    )

    assert (len(found["models"]), len(found["packages"])) == (60, 60)
    assert found["more"] == {"packages": 4, "models": 3}


def test_no_package_is_looked_for_that_brings_a_type_that_comfyui_replaces():
    workflow = {"nodes": [{"id": 1, "type": "OldLoader"}, {"id": 2, "type": "Unknown"}]}
    environment = Environment.build(
        {"NewLoader": read_node_definition("NewLoader", {})}, {}, replaced_by={"OldLoader": "NewLoader"}
    )

    found = report(workflow, environment, lambda: KNOWN, memory=None, size_of=lambda *_: None)

    assert found["replaced"] == [{"type": "OldLoader", "by": "NewLoader"}]
    assert [package["types"] for package in found["packages"]] == [["Unknown"]]
