"""The package of the registry: packed by its own tool, unzipped into a ComfyUI that has never seen us."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.packing import pack
from tests.host.conftest import set_up_scripted_model
from tests.host.main_job import make_a_red_image

WANTED = {"__init__.py", "engine", "js", "system_context", "LICENSE", "README.md", "requirements.txt"}
SUPERFLUOUS = {"tests", "dev", "ui", "bench", "docs", "Makefile", ".github", ".ci", "AGENTS.md"}
MOST_BYTES = 1_500_000


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack(tmp_path_factory.mktemp("packed"))


@pytest.fixture(scope="module")
def installed_package(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("from-the-registry") / "comfyui-assistant"
    with zipfile.ZipFile(package) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def comfyui(
    frontend: str, installed_package: Path, model_port: int, tmp_path: Path
) -> Iterator[ComfyUIProcess]:
    with running_comfyui(tmp_path / "base", extension=installed_package, frontend=frontend) as process:
        set_up_scripted_model(process, model_port)
        yield process


@pytest.mark.any_frontend
def test_the_package_holds_what_runs_and_nothing_that_only_developers_need(package, installed_package):
    names = {path.name for path in installed_package.iterdir()}
    assert names >= WANTED
    assert names.isdisjoint(SUPERFLUOUS)
    assert package.stat().st_size < MOST_BYTES
    assert not [path for path in installed_package.rglob("*") if path.suffix in (".pyc", ".sqlite3", ".log")]


@pytest.mark.any_frontend
def test_the_tests_install_the_same_files_as_the_package(extension, installed_package):
    """So that all that is tested here is what people get."""
    told_only = {"README.md", "LICENSE", "CHANGELOG.md", "requirements.txt", ".env.example"}
    assert files_in(installed_package) - told_only == files_in(extension)


def files_in(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.slow
@pytest.mark.any_frontend
def test_the_package_does_the_main_job_in_a_clean_comfyui(comfy, comfyui, panel, model):
    make_a_red_image(comfy, comfyui, panel, model)
