from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.base.build_version import BuildVersion

RELOAD = {"message": "ComfyUI Assistant was updated while this page was open.", "reload": True}
RESTART = {
    "message": "ComfyUI Assistant was updated. Restart ComfyUI, then reload this page.",
    "reload": False,
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "js" / "chunks").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('version = "1.0.0"', "utf-8")
    put_panel(tmp_path, "panel-aaa.mjs")
    return tmp_path


def put_panel(root: Path, name: str) -> None:
    for path in (root / "js" / "chunks").iterdir():
        path.unlink()
    (root / "js" / "chunks" / name).write_text("", "utf-8")


def test_a_page_with_the_build_that_is_installed_is_told_nothing(root: Path) -> None:
    assert BuildVersion(root).update_for("panel-aaa.mjs") is None


def test_a_page_that_was_open_over_an_update_and_a_restart_has_to_be_reloaded(root: Path) -> None:
    put_panel(root, "panel-bbb.mjs")
    assert BuildVersion(root).update_for("panel-aaa.mjs") == RELOAD


@pytest.mark.parametrize("page", ["panel-aaa.mjs", "panel-bbb.mjs"])
def test_after_an_update_without_a_restart_comfyui_has_to_be_restarted(root: Path, page: str) -> None:
    build = BuildVersion(root)
    put_panel(root, "panel-bbb.mjs")
    assert build.update_for(page) == RESTART


def test_a_release_that_changes_only_the_server_part_needs_a_restart_too(root: Path) -> None:
    build = BuildVersion(root)
    (root / "pyproject.toml").write_text('version = "1.0.1"', "utf-8")
    assert build.update_for("panel-aaa.mjs") == RESTART


@pytest.mark.parametrize("page", ["", "mountPanel.tsx"])
def test_where_nothing_is_known_nothing_is_said(tmp_path: Path, page: str) -> None:
    assert BuildVersion(tmp_path).update_for(page) is None
