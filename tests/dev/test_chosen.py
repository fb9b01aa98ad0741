"""Which ComfyUI `COMFYUI` names."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dev import chosen
from dev.chosen import OFFICIAL, PINNED, chosen_comfyui, name_newest, newest_stable
from dev.comfyui import requirements_of, source_of
from dev.component import Installation, SetUpFailed


def comfyui_folder(folder: Path, version: str = "0.33.0") -> Path:
    folder.mkdir(parents=True)
    (folder / "main.py").touch()
    (folder / "comfyui_version.py").write_text(f'__version__ = "{version}"\n')
    return folder


def test_without_a_name_it_is_the_pinned_one() -> None:
    assert chosen_comfyui({}) == PINNED
    assert chosen_comfyui({"COMFYUI": " "}).is_pinned


def test_a_folder_is_used_where_it_lies_with_an_environment_in_the_cache(tmp_path: Path) -> None:
    folder = comfyui_folder(tmp_path / "ComfyUI")
    comfyui = chosen_comfyui({"COMFYUI": str(folder)})
    assert (comfyui.source, comfyui.repository, comfyui.version) == (folder, "", "0.33.0")
    assert chosen.CACHE in comfyui.venv.parents
    assert not comfyui.is_pinned


def test_a_repository_with_a_tag_is_cloned_into_the_cache() -> None:
    comfyui = chosen_comfyui({"COMFYUI": f"{OFFICIAL}@v0.45.2"})
    assert (comfyui.repository, comfyui.reference) == (OFFICIAL, "v0.45.2")
    assert comfyui.source.parent == comfyui.venv.parent
    assert comfyui.source != chosen_comfyui({"COMFYUI": f"{OFFICIAL}@v0.45.1"}).source


@pytest.mark.parametrize(
    ("named", "repository", "reference"),
    [
        ("git@example.com:some/ComfyUI.git", "git@example.com:some/ComfyUI.git", ""),
        ("git@example.com:some/ComfyUI.git@v1", "git@example.com:some/ComfyUI.git", "v1"),
        ("ssh://git@example.com/ComfyUI", "ssh://git@example.com/ComfyUI", ""),
        ("https://example.com/ComfyUI@v0.45.2", "https://example.com/ComfyUI", "v0.45.2"),
        ("https://someone@example.com/ComfyUI", "https://someone@example.com/ComfyUI", ""),
        ("https://someone@example.com/ComfyUI@feature/x", "https://someone@example.com/ComfyUI", "feature/x"),
    ],
)
def test_an_at_sign_of_the_address_is_no_reference(named: str, repository: str, reference: str) -> None:
    comfyui = chosen_comfyui({"COMFYUI": named})
    assert (comfyui.repository, comfyui.reference) == (repository, reference)


def test_a_repository_on_this_machine_is_cloned_at_what_it_has_checked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.com")
        subprocess.run(("git", *identity, *arguments), cwd=work, check=True, capture_output=True)

    monkeypatch.setattr(chosen, "CACHE", tmp_path / "cache")
    work = comfyui_folder(tmp_path / "work", version="0.40.0")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    comfyui = chosen_comfyui({"COMFYUI": str(tmp_path / "bare.git")})
    component = source_of(comfyui)
    assert not component.is_present()

    component.install(Installation(component, tmp_path / "log"))

    assert component.is_present()
    assert comfyui.version == "0.40.0"


def test_the_newest_stable_release_is_the_highest_version() -> None:
    tags = ["v0.3.75", "v0.45.2", "v0.9.10", "v0.46.0-rc1", "latest"]
    assert newest_stable("\n".join(f"abc\trefs/tags/{tag}" for tag in tags)) == "v0.45.2"
    assert newest_stable("") is None


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        pytest.param(subprocess.TimeoutExpired("git", 8), "did not answer within 8 s", id="no answer"),
        pytest.param("fatal: unable to access", "unable to access", id="refused"),
    ],
)
def test_a_repository_that_cannot_be_asked_is_said_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, answer: subprocess.TimeoutExpired | str, found: str
) -> None:
    def run(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        if isinstance(answer, str):
            return subprocess.CompletedProcess([], 128, "", answer)
        raise answer

    monkeypatch.setattr(chosen.subprocess, "run", run)
    with pytest.raises(SetUpFailed, match=found) as failure:
        name_newest({"COMFYUI": "newest"})
    assert "COMFYUI=~/ComfyUI" in str(failure.value)


def test_newest_becomes_the_repository_with_its_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = subprocess.CompletedProcess[str]([], 0, "abc\trefs/tags/v0.45.2\n", "")
    monkeypatch.setattr(chosen.subprocess, "run", lambda *_, **__: listed)
    environ = {"COMFYUI": "newest"}
    name_newest(environ)
    assert environ == {"COMFYUI": f"{OFFICIAL}@v0.45.2"}


def test_requirements_are_taken_without_pytorch_and_sample_pictures() -> None:
    lines = ("torch", "torchsde", "torchvision", "torchaudio>=2", "aiohttp>=3.11", "# a remark", "")
    text = "\n".join([*lines, "comfyui-workflow-templates==0.11.44"])
    assert requirements_of(text) == (["torchsde", "aiohttp>=3.11"], ["comfyui-workflow-templates==0.11.44"])
