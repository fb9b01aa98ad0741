from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.comfy.missing.packages import NamedPackage, outdated_packages, required_packages


def node(node_type, **properties):
    return {"type": node_type, "properties": properties}


def test_types_stand_by_the_package_that_their_nodes_name():
    workflow = {
        "nodes": [
            node("A", cnr_id="comfyui-kjnodes", ver="1.0.5"),
            node("B", cnr_id="comfyui-kjnodes", ver="1.0.5"),
            node("A"),
            node("C", aux_id="somebody/ComfyUI-Things", ver="abc"),
            node("D", cnr_id="comfy-core"),
            node("E", cnr_id="../../evil", aux_id="a/b/c"),
            node("F", cnr_id="here", ver="1"),
            {"type": "G"},
        ]
    }

    packages = required_packages(workflow, ["A", "B", "C", "D", "E", "G"])

    assert packages == [
        NamedPackage("comfyui-kjnodes", "1.0.5", ["A", "B"]),
        NamedPackage("somebody/ComfyUI-Things", "abc", ["C"]),
        NamedPackage("comfy-core", "", ["D"]),
        NamedPackage("", "", ["E", "G"]),
    ]
    assert [package.is_core for package in packages] == [False, False, True, False]


def versioned_node(package: str, version: str, **more: object) -> dict[str, object]:
    return {"type": "X", "properties": {"cnr_id": package, "ver": version}, **more}


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    texts = {
        "KJNodes": '[build]\nversion = "9.9"\n[project]\nname = "ComfyUI-KJNodes"\r\nversion = "1.9.0"\n',
        "other": "[project]\nversion = '2.0.0'\nname = 'other'\n[tool.comfy]\nversion = '1.0'\n",
        "nightly": '[project]\nname = "nightly"\nversion = "3fa1b"\n',
        "nameless": "not toml",
    }
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_bytes(text.encode())
    return [*(tmp_path / name for name in texts), tmp_path / "gone"]


def test_an_older_package_than_the_newest_that_the_workflow_names_is_told(folders: list[Path]) -> None:
    nodes = [
        versioned_node("comfyui-kjnodes", "1.9.1"),
        versioned_node("comfyui-kjnodes", "1.10.0"),
        versioned_node("other", "2.0"),
    ]

    assert outdated_packages({"nodes": nodes}, folders) == [
        {"id": "comfyui-kjnodes", "installed": "1.9.0", "named": "1.10.0"}
    ]


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(versioned_node("comfyui-kjnodes", "1.9"), id="the same version"),
        pytest.param(versioned_node("comfyui-kjnodes", "4bd6b97a"), id="a commit"),
        pytest.param(
            versioned_node("comfyui-kjnodes", "2.0.0", mode=4), id="a versioned_node that is bypassed"
        ),
        pytest.param(versioned_node("nightly", "2.0.0"), id="an installed version that is no number"),
        pytest.param(versioned_node("absent", "2.0.0"), id="a package that is not here"),
        pytest.param(versioned_node("comfy-core", "99.0.0"), id="ComfyUI itself"),
        pytest.param({"type": "X", "properties": 3}, id="a versioned_node that names none"),
    ],
)
def test_nothing_is_told_that_is_not_certain(one: dict[str, object], folders: list[Path]) -> None:
    assert outdated_packages({"nodes": [one]}, folders) == []
