from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.downloads.addresses import (
    AddressRefused,
    guarded_resolver,
    is_loopback,
    is_private,
    is_public,
)

PUBLIC = ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
LOCAL = ["10.0.0.1", "192.168.1.1", "172.16.0.1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1"]
NEVER = [
    *(
        "0.0.0.0",
        "100.64.0.1",
        "100.100.100.200",
        "169.254.169.254",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
    ),
    *("::", "fe80::1", "fe80::1%eth0", "ff02::1", "2002:a9fe:a9fe::1", "2001::1", "64:ff9b:1::1"),
    *("::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "192.0.2.1", "198.18.0.1"),
]
THIS_MACHINE = ["127.0.0.1", "127.0.0.2", "::1"]
DISGUISED = ["::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1"]


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_may_be_connected_to(address):
    assert (is_public(address), is_private(address)) == (True, False)


@pytest.mark.parametrize("address", LOCAL)
def test_an_address_of_the_local_network_only_where_the_person_named_its_host(address):
    assert (is_public(address), is_private(address)) == (False, True)


@pytest.mark.parametrize("address", [*NEVER, *DISGUISED])
def test_others_never(address):
    assert not is_public(address)
    assert not is_loopback(address)


@pytest.mark.parametrize(
    "address", ["169.254.169.254", "fe80::1", "0.0.0.0", "::", "::ffff:127.0.0.1", *DISGUISED]
)
def test_nor_for_a_host_that_the_person_named(address):
    assert not is_private(address)


@pytest.mark.parametrize("address", THIS_MACHINE)
def test_this_machine_is_neither(address):
    assert (is_public(address), is_private(address), is_loopback(address)) == (False, False, True)


async def test_a_name_that_leads_only_to_refused_addresses_is_not_connected_to():
    resolver = guarded_resolver(lambda _name, address: is_public(address))
    with pytest.raises(AddressRefused, match="localhost is no public address"):
        await resolver.resolve("localhost", 80)
    await resolver.close()
