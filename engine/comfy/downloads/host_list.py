"""The list of hosts in effect: the built-in ones, the environment's, and the user's."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ...base.secret import Secret
from .hosts import BUILT_IN, DownloadHost, read_host
from .offers import Trust


class SavedHosts(Protocol):
    """The part of the saved settings on hosts. A key belongs to the origin that it was entered for."""

    @property
    def download_hosts(self) -> tuple[str, ...]: ...

    def key_for(self, base_url: str) -> Secret: ...


@dataclass(frozen=True)
class HostList:
    saved: Callable[[], Awaitable[SavedHosts]]
    of_environment: Sequence[DownloadHost] = ()
    allows_loopback: bool = False

    async def hosts(self) -> list[DownloadHost]:
        return [host for _, host in self._with_origin(await self.saved())]

    async def token(self, origin: str) -> Secret:
        return (await self.saved()).key_for(origin)

    def trust(self) -> Trust:
        return Trust(self.hosts, self.token, allows_loopback=self.allows_loopback)

    async def as_json(self) -> list[dict[str, Any]]:
        """Return the hosts for the settings page. A token is never sent, only whether there is one."""
        saved = await self.saved()
        return [
            {
                "origin": host.origin,
                "name": host.name,
                "source": source,
                "token": {"set": bool(token := saved.key_for(host.origin)), "last4": token.last4()},
            }
            for source, host in self._with_origin(saved)
        ]

    def _with_origin(self, saved: SavedHosts) -> list[tuple[str, DownloadHost]]:
        found = [("built-in", host) for host in BUILT_IN]
        found += [("environment", host) for host in self.of_environment]
        for text in saved.download_hosts:
            with contextlib.suppress(ValueError):
                found.append(("settings", read_host(text)))
        first: dict[str, tuple[str, DownloadHost]] = {}
        for source, host in found:
            first.setdefault(host.origin, (source, host))
        return list(first.values())
