"""What is asked of the running ComfyUI, whose modules these tests stand in for."""

from __future__ import annotations

import json
import os
import sys
from types import SimpleNamespace

import pytest
from comfyui_assistant.engine.comfy.comfy import RunningComfy
from comfyui_assistant.engine.comfy.exposure import Exposure
from comfyui_assistant.engine.comfy.host import HelpFolder, TemplateFolder


class Old:
    """A node as most are written."""

    @classmethod
    def INPUT_TYPES(cls):  # noqa: N802 - as ComfyUI calls it
        return {"required": {"image": ("IMAGE",)}}

    RETURN_TYPES = ("IMAGE",)
    CATEGORY = "image"
    OUTPUT_NODE = True


class New:
    """A node that describes itself."""

    @classmethod
    def GET_NODE_INFO_V1(cls):  # noqa: N802 - as ComfyUI calls it
        return {"display_name": "New one"}


@pytest.fixture
def folders(monkeypatch, tmp_path):
    paths = SimpleNamespace(
        folder_names_and_paths={"vae": ([], set()), "custom_nodes": ([], set()), "configs": ([], set())},
        get_filename_list=lambda folder: [
            "put_vae_here",
            "sub/put_vae_here",
            "a.safetensors",
            "put_up.safetensors",
        ],
        get_input_directory=lambda: str(tmp_path / "input"),
        get_folder_paths=lambda name: [str(tmp_path / name)],
        get_user_directory=lambda: str(tmp_path / "user"),
    )
    monkeypatch.setitem(sys.modules, "folder_paths", paths)
    return paths


@pytest.fixture
def nodes(monkeypatch):
    module = SimpleNamespace(
        NODE_CLASS_MAPPINGS={"Old": Old, "New": New}, NODE_DISPLAY_NAME_MAPPINGS={"Old": "Old one"}
    )
    monkeypatch.setitem(sys.modules, "nodes", module)
    return module


def test_a_node_is_described_by_itself_or_by_what_its_class_says(nodes):
    comfy = RunningComfy()
    assert comfy.node_types() == ["Old", "New"]
    assert comfy.node_info("New") == {"display_name": "New one"}
    assert comfy.node_info("Old") == {
        "input": {"required": {"image": ("IMAGE",)}},
        "output": ("IMAGE",),
        "output_name": ("IMAGE",),
        "output_is_list": (),
        "display_name": "Old one",
        "description": "",
        "category": "image",
        "python_module": "nodes",
        "output_node": True,
        "deprecated": False,
        "search_aliases": (),
        "api_node": False,
        "experimental": False,
    }


class Listed(Old):
    @classmethod
    def VALIDATE_INPUTS(cls, image, input_types):  # noqa: N802 - as ComfyUI calls it
        return True


class Open(Old):
    @classmethod
    def VALIDATE_INPUTS(cls, **_inputs):  # noqa: N802 - as ComfyUI calls it
        return True


class Base:
    @classmethod
    def GET_BASE_CLASS(cls):  # noqa: N802 - as ComfyUI calls it
        return Base

    @classmethod
    def validate_inputs(cls, **_inputs):
        raise NotImplementedError


class Plain(Base):
    """A newer node without a check of its own."""


class Checked(Base):
    @classmethod
    def validate_inputs(cls, choice):
        return True


def test_the_inputs_that_a_type_checks_itself_are_those_of_its_check(nodes, monkeypatch):
    def real_override(cls, name):
        return None if name not in cls.__dict__ else getattr(cls, name)

    monkeypatch.setitem(sys.modules, "comfy_api", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "comfy_api.internal", SimpleNamespace(first_real_override=real_override))
    nodes.NODE_CLASS_MAPPINGS |= {"Listed": Listed, "Open": Open, "Plain": Plain, "Checked": Checked}
    assert {node_type: set(names) - {"cls"} for node_type, names in RunningComfy().own_checks().items()} == {
        "Listed": {"image", "input_types"},
        "Open": {"*"},
        "Checked": {"choice"},
    }


def test_the_version_changes_when_a_node_is_loaded_again(nodes):
    comfy = RunningComfy()
    before = comfy.node_classes_version()
    assert comfy.node_classes_version() == before
    nodes.NODE_CLASS_MAPPINGS["Old"] = type("Old", (), {})
    assert comfy.node_classes_version() != before


