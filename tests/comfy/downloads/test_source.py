from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.errors import DownloadError
from comfyui_assistant.engine.comfy.downloads.hosts import BUILT_IN, read_host
from comfyui_assistant.engine.comfy.downloads.source import read_source

HOSTS = (*BUILT_IN, read_host("example.org"))


@pytest.mark.parametrize(
    ("url", "asked", "name"),
    [
        (
            "https://huggingface.co/org/repo/blob/main/vae/ae%20x.safetensors?download=true",
            "https://huggingface.co/org/repo/resolve/main/vae/ae%20x.safetensors",
            "ae x.safetensors",
        ),
        (
            "https://civitai.com/api/download/models/12?type=Model&format=SafeTensor&token=SECRET",
            "https://civitai.com/api/download/models/12?type=Model&format=SafeTensor",
            "",
        ),
        ("https://example.org/a.gguf?key=1#x", "https://example.org/a.gguf?key=1", "a.gguf"),
    ],
)
def test_an_address_is_cut_down_to_what_the_file_needs(url, asked, name):
    source = read_source(url, HOSTS)

    assert (source.url, source.name) == (asked, name)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://evil.example/a.safetensors", "host_not_listed"),
        ("http://huggingface.co/org/repo/resolve/main/a.safetensors", "host_not_listed"),
        ("https://huggingface.co@evil.example/org/repo/resolve/main/a", "host_not_listed"),
        ("https://huggingface.co:8443/org/repo/resolve/main/a", "host_not_listed"),
        ("https://huggingface.co/api/whoami", "invalid_request"),
        ("https://huggingface.co/org/repo/resolve/main/../../../api/x", "invalid_request"),
        ("https://huggingface.co/org/repo/resolve/main/%2e%2e/x", "invalid_request"),
        ("https://civitai.com/models/12", "invalid_request"),
        ("https://example.org\\@evil.example/a", "invalid_request"),
        ("https://example.org/a\n.gguf", "invalid_request"),
        ("https://example.org/" + "a" * 2_000, "invalid_request"),
        ("", "host_not_listed"),
    ],
)
def test_others_are_refused(url, code):
    with pytest.raises(DownloadError) as refused:
        read_source(url, HOSTS)

    assert refused.value.code == code
