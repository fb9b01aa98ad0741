from __future__ import annotations

import json
import os

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.host import TemplateFolder
from comfyui_assistant.engine.comfy.templates import (
    TemplateShelf,
    UnreadableTemplate,
    read_workflow,
)

WORKFLOW = {"nodes": [{"id": 1, "type": "KSampler"}], "links": []}


@pytest.fixture
def official(tmp_path):
    """The layout of the media packages: an index beside the workflows, some of them not in it."""
    folder = tmp_path / "templates"
    folder.mkdir()
    for name in ("flux_dev", "wan_video", "api_flux_pro", "not_in_the_index"):
        (folder / f"{name}.json").write_text(json.dumps(WORKFLOW), encoding="utf-8")
    entries = [
        {"name": "api_flux_pro", "title": "Flux Pro", "description": "Text to image.", "tags": ["API"]},
        {"name": "flux_dev", "title": "Flux Dev", "description": "Text to image.", "models": ["Flux"]},
        {"name": "wan_video", "title": "Wan", "description": "Turns a picture into a clip."},
        {"name": "without_a_file", "title": "Gone"},
    ]
    index = [{"title": "Basics", "templates": entries}]
    (folder / "index.json").write_text(json.dumps(index), encoding="utf-8")
    (folder / "index.de.json").write_text("[]", encoding="utf-8")
    return folder


@pytest.fixture
def examples(tmp_path):
    folder = tmp_path / "my-pack" / "example_workflows"
    folder.mkdir(parents=True)
    (folder / "flux_dev.json").write_text(json.dumps(WORKFLOW), encoding="utf-8")
    return folder


@pytest.fixture
def shelf(official, examples):
    folders = [TemplateFolder(official), TemplateFolder(examples, "my-pack")]
    return TemplateShelf(FakeComfy({}, templates=folders))


def test_templates_come_from_the_index_then_other_files_then_packages(shelf):
    assert [template.name for template in shelf.library().templates] == [
        "api_flux_pro",
        "flux_dev",
        "wan_video",
        "not_in_the_index",
        "my-pack:flux_dev",
    ]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        pytest.param("flux", "flux_dev", id="what runs here before what must be paid for"),
        pytest.param("Flux Pro", "api_flux_pro", id="the exact title"),
        pytest.param("picture to video", "wan_video", id="what people call it"),
        pytest.param("my pack", "my-pack:flux_dev", id="the package"),
    ],
)
def test_the_template_that_was_meant_comes_first(shelf, query, first):
    assert shelf.library().search(query)[0].name == first


@pytest.mark.parametrize("query", ["image to video", "turn a picture into a video", "I2V"])
def test_a_way_is_found_by_what_its_short_form_stands_for(tmp_path, query):
    for name in ("video_wan_fun_camera", "video_wan_t2v", "video_wan_i2v", "api_wan_i2v", "music2music"):
        (tmp_path / f"{name}.json").write_text(json.dumps(WORKFLOW), encoding="utf-8")
    library = TemplateShelf(FakeComfy({}, templates=[TemplateFolder(tmp_path)])).library()
    assert [template.name for template in library.search(query)][:2] == ["video_wan_i2v", "api_wan_i2v"]


def test_a_phrase_is_not_taken_for_the_nodes_that_do_it(official):
    entries = [
        {
            "name": "flux_dev",
            "title": "Latent upscale",
            "description": "Upscales a latent image in latent space.",
        },
        {"name": "wan_video", "title": "Chroma", "description": "Makes an image of a text."},
    ]
    (official / "index.json").write_text(json.dumps([{"templates": entries}]), encoding="utf-8")
    library = TemplateShelf(FakeComfy({}, templates=[TemplateFolder(official)])).library()
    assert library.search("text to image")[0].name == "wan_video"


def test_a_title_that_says_the_way_comes_before_one_that_has_its_words(official):
    entries = [
        {
            "name": "flux_dev",
            "title": "Video of a character, from any image",
            "tags": ["Image to Video", "Video"],
        },
        {"name": "wan_video", "title": "Wan 2.2 14B Image to Video", "tags": ["Image to Video"]},
    ]
    (official / "index.json").write_text(json.dumps([{"templates": entries}]), encoding="utf-8")
    library = TemplateShelf(FakeComfy({}, templates=[TemplateFolder(official)])).library()
    assert library.search("photo to clip")[0].name == "wan_video"


def test_without_words_all_are_listed(shelf):
    assert len(shelf.library().search(" ")) == 5
    assert len(shelf.library().search("", limit=2)) == 2


@pytest.mark.parametrize("name", ["wan_video", "Wan Video", "WAN"])
def test_a_template_is_found_by_its_name_or_title_in_any_case(shelf, name):
    assert shelf.library().find(name).name == "wan_video"


def test_an_unknown_name_has_closest_ones(shelf):
    assert shelf.library().find("flux_def") is None
    assert shelf.library().closest("flux_def")[0] == "flux_dev"


def test_the_library_is_read_again_when_a_folder_changed(shelf, examples):
    before = shelf.library()
    assert shelf.library() is before

    (examples / "new.json").write_text(json.dumps(WORKFLOW), encoding="utf-8")
    os.utime(examples, ns=(1, 1))

    assert shelf.library().find("my-pack:new") is not None


@pytest.mark.parametrize("index", ["{", "[1, {}]", '[{"templates": [{"name": 1}, 2]}]', "7"])
def test_a_broken_index_costs_only_the_descriptions(shelf, official, index):
    (official / "index.json").write_text(index, encoding="utf-8")

    assert {template.title for template in shelf.library().templates} >= {"flux_dev", "wan_video"}


def test_a_workflow_is_read_as_it_is(shelf):
    assert read_workflow(shelf.library().find("flux_dev")) == WORKFLOW


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "its file is not valid JSON"),
        ('{"1": {"class_type": "KSampler", "is_changed": [NaN]}}', "its file is not valid JSON"),
        ("[]", "its file holds no workflow"),
        ('{"a": 1}', "its file holds no workflow"),
        (None, "its file cannot be read"),
    ],
)
def test_a_template_without_a_workflow_says_why(shelf, official, content, reason):
    template = shelf.library().find("flux_dev")
    if content is None:
        template.path.unlink()
    else:
        template.path.write_text(content, encoding="utf-8")

    with pytest.raises(UnreadableTemplate, match=reason):
        read_workflow(template)
