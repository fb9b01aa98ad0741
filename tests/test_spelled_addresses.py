"""Addresses of this machine and of local networks, in over 300 spellings: entered, redirected to, and rebound."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from comfyui_assistant.engine.base.errors import DownloadError
from comfyui_assistant.engine.base.network.base_url import normal_base_url
from comfyui_assistant.engine.comfy.downloads.addresses import AddressRefused, guarded_resolver, is_public

from .comfy.downloads.stand_in_host import rig
from .spelled_addresses import IPV6_NOT_PUBLIC, NOT_PUBLIC, every_spelling, wrapped


def test_there_are_enough_of_them() -> None:
    assert len(set(every_spelling())) >= 300


@pytest.mark.slow
@pytest.mark.parametrize("host", every_spelling())
def test_entered_it_is_refused_or_kept_in_the_one_spelling_that_all_read_alike(host: str) -> None:
    """A model server may have a local address: what counts is that nobody reads another one in it."""
    try:
        kept = normal_base_url(f"http://{host}/v1")
    except ValueError:
        return
    name = urlsplit(kept).hostname or ""
    assert str(ip_address(name)) == name, "kept as a name, which a resolver may read as an address"
    assert normal_base_url(kept) == kept


def test_entered_in_plain_digits_it_is_taken() -> None:
    for address in NOT_PUBLIC:
        assert normal_base_url(f"http://{address}/v1") == f"http://{IPv4Address(address)}/v1"


async def codes_of_redirects(folder: Path, locations: Sequence[str], **host: Any) -> dict[str, str]:
    """Return the error of each address when a download host redirects to it; only that host was asked."""
    waiting = iter(locations)

    async def redirect(_: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": next(waiting)})

    codes = {}
    async with rig(folder, {"/a.safetensors": redirect}, **host) as one:
        for location in locations:
            with pytest.raises(DownloadError) as refused:
                await one.offer()
            codes[location] = refused.value.code
        assert len(one.requests) == len(locations)
    return codes


@pytest.mark.slow
async def test_redirected_there_a_download_does_not_follow(tmp_path: Path) -> None:
    locations = [f"{scheme}://{host}/b.gguf" for host in every_spelling() for scheme in ("http", "https")]
    assert set((await codes_of_redirects(tmp_path, locations)).values()) == {"address_refused"}


async def test_nor_where_its_host_may_redirect_anywhere(tmp_path: Path) -> None:
    """The rig is on this machine, whose own addresses are allowed for its sake."""
    literals = [address for address in NOT_PUBLIC if not address.startswith("127.")]
    locations = [f"https://{address}/b.gguf" for address in literals]
    codes = await codes_of_redirects(tmp_path, locations, delivery=(".*",))
    assert set(codes.values()) == {"address_refused"}


@pytest.mark.parametrize(
    "address", [*NOT_PUBLIC, *IPV6_NOT_PUBLIC, *(each for one in NOT_PUBLIC for each in wrapped(one))]
)
async def test_rebound_to_it_a_name_is_not_connected_to(address: str) -> None:
    """Addresses are checked at the connection, so a later answer of DNS changes nothing."""
    assert not is_public(address)
    resolver = guarded_resolver(lambda _, found: is_public(found))
    with pytest.raises((AddressRefused, OSError)):
        await resolver.resolve(address, 80)
    await resolver.close()
