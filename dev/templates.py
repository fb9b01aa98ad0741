"""ComfyUI's official workflow templates and the packages that their nodes need beyond the host's.

The templates' licence is not clear, so they are fetched into the ignored cache and never become part of this
repository. The video and API packages are large for their sample pictures; only the workflows are kept.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

from dev.comfyui import CHOSEN, ENVIRONMENT, TORCHAUDIO, site_packages, without_compiled_part
from dev.component import Component, Installation, interpreter, remove_folder, replace_folder
from dev.places import CACHE, HOST, HOST_VENV, venv_python

TEMPLATES = CACHE / "templates"
OF_PINNED_COMFYUI = "0.7.25"
OF_THIS_COMFYUI = OF_PINNED_COMFYUI if CHOSEN.is_pinned else "own"
"""Those that the chosen ComfyUI comes with."""
NEWEST = "newest"
PACKAGES = {
    OF_PINNED_COMFYUI: (
        "comfyui-workflow-templates-media-api==0.3.14",
        "comfyui-workflow-templates-media-image==0.3.17",
        "comfyui-workflow-templates-media-other==0.3.15",
        "comfyui-workflow-templates-media-video==0.3.12",
    ),
    NEWEST: ("comfyui-workflow-templates-json==0.1.123",),
}

NODE_PACKAGES = HOST / "node-packages"
NODE_REQUIREMENTS = ("kornia==0.9.0", "kornia_rs==0.2.0", "spandrel==0.4.2", TORCHAUDIO)


def workflow_files(package_set: str) -> list[Path]:
    if package_set != "own":
        return sorted((TEMPLATES / package_set).glob("*.json"))
    folder = site_packages(CHOSEN.venv) / "comfyui_workflow_templates_json" / "templates"
    return [path for path in sorted(folder.glob("*.json")) if not path.name.startswith("index")]


def _install_templates(installation: Installation) -> None:
    downloads, fresh = TEMPLATES.with_name("templates.downloads"), TEMPLATES.with_name("templates.new")
    remove_folder(fresh)
    for package_set, packages in PACKAGES.items():
        installation.step(f"set {package_set}")
        remove_folder(downloads)
        installation.pip(venv_python(HOST_VENV), "download", "--no-deps", "-d", downloads, *packages)
        (fresh / package_set).mkdir(parents=True)
        for wheel in sorted(downloads.glob("*.whl")):
            _keep_workflows(wheel, fresh / package_set)
    remove_folder(downloads)
    replace_folder(fresh, TEMPLATES)


def _keep_workflows(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not name.endswith(".json"):
                continue
            content = archive.read(name)
            parsed = json.loads(content)
            if isinstance(parsed, dict) and "nodes" in parsed:
                (folder / Path(name).name).write_bytes(content)


def _install_node_packages(installation: Installation) -> None:
    fresh = NODE_PACKAGES.with_name("node-packages.new")
    remove_folder(fresh)
    installation.pip(venv_python(HOST_VENV), "install", "--no-deps", "--target", fresh, *NODE_REQUIREMENTS)
    without_compiled_part(fresh)
    shutil.rmtree(fresh / "bin", ignore_errors=True)
    replace_folder(fresh, NODE_PACKAGES)


TEMPLATE_WORKFLOWS = Component(
    name="templates",
    title="ComfyUI's workflow templates",
    duration="about 1 minute",
    stamp=TEMPLATES / ".stamp",
    pins=lambda: "\n".join(package for packages in PACKAGES.values() for package in packages),
    install=_install_templates,
    needs=(ENVIRONMENT,),
)

TEMPLATE_NODES = Component(
    name="node-packages",
    title="packages of the templates' nodes",
    stamp=NODE_PACKAGES / ".stamp",
    pins=lambda: "\n".join(NODE_REQUIREMENTS) + interpreter(),
    install=_install_node_packages,
    needs=(ENVIRONMENT,),
)
