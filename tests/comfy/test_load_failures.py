from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.comfy.load_failures import (
    LoadFailure,
    failures_of,
    logged_reasons,
    match_failures,
    read_failure,
)

CANNY = LoadFailure("nodes_canny", "No module named 'kornia'", ("Canny",))
PACK = LoadFailure("pack", "it broke", ("FaceDetailer", "FaceDetailerPipe"), "pack")
TOLD = "part of ComfyUI, its module nodes_canny did not load: No module named 'kornia'"


def test_a_modules_types_and_what_it_misses_are_read_from_its_source(tmp_path: Path) -> None:
    file = tmp_path / "nodes_edges.py"
    file.write_text(
        "import json\nfrom no_such_module.deep import x\n"
        'class A:\n    schema = io.Schema(node_id="NewNode", category="x")\n'
        "NODE_CLASS_MAPPINGS: dict = {\n    \"Old Node\": B,\n    'Other': C,\n}\n"
        'NODE_DISPLAY_NAME_MAPPINGS = {"Shown": "x"}\n'
    )
    failure = read_failure(file)
    assert failure.types == ("NewNode", "Old Node", "Other")
    assert (
        failure.words
        == "part of ComfyUI, its module nodes_edges did not load: No module named 'no_such_module'"
    )
    assert read_failure(file, logged="DLL load failed").reason == "DLL load failed"


def test_a_package_is_read_with_the_files_below_it(tmp_path: Path) -> None:
    (tmp_path / "pack" / "inner").mkdir(parents=True)
    (tmp_path / "pack" / "__init__.py").write_text("from .inner.nodes import NODE_CLASS_MAPPINGS\n")
    (tmp_path / "pack" / "inner" / "nodes.py").write_text('NODE_CLASS_MAPPINGS = {"Deep": Deep}')
    failure = read_failure(tmp_path / "pack", package="pack")
    assert failure.types == ("Deep",)
    assert failure.words == "part of the package pack, which did not load: ComfyUI's log says why"


def test_one_that_is_gone_has_no_types(tmp_path: Path) -> None:
    assert read_failure(tmp_path / "gone.py").types == ()


def test_reasons_are_read_from_the_log() -> None:
    lines = [
        "Starting server",
        "Cannot import /c/nodes_a.py module for custom nodes: No module named 'b'",
        "",
    ]
    assert logged_reasons(lines) == {"/c/nodes_a.py": "No module named 'b'"}


@pytest.mark.parametrize(
    ("name", "told"), [("Canny", {"Canny": TOLD}), ("canny", {"Canny": TOLD}), ("Can", {})]
)
def test_a_type_is_found_by_its_name(name: str, told: dict[str, str]) -> None:
    assert failures_of(name, [CANNY, PACK]) == told


@pytest.mark.parametrize(
    ("query", "types"),
    [
        (["canny", "edge"], ["Canny"]),
        (["face", "detailer"], ["FaceDetailer", "FaceDetailerPipe"]),
        (["edge"], []),
        ([], []),
    ],
)
def test_a_type_is_found_by_the_words_of_a_query(query: list[str], types: list[str]) -> None:
    assert list(match_failures(query, [CANNY, PACK])) == types
