from __future__ import annotations

import json

import pytest
from comfyui_assistant.engine.comfy.downloads.host_facts import HostFacts, read_facts
from comfyui_assistant.engine.comfy.downloads.hosts import BUILT_IN
from comfyui_assistant.engine.comfy.downloads.source import read_source

REPOSITORY = read_source("https://huggingface.co/org/repo/resolve/main/a.gguf", BUILT_IN)
VERSION = read_source("https://civitai.com/api/download/models/12", BUILT_IN)
CHOICE = read_source("https://civitai.com/api/download/models/12?fp=fp16", BUILT_IN)
FILES = {"files": [{"name": "b"}, {"name": "a.gguf", "primary": True, "hashes": {"SHA256": "AB"}}]}


@pytest.mark.parametrize(
    ("source", "answer", "facts"),
    [
        (REPOSITORY, {"cardData": {"license": "mit"}}, HostFacts(licence="mit")),
        (
            REPOSITORY,
            {"cardData": {"license": "other", "license_name": "flux-1"}},
            HostFacts(licence="flux-1"),
        ),
        (REPOSITORY, {"tags": ["x", "license:mit"]}, HostFacts(licence="mit")),
        (REPOSITORY, {"cardData": "?"}, HostFacts()),
        (REPOSITORY, [], HostFacts()),
        (VERSION, FILES, HostFacts(sha256="ab", name="a.gguf")),
        (VERSION, {"files": [1]}, HostFacts()),
        (CHOICE, FILES, HostFacts()),
    ],
)
def test_what_a_host_tells_of_a_file(source, answer, facts):
    assert read_facts(source, json.dumps(answer).encode()) == facts
    assert read_facts(source, b"<html>") == HostFacts()
