from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from comfyui_assistant import api_handlers

from dev.places import ROOT
from dev.release import WrongTag, with_addresses

tomllib = pytest.importorskip("tomllib")
PYPROJECT = (ROOT / "pyproject.toml").read_text("utf-8")


def version() -> str:
    return tomllib.loads(PYPROJECT)["project"]["version"]


def test_a_release_has_the_addresses_that_the_registry_asks_for() -> None:
    released = tomllib.loads(with_addresses(PYPROJECT, "somebody/assistant", f"v{version()}"))

    assert released["project"]["urls"]["Repository"] == "https://github.com/somebody/assistant"
    files = f"https://raw.githubusercontent.com/somebody/assistant/v{version()}/"
    for name in ("Icon", "Banner"):
        address = released["tool"]["comfy"][name]
        assert address.startswith(files)
        assert (ROOT / address.removeprefix(files)).is_file()
    before = tomllib.loads(PYPROJECT)
    assert released["project"] | {"urls": None} == before["project"] | {"urls": None}
    assert before["tool"]["comfy"].items() <= released["tool"]["comfy"].items()


def test_a_tag_of_another_version_is_refused() -> None:
    with pytest.raises(WrongTag, match=re.escape(f"expected v{version()}")):
        with_addresses(PYPROJECT, "somebody/assistant", "v9.9.9")


def test_the_version_that_the_server_tells_is_that_of_the_package() -> None:
    assert version() == api_handlers.VERSION


@pytest.mark.parametrize(("name", "most", "ratio"), [("icon", 400, 1), ("banner", 2100, 21 / 9)])
def test_the_pictures_have_the_sizes_that_the_registry_takes(name: str, most: int, ratio: float) -> None:
    width, height = size_of_png(ROOT / "docs" / "registry" / f"{name}.png")
    assert width <= most
    assert width / height == pytest.approx(ratio)


def size_of_png(path: Path) -> tuple[int, int]:
    return struct.unpack(">II", path.read_bytes()[16:24])
