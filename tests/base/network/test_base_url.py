from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.network.base_url import (
    is_local,
    is_on_network,
    normal_base_url,
    without_secrets,
)


@pytest.mark.parametrize(
    "text", ["http://h/v1", " http://h/v1/ ", "http://h/v1/chat/completions", "http://h/v1/chat/completions/"]
)
def test_one_server_has_one_address_however_it_was_pasted(text: str) -> None:
    assert normal_base_url(text) == "http://h/v1"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        ("192.168.1.30:1234", "http://192.168.1.30:1234"),
        ("localhost:8080/v1/chat/completions", "http://localhost:8080/v1"),
        ("LOCALHOST", "http://localhost"),
    ],
)
def test_an_address_nearby_needs_no_scheme(text: str, address: str) -> None:
    assert normal_base_url(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "ftp://h",
        "http://",
        "http://h:99999",
        "http://u:p@h/v1",
        "http://h/v1?k=1",
        "http://h/#k",
    ],
)
def test_what_is_no_address_or_may_carry_a_secret_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="an address such as"):
        normal_base_url(text)


@pytest.mark.parametrize(
    "text",
    [
        "h:11434",
        "openrouter.ai/api/v1",
        "http:127.0.0.1:11434",
        "sk-key",
        "eyJh.eyJz.c2ln",
        "localhost.evil.com/v1",
        "127.0.0.1@h",
        "localhost:key",
    ],
)
def test_what_is_taken_for_no_address_as_it_has_no_scheme_is_told_so(text: str) -> None:
    with pytest.raises(ValueError, match=r"^one that begins with http:// or https://"):
        normal_base_url(text)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("http://LocalHost:11434/V1", "http://localhost:11434/V1"),
        ("http://my_server:8080/v1", "http://my_server:8080/v1"),
        ("http://münchen.de/v1", "http://xn--mnchen-3ya.de/v1"),
        ("http://[0:0:0:0:0:0:0:1]:8080/v1", "http://[::1]:8080/v1"),
        ("http://192.168.1.30/v1", "http://192.168.1.30/v1"),
        ("https://host.docker.internal./v1", "https://host.docker.internal./v1"),
    ],
)
def test_a_host_is_kept_as_every_program_reads_it(text: str, address: str) -> None:
    assert normal_base_url(text) == address


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://192.168.1.300:1234/v1", "four numbers from 0 to 255"),
        ("http://010.0.0.5/v1", "without leading zeros"),
        ("http://0177.0.0.1/v1", "without leading zeros"),
        ("http://127.1/v1", "four numbers"),
        ("http://2130706433/v1", "four numbers"),
        ("http://0x7f.1/v1", "four numbers"),
        ("http://0x7f000001/v1", "four numbers"),
        ("http://①②⑦.0.0.1/v1", "plain digits"),
        ("http://[v1.x]/v1", "IPv6|address such as"),
        ("http://[fe80::1%25eth0]/v1", "IPv6"),
        ("http://[::g]/v1", "IPv6|address such as"),
        ("http://münchen_1.local/v1", "Domain Name System"),
        ("http://a..b/v1", "a host name"),
        ("http://-a.de/v1", "a host name"),
        ("http://a%20b/v1", "a host name"),
        ("http://" + "a" * 64 + ".de/v1", "a host name"),
        ("http://" + "a." * 130 + "de/v1", "a host name"),
        ("http://ho st/v1", "an address such as"),
        ("http://ho\r\nst/v1", "an address such as"),
        ("http://host\\@evil/v1", "an address such as"),
    ],
)
def test_a_host_that_cannot_be_dialled_or_reads_otherwise_elsewhere_is_refused(
    text: str, expected: str
) -> None:
    with pytest.raises(ValueError, match=expected):
        normal_base_url(text)


def test_what_is_shown_of_an_address_has_no_secret() -> None:
    assert without_secrets("http://me:canary@h/v1?key=canary") == "http://…@h/v1…"


@pytest.mark.parametrize(
    ("base_url", "expected"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:1/v1", True),
        ("http://[::1]:1/v1", True),
        ("https://api.example/v1", False),
        ("http://10.0.0.2/v1", False),
        ("http://127.8.9.10/v1", True),
        ("http://127.0.0.1.example.com/v1", False),
        ("http://127.example/v1", False),
    ],
)
def test_a_local_endpoint_is_told_by_its_address(base_url: str, expected: bool) -> None:
    assert is_local(base_url) is expected


@pytest.mark.parametrize(
    ("base_url", "expected"),
    [
        ("http://192.168.1.30:11434/v1", True),
        ("http://100.101.2.3:11434/v1", True),
        ("http://[fd12::1]:8080/v1", True),
        ("http://workstation.local:1234/v1", True),
        ("http://ollama:11434/v1", True),
        ("http://127.0.0.1:11434/v1", False),
        ("https://api.example.com/v1", False),
        ("https://8.8.8.8/v1", False),
    ],
)
def test_a_server_in_the_network_around_is_told_by_its_address(base_url: str, expected: bool) -> None:
    assert is_on_network(base_url) is expected
