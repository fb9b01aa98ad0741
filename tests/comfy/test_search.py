from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.node_definition import NodeDefinition, read_node_definition
from comfyui_assistant.engine.comfy.search import (
    PACKAGES_FILE,
    WORDS_FILE,
    NodeIndex,
    plain_words,
    plain_words_of,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("query", "first"),
    [
        pytest.param("KSampler", "KSampler", id="the exact name"),
        pytest.param("ksampler advanced", "KSamplerAdvanced", id="parts of a camelCase name"),
        pytest.param("load checkpoint", "CheckpointLoaderSimple", id="the display name"),
        pytest.param("image save", "SaveImage", id="words in another order"),
        pytest.param("save an image", "SaveImage", id="words that only join"),
        pytest.param("solid color picture", "EmptyImage", id="what people call it"),
        pytest.param("text prompt", "CLIPTextEncode", id="the description"),
        pytest.param("cfg denoise", "KSampler", id="names of inputs"),
        pytest.param("controlnet", "ControlNetLoader", id="two parts written as one"),
        pytest.param("loras", "LoraLoader", id="the plural"),
        pytest.param("ksmapler", "KSampler", id="a close spelling"),
        pytest.param("loadcheckpont", "CheckpointLoaderSimple", id="a close spelling of the display name"),
        pytest.param("checkpoint loader", "CheckpointLoaderSimple", id="part of a longer name"),
        pytest.param("upsc", "LatentUpscaleBy", id="the beginning of a word"),
        pytest.param("convert a photo into latent", "VAEEncode", id="a conversion"),
        pytest.param("emtpy imgae", "EmptyImage", id="two close spellings"),
        pytest.param("ImageResize+", "ImageScale", id="a name of another package, by its parts"),
        pytest.param("ImageResizeKJv2", "ImageScale", id="such a name with parts that none has"),
        pytest.param("KSmaplerAdvanced", "KSamplerAdvanced", id="a close spelling of a camelCase name"),
        pytest.param("apply controlnet", "ControlNetApplyAdvanced", id="the one that is not deprecated"),
        pytest.param("ControlNetApply", "ControlNetApply", id="a deprecated one by its exact name"),
    ],
)
def test_the_node_that_was_meant_comes_first(core_index, query, first):
    assert core_index.search(query)[0].type == first


@pytest.mark.parametrize("query", ["", "   ", "?!", "зебра", "qqqqqq", "\ud800", "\x00"])
def test_a_query_that_means_nothing_finds_nothing(core_index, query):
    assert core_index.search(query) == []


def test_matching_every_word_counts_more_than_matching_one_well(core_index):
    found = [definition.type for definition in core_index.search("latent upscale")]

    assert set(found[:2]) == {"LatentUpscale", "LatentUpscaleBy"}


def test_a_package_is_searchable_by_its_name():
    index = NodeIndex.build([_node("Blender", package="was-node-suite"), _node("Mixer")])

    assert [definition.type for definition in index.search("was node suite")] == ["Blender"]


def test_a_node_is_found_by_the_other_names_that_it_gives_itself():
    info = {"search_aliases": ["combine clips", 7]}
    index = NodeIndex.build([read_node_definition("Xyz", info), _node("Mixer")])

    assert [definition.type for definition in index.search("combine clips")] == ["Xyz"]


def test_what_says_that_it_does_without_a_thing_is_found_by_that():
    index = _described({"First": "hands a value on by a wire", "Second": "hands a value on without wires"})

    assert index.search("hand a value on without a wire")[0].type == "Second"


def test_what_several_words_mean_together_counts_as_a_word_that_was_asked_for():
    others = {f"Other{number}": "something else" for number in range(20)}
    index = _described({"ModelOpener": "opens", "Everywhere": "sends one model", **others})

    assert index.search("model to all")[0].type == "Everywhere"


def test_a_page_of_description_counts_by_its_beginning():
    page = "<div style='color: blue'>more of it</div> " * 300
    index = _described(
        {"Long": f"<b>Opens a folder</b> and what is in it. {page}", "Short": "closes a folder"}
    )

    assert index.search("open folder")[0].type == "Long"
    assert index.search("blue") == []


def test_equal_matches_come_in_one_fixed_order():
    nodes = [_node(name) for name in ("BlurC", "BlurA", "BlurB")]

    orders = {
        tuple(definition.type for definition in NodeIndex.build(order).search("blur"))
        for order in (nodes, nodes[::-1])
    }

    assert orders == {("BlurA", "BlurB", "BlurC")}