def test_models_are_listed_without_the_placeholders_that_comfyui_comes_with(folders):
    comfy = RunningComfy()
    assert comfy.model_folders() == ["vae"]
    assert comfy.model_files("vae") == ["a.safetensors", "put_up.safetensors"]


def test_the_input_folder_may_be_missing_and_changes_with_its_files(folders, tmp_path):
    comfy = RunningComfy()
    assert comfy.input_files_version() is None
    (tmp_path / "input").mkdir()
    os.utime(tmp_path / "input", ns=(1, 1))
    before = comfy.input_files_version()
    os.utime(tmp_path / "input", ns=(2, 2))
    assert comfy.input_files_version() != before


def test_packages_are_those_in_the_folders_of_custom_nodes(nodes, folders, tmp_path):
    home = tmp_path / "custom_nodes"
    nodes.LOADED_MODULE_DIRS = {
        "b_pack": str(home / "b_pack"),
        f"{home}/a_pack": str(home / "a_pack"),
        "nodes_extra": str(tmp_path / "comfy_extras"),
    }
    assert RunningComfy().packages() == ["a_pack", "b_pack"]
    del nodes.LOADED_MODULE_DIRS
    assert RunningComfy().packages() == []


def test_folders_of_packages_are_those_that_are_not_switched_off(folders, tmp_path):
    home = tmp_path / "custom_nodes"
    for name in ("b_pack", "a_pack", "c_pack.disabled"):
        (home / name).mkdir(parents=True)
    (home / "file.py").touch()

    assert RunningComfy().package_folders() == [home / "a_pack", home / "b_pack"]


def test_help_and_examples_are_the_folders_that_are_there(nodes, folders, tmp_path):
    (tmp_path / "web" / "docs").mkdir(parents=True)
    nodes.EXTENSION_WEB_DIRS = {"a": str(tmp_path / "web"), "b": str(tmp_path / "gone")}
    for name in ("one/example_workflows", "one/other", "two/workflows"):
        (tmp_path / "custom_nodes" / name).mkdir(parents=True)
    comfy = RunningComfy()
    assert [each for each in comfy.help_folders() if tmp_path in each.path.parents] == [
        HelpFolder(tmp_path / "web" / "docs")
    ]
    assert [each for each in comfy.template_folders() if tmp_path in each.path.parents] == [
        TemplateFolder(tmp_path / "custom_nodes" / "one" / "example_workflows", "one"),
        TemplateFolder(tmp_path / "custom_nodes" / "two" / "workflows", "two"),
    ]


def test_our_files_lie_in_the_system_folder_or_where_older_comfyui_has_none_beside_it(folders, tmp_path):
    assert RunningComfy().data_directory() == tmp_path / "user" / "__comfyui_assistant"
    folders.get_system_user_directory = lambda name: str(tmp_path / "user" / f"__{name}")
    assert RunningComfy().data_directory() == tmp_path / "user" / "__comfyui_assistant"


def test_modules_that_were_tried_and_did_not_load_are_found_with_the_reason_that_the_log_has(
    nodes, folders, monkeypatch, tmp_path
):
    home = tmp_path / "comfy_extras"
    (tmp_path / "custom_nodes" / "my.pack").mkdir(parents=True)
    home.mkdir()
    (tmp_path / "custom_nodes" / "my.pack" / "__init__.py").write_text("NODE_CLASS_MAPPINGS = {'Mine': Mine}")
    for name in ("nodes_canny", "nodes_fine", "nodes_untried"):
        (home / f"{name}.py").write_text(f'io.Schema(node_id="{name.removeprefix("nodes_").title()}")')
    log = [
        {"m": f"Cannot import {home / 'nodes_canny.py'} module for custom nodes: No module named 'kornia'\n"}
    ]
    pack = str(tmp_path / "custom_nodes" / "my.pack")
    nodes.__file__ = str(tmp_path / "nodes.py")
    nodes.LOADED_MODULE_DIRS = {str(home / "nodes_fine"): str(home)}
    monkeypatch.setitem(sys.modules, "app.logger", SimpleNamespace(get_logs=lambda: log))
    monkeypatch.setitem(sys.modules, "app", SimpleNamespace())
    for module in (str(home / "nodes_canny"), str(home / "nodes_fine"), pack.replace(".", "_x_")):
        monkeypatch.setitem(sys.modules, module, SimpleNamespace())
    comfy = RunningComfy()
    failures = comfy.load_failures()
    log.clear()

    assert comfy.load_failures() == failures, "the reason is kept when the log has forgotten it"
    assert [(failure.types, failure.words) for failure in failures] == [
        (("Canny",), "part of ComfyUI, its module nodes_canny did not load: No module named 'kornia'"),
        (("Mine",), "part of the package my.pack, which did not load: ComfyUI's log says why"),
    ]


