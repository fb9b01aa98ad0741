from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import openai
import pytest

from .conversations import user

ROOT = Path(__file__).resolve().parents[3]
COMMAND = (sys.executable, "-m", "dev.scripted")


def test_the_command_serves_a_scenario_until_it_is_stopped():
    process = subprocess.Popen(
        (*COMMAND, "--port", "0", "--scenario", "length"), cwd=ROOT, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        base_url = re.search(r"http://127\.0\.0\.1:\d+/v1", line)
        assert base_url, line
        client = openai.OpenAI(base_url=base_url[0], api_key="any", max_retries=0)
        reply = client.chat.completions.create(model="scripted", messages=[user()])
        assert reply.choices[0].finish_reason == "length"
    finally:
        process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    process.stdout.close()


@pytest.mark.slow
def test_the_command_lists_the_scenarios_and_names_an_unknown_one():
    listed = subprocess.run((*COMMAND, "--list"), cwd=ROOT, capture_output=True, text=True, check=True)
    assert re.search(r"^red-image +The main job", listed.stdout, re.MULTILINE)
    unknown = subprocess.run(
        (*COMMAND, "--scenario", "blue"), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert unknown.returncode == 2
    assert 'There is no scenario "blue"' in unknown.stderr
    assert "Traceback" not in unknown.stderr