@pytest.mark.parametrize("written", ["load checkpoint", "LOAD_CHECKPOINT", "checkpointloadersimple"])
def test_a_type_is_known_by_either_name_in_any_case(core_index, written):
    assert [definition.type for definition in core_index.find_by_name(written)] == ["CheckpointLoaderSimple"]


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("KSamler", "KSampler"), ("ImageSave", "SaveImage"), ("VaeDecoder", "VAEDecode")],
)
def test_the_closest_names_hold_the_one_that_was_meant(core_index, wrong, meant):
    assert meant in core_index.closest(wrong, limit=3)


def test_closest_is_what_has_the_words_of_a_name_before_what_is_spelled_like_it(newest_nodes):
    assert NodeIndex.build(newest_nodes).closest("ImageResize+")[0] == "ImageScale"


def test_a_deprecated_type_is_close_behind_all_others(newest_nodes):
    index = NodeIndex.build(newest_nodes)

    assert index.closest("CheckpointLoader|pysssss", limit=20)[-1] == "CheckpointLoader"
    assert index.find("CheckpointLoader|pysssss").unnamed == ("pysssss",)


@given(st.text(max_size=200))
def test_no_query_breaks_the_search(core_index, query):
    assert len(core_index.search(query)) <= len(core_index.definitions)
    assert len(core_index.closest(query)) <= 5


def _described(descriptions: dict[str, str]) -> NodeIndex:
    return NodeIndex.build(
        read_node_definition(name, {"description": text}) for name, text in descriptions.items()
    )


def _node(node_type: str, *, package: str | None = None) -> NodeDefinition:
    return NodeDefinition(node_type, node_type, "", "", inputs=(), outputs=(), package=package)


def test_a_word_that_is_only_spelled_like_another_makes_no_match_sure(all_core_nodes):
    found = NodeIndex.build(all_core_nodes).find("photo of a unicorn")

    assert found.unnamed == ("unicorn",)
    assert found.definitions[0].type == "LoadImage"


def test_what_takes_the_place_of_a_type_is_found_where_that_would_be_which_comes_last():
    nodes = [_node("ScaleImage"), _node("ScaleImageTwice"), _node("Resize")]
    index = NodeIndex.build(nodes, replaced_by={"ScaleImage": "Resize", "Gone": "Resize"})

    def found(query):
        return [definition.type for definition in index.search(query)]

    assert found("scale image") == ["Resize", "ScaleImageTwice", "ScaleImage"]
    assert found("ScaleImage")[0] == "ScaleImage"
    assert index.closest("Gone")[0] == "Resize"
    fitting = index.find("scale image", fits=lambda definition: definition.type != "Resize").definitions
    assert [definition.type for definition in fitting] == ["ScaleImageTwice", "ScaleImage"]


def test_each_line_of_the_file_tells_of_one_core_node(all_core_nodes, newest_nodes):
    lines = [line for line in WORDS_FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert len(plain_words()) == len(lines)
    assert set(plain_words()) <= {node.type for node in (*all_core_nodes, *newest_nodes)}
    assert all(said == said.strip() != "" for said in plain_words().values())


def test_they_cannot_be_changed():
    with pytest.raises(TypeError):
        plain_words()["KSampler"] = "x"


def test_each_line_of_the_packages_file_tells_of_one_node():
    lines = [line for line in PACKAGES_FILE.read_text("utf-8").splitlines() if line and line[0] != "#"]
    assert len(plain_words(PACKAGES_FILE)) == len(lines)
    assert not set(plain_words(PACKAGES_FILE)) & set(plain_words())


def test_words_for_packages_are_not_said_of_core_nodes_nor_the_other_way_round():
    def words(node_type: str, package: str | None = None, *, is_page_only: bool = False) -> str:
        definition = NodeDefinition(
            node_type, node_type, "", "", (), (), package=package, is_page_only=is_page_only
        )
        return plain_words_of(definition)

    assert "wire" in words("SetNode", is_page_only=True)
    assert "mp4" in words("VHS_VideoCombine", "videohelpersuite")
    assert words("KSampler") != words("KSampler", "some-pack") == ""
    assert words("VHS_VideoCombine") == ""