@pytest.mark.parametrize("home", ["{}//custom_nodes", "{}/custom_nodes/", "{}/./custom_nodes"])
def test_modules_are_found_by_the_path_that_comfyui_put_together_itself(
    nodes, folders, monkeypatch, tmp_path, home
):
    home = home.format(tmp_path)
    (tmp_path / "custom_nodes" / "pack").mkdir(parents=True)
    folders.get_folder_paths = lambda _: [home]
    nodes.__file__ = str(tmp_path / "nodes.py")
    monkeypatch.setitem(sys.modules, os.path.join(home, "pack").replace(".", "_x_"), SimpleNamespace())

    assert [failure.package for failure in RunningComfy().load_failures()] == ["pack"]


class UserManager:
    """As ComfyUI's own with --multi-user: a user is told by a header, and one that it does not know is an error."""

    def get_request_user_id(self, request):
        user = request.headers.get("comfy-user", "default")
        if user != "ann":
            raise KeyError("Unknown user: " + user)
        return user


def request_of(user):
    return SimpleNamespace(headers={"comfy-user": user})


def test_comfyui_itself_tells_whose_a_request_is(monkeypatch):
    server = SimpleNamespace(
        PromptServer=SimpleNamespace(instance=SimpleNamespace(user_manager=UserManager()))
    )
    monkeypatch.setitem(sys.modules, "server", server)
    assert RunningComfy().user_of(request_of("ann")) == "ann"
    assert RunningComfy().user_of(request_of("nobody")) is None


def test_a_comfyui_without_users_has_the_default_one(monkeypatch):
    server = SimpleNamespace(PromptServer=SimpleNamespace(instance=SimpleNamespace()))
    monkeypatch.setitem(sys.modules, "server", server)
    assert RunningComfy().user_of(request_of("ann")) == "default"


def test_who_else_reaches_comfyui_is_read_from_its_options(monkeypatch):
    arguments = SimpleNamespace(args=SimpleNamespace(listen="0.0.0.0", enable_cors_header="*"))
    monkeypatch.setitem(sys.modules, "comfy", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "comfy.cli_args", arguments)
    assert RunningComfy().exposure() == Exposure(("0.0.0.0",), "*")
    arguments.args = SimpleNamespace()
    assert RunningComfy().exposure() == Exposure()


@pytest.mark.parametrize(
    "logs",
    [
        pytest.param([{"t": "now", "m": "Cannot import {} module for custom nodes: broken\n"}], id="entries"),
        pytest.param(["Cannot import {} module for custom nodes: broken"], id="texts"),
        pytest.param("first line\nCannot import {} module for custom nodes: broken", id="one text"),
    ],
)
def test_the_log_is_read_in_whatever_form_comfyui_hands_it_out(nodes, folders, monkeypatch, tmp_path, logs):
    pack = tmp_path / "custom_nodes" / "pack"
    pack.mkdir(parents=True)
    nodes.__file__ = str(tmp_path / "nodes.py")
    filled = json.loads(json.dumps(logs).replace("{}", str(pack)))
    monkeypatch.setitem(sys.modules, "app", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "app.logger", SimpleNamespace(get_logs=lambda: filled))
    monkeypatch.setitem(sys.modules, str(pack).replace(".", "_x_"), SimpleNamespace())

    assert [failure.reason for failure in RunningComfy().load_failures()] == ["broken"]


def test_what_replaces_node_types_is_asked_where_comfyui_keeps_it(monkeypatch):
    instance = SimpleNamespace()
    server = SimpleNamespace(PromptServer=SimpleNamespace(instance=instance))
    monkeypatch.setitem(sys.modules, "server", server)
    assert RunningComfy().node_replacements() == {}

    listed = {"Old": [{"new_node_id": "New"}]}
    instance.node_replace_manager = SimpleNamespace(as_dict=lambda: listed)
    assert RunningComfy().node_replacements() == listed
