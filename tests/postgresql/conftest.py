"""A PostgreSQL server of the tests' own, on a free port of loopback, from the binaries that the machine has."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from dev.processes import free_port

SECONDS_TO_START = 30


def binaries() -> Path:
    """Where `postgres` and `initdb` are: on PATH, or where Debian puts them."""
    on_path = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not on_path and not found:
        pytest.fail("no PostgreSQL server is installed (Debian's package is postgresql)", pytrace=False)
    return (Path(on_path) if on_path else found[-1]).parent


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """For the server's files. pytest's own folders can be entered by nobody else."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def server(folder: Path) -> Iterator[str]:
    """Its address without a database. PostgreSQL refuses to run as root, so there it runs as nobody."""
    user = "nobody" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data, port, bin_folder = folder / "data", free_port(), binaries()
    subprocess.run(
        [bin_folder / "initdb", "-D", data, "-A", "trust", "-U", "test", "-E", "UTF8", "--no-sync"],
        user=user,
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [bin_folder / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", folder],
            user=user,
            cwd=folder,
            stdout=log,
            stderr=log,
        )
    try:
        _wait(port)
        yield f"test@127.0.0.1:{port}"
    finally:
        # A fast shutdown, which does not wait for whoever is still connected.
        process.send_signal(signal.SIGINT)
        process.wait()


@pytest.fixture
def database(server: str, request: pytest.FixtureRequest) -> str:
    """The URL of an empty database, as the setting takes it."""
    name = request.node.name.lower()[:60]
    with psycopg.connect(f"postgresql://{server}/postgres", autocommit=True) as connection:
        connection.execute(f'create database "{name}"'.encode())
    return f"postgresql+psycopg://{server}/{name}"


def _wait(port: int) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while not _answers(port):
        if time.monotonic() > deadline:
            pytest.fail(f"PostgreSQL did not start within {SECONDS_TO_START} s")
        time.sleep(0.1)


def _answers(port: int) -> bool:
    try:
        psycopg.connect(f"postgresql://test@127.0.0.1:{port}/postgres").close()
    except psycopg.OperationalError:
        return False
    return True
