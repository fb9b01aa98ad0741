"""Addresses that a download may connect to, checked where the connection is made."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver, ResolveResult

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_CARRIER = ipaddress.ip_network("100.64.0.0/10")
_WRAPS_LAST_32 = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "::/96", "::ffff:0:0:0/96")))
_LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")


def is_public(text: str) -> bool:
    """Return whether an IP address is public, also within an IPv6 form that wraps an IPv4 address."""
    address = _unwrapped(ipaddress.ip_address(text.split("%")[0]))
    return (
        address is not None
        and address.is_global
        and not address.is_multicast
        and not (address in _CARRIER if address.version == 4 else address.is_site_local)
    )


def is_private(text: str) -> bool:
    """Return whether an IP address belongs to a local network, as a host named by the user may; never this machine."""
    address = _unwrapped(ipaddress.ip_address(text.split("%")[0]))
    if address is None or address.is_loopback or address.is_link_local or address.is_multicast:
        return False
    return not address.is_unspecified and not address.is_reserved and address.is_private


def is_loopback(text: str) -> bool:
    """Return whether an IP address is this machine's own."""
    address = ipaddress.ip_address(text.split("%")[0])
    # Python 3.13 and newer count IPv4-mapped IPv6 addresses as well.
    return address.is_loopback and (address.version == 4 or address.ipv4_mapped is None)


def _unwrapped(address: Address) -> Address | None:
    """Return the IPv4 address within an IPv6 one; None for forms whose target network cannot be judged."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    inner = address.ipv4_mapped or address.sixtofour
    if inner is not None:
        return inner
    if address.is_loopback or address.is_unspecified:
        return address
    if any(address in network for network in _WRAPS_LAST_32):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None if address.teredo is not None or address in _LOCAL_NAT64 else address


class AddressRefused(OSError):
    """The error that a name leads only to addresses that a download may not connect to."""


def guarded_resolver(allows: Callable[[str, str], bool]) -> AbstractResolver:
    """Return a resolver that resolves a name once and keeps the addresses for which `allows(name, address)` holds.

    The connection is made to just these addresses, so a name cannot change between check and use (DNS rebinding).
    Resolving raises AddressRefused where no address is left.
    """
    from aiohttp.abc import AbstractResolver
    from aiohttp.resolver import ThreadedResolver

    class GuardedResolver(AbstractResolver):
        def __init__(self) -> None:
            self._inner = ThreadedResolver()

        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
        ) -> list[ResolveResult]:
            found = await self._inner.resolve(host, port, family)
            allowed = [one for one in found if allows(host, one["host"])]
            if not allowed:
                raise AddressRefused(f"{host} is no public address")
            return allowed

        async def close(self) -> None:
            await self._inner.close()

    return GuardedResolver()
