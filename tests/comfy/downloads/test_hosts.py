from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.downloads.hosts import BUILT_IN, host_of, origin_of, read_host, read_hosts

HUGGINGFACE, CIVITAI = BUILT_IN


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Example.org:443/a", "https://example.org"),
        ("http://192.168.1.5:8000/a", "http://192.168.1.5:8000"),
        ("http://[fe80::1]/a", "http://[fe80::1]"),
        ("https://user@example.org/a", None),
        ("https://example.org@evil.example/a", None),
        ("file:///etc/passwd", None),
        ("https://", None),
        ("https://exa mple.org", None),
        ("https://example.org:99999/", None),
        ("https://ex①mple.org/", None),
        ("//example.org/a", None),
    ],
)
def test_the_origin_of_an_address(url, origin):
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    ("host", "url", "is_allowed"),
    [
        (HUGGINGFACE, "https://huggingface.co/x", True),
        (HUGGINGFACE, "https://cdn-lfs-us-1.hf.co/x?sig=1", True),
        (HUGGINGFACE, "https://cas-bridge.xethub.hf.co/x", True),
        (HUGGINGFACE, "http://cdn-lfs.hf.co/x", False),
        (HUGGINGFACE, "https://cdn-lfs.hf.co:8188/x", False),
        (HUGGINGFACE, "https://evilhf.co/x", False),
        (HUGGINGFACE, "https://hf.co.evil.example/x", False),
        (HUGGINGFACE, "https://civitai.com/x", False),
        (CIVITAI, f"https://civitai-delivery-worker-prod.{'a' * 32}.r2.cloudflarestorage.com/x", True),
        (CIVITAI, f"https://other.{'a' * 32}.r2.cloudflarestorage.com/x", False),
        (read_host("example.org"), "https://example.org/y", True),
        (read_host("example.org"), "https://www.example.org/y", False),
        (read_host("example.org+cdn.example.net"), "https://cdn.example.net/y", True),
        (read_host("example.org+cdn.example.net"), "https://cdnxexample.net/y", False),
    ],
)
def test_where_a_host_may_redirect_to(host, url, is_allowed):
    assert host.may_redirect_to(url) is is_allowed


def test_a_person_lists_hosts_by_name_or_by_origin():
    assert [host.origin for host in read_hosts("Example.org, http://192.168.1.5:8000,")] == [
        "https://example.org",
        "http://192.168.1.5:8000",
    ]
    assert all(host.is_listed_by_person for host in read_hosts("example.org"))


@pytest.mark.parametrize(
    "text", ["", "example.org/models", "ftp://example.org", "a b", "x@example.org", "example.org+*"]
)
def test_what_is_no_host_is_refused(text):
    with pytest.raises(ValueError, match="a host such as"):
        read_host(text)


def test_an_address_belongs_to_a_host_by_its_whole_origin():
    assert host_of("https://huggingface.co/x", BUILT_IN) is HUGGINGFACE
    assert host_of("http://huggingface.co/x", BUILT_IN) is None
    assert host_of("https://huggingface.co.evil.example/x", BUILT_IN) is None
