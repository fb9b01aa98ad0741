"""Offers of downloads, which the user accepts; only what was offered can be downloaded."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Protocol

from ...base.errors import DownloadError
from ...base.event_loop.timeout import timeout
from ...base.network.outgoing import Outgoing
from ...base.secret import Secret
from .exchange import Exchange, RemoteFile, host_unreachable, read_small
from .file_names import check_name, is_pickle
from .host_facts import HostFacts, read_facts
from .hosts import DownloadHost
from .part_file import PartFile, already_there, check_room
from .source import Source, read_source

_LASTS_SECONDS = 1_800
# A card names up to sixty files, each with the variants that templates know.
_MOST_KEPT = 500
_FACTS_SECONDS, _FACTS_BYTES = 8.0, 2_000_000
_SHA256 = re.compile(r"[0-9a-f]{64}")


class ModelFolders(Protocol):
    """Blocking calls for worker threads."""

    def model_folders(self) -> Sequence[str]: ...

    def model_places(self, folder: str) -> Sequence[Path]:
        """Return the directories that ComfyUI reads for a folder; new files are put into the first."""
        ...


@dataclass(frozen=True)
class Trust:
    """The hosts that files may come from, and their tokens. `allows_loopback` is for tests, on this machine."""

    hosts: Callable[[], Awaitable[Sequence[DownloadHost]]]
    token: Callable[[str], Awaitable[Secret]]
    allows_loopback: bool = False

    async def exchange(self, host: DownloadHost) -> Exchange:
        return Exchange(host, await self.token(host.origin), allows_loopback=self.allows_loopback)


@dataclass(frozen=True)
class Offer:
    id: str
    source: Source
    folder: str
    target: Path
    remote: RemoteFile
    licence: str
    sha256: str
    free_bytes: int
    offered_at: float

    @property
    def is_pickle(self) -> bool:
        return is_pickle(self.target.name)

    @property
    def identity(self) -> str:
        return _identity(self.source, self.remote)

    def is_same_file(self, other: Offer) -> bool:
        return (self.identity, self.sha256) == (other.identity, other.sha256)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "file": self.target.name,
            "folder": self.folder,
            "host": self.source.host.name,
            "url": self.source.url,
            "size": self.remote.size,
            "licence": self.licence,
            "isChecked": bool(self.sha256),
            "isPickle": self.is_pickle,
            "free": self.free_bytes,
        }


class Offers:
    def __init__(
        self, folders: ModelFolders, trust: Trust, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._folders = folders
        self._trust = trust
        self._clock = clock
        self._offers: dict[str, Offer] = {}

    async def make(self, url: str, folder: str, *, name: str = "", sha256: str = "") -> Offer:
        """Ask the host for size and kind, with a request for a single byte of the file, and offer the download.

        Raises:
            DownloadError: the reason why it cannot be downloaded.
        """
        if sha256 and not _SHA256.fullmatch(sha256.lower()):
            raise DownloadError(
                "invalid_request", "The hash is no SHA-256.", hint="Leave it out.", status=400
            )
        source = read_source(url, await self._trust.hosts())
        remote, facts = await self._ask(source)
        target = await asyncio.to_thread(self._target, folder, check_name(name or source.name or facts.name))
        hashes = {one for one in (sha256.lower(), remote.sha256, facts.sha256) if one}
        if len(hashes) > 1:
            raise DownloadError(
                "wrong_file",
                f"{source.host.name} has another file there than the workflow means: their hashes differ.",
                hint="Nothing was fetched. Find another source.",
                status=409,
            )
        part = PartFile(target, _identity(source, remote))
        free = await asyncio.to_thread(_room_for, part, remote)
        offer = Offer(
            secrets.token_urlsafe(12),
            source,
            folder,
            target,
            remote,
            facts.licence,
            next(iter(hashes), ""),
            free,
            self._clock(),
        )
        self._forget_old()
        self._offers[offer.id] = offer
        return offer

    def take(self, offer_id: str, *, allows_pickle: bool) -> Offer:
        """Return an offer that the user accepted, and forget it.

        Raises:
            DownloadError: `not_found` or `pickle_not_allowed`.
        """
        self._forget_old()
        offer = self._offers.get(offer_id)
        if offer is None:
            raise DownloadError(
                "not_found",
                "There is no such offer any more.",
                hint="Ask for the file again.",
                status=404,
            )
        if offer.is_pickle and not allows_pickle:
            raise DownloadError(
                "pickle_not_allowed",
                f"{offer.target.name} is a pickle, which can run code when it is loaded.",
                hint="It takes a yes of its own.",
                status=409,
            )
        return self._offers.pop(offer_id)

    def _forget_old(self) -> None:
        now = self._clock()
        fresh = [one for one in self._offers.values() if now - one.offered_at < _LASTS_SECONDS]
        self._offers = {one.id: one for one in fresh[-_MOST_KEPT:]}

    def _target(self, folder: str, name: str) -> Path:
        folders = self._folders.model_folders()
        places = self._folders.model_places(folder) if folder in folders else ()
        if not places:
            alike = get_close_matches(folder[:80].casefold(), folders, n=3, cutoff=0.6)
            named = "Alike are" if alike else "There are"
            raise DownloadError(
                "not_found",
                f'ComfyUI has no model folder "{folder[:80]}".',
                hint=f"{named} {', '.join(alike or sorted(folders))}. A node package may bring others.",
                status=404,
            )
        for place in places:
            if (place / name).exists():
                raise already_there(place / name)
        return places[0] / name

    async def _ask(self, source: Source) -> tuple[RemoteFile, HostFacts]:
        import aiohttp

        exchange = await self._trust.exchange(source.host)
        async with exchange.session() as session:
            try:
                async with exchange.get(session, source.url, {"Range": "bytes=0-0"}) as (_, remote):
                    pass
            except (aiohttp.ClientError, OSError, asyncio.TimeoutError) as error:
                raise host_unreachable(source.host, error) from error
            if not source.facts_url:
                return remote, HostFacts()
            try:
                body = await timeout(_FACTS_SECONDS, self._facts(exchange, session, source.facts_url))
            except (aiohttp.ClientError, OSError, asyncio.TimeoutError, DownloadError):
                return remote, HostFacts()
            return remote, read_facts(source, body)

    @staticmethod
    async def _facts(exchange: Exchange, session: Outgoing, url: str) -> bytes:
        async with exchange.get(session, url, {}) as (response, _):
            return await read_small(response, _FACTS_BYTES)


def _identity(source: Source, remote: RemoteFile) -> str:
    return f"{source.url} {remote.tag} {remote.size}"


def _room_for(part: PartFile, remote: RemoteFile) -> int:
    """Return the free bytes on the disk, where the rest of the file fits.

    Raises:
        DownloadError: `disk_full`.
    """
    kept = part.size_on_disk() if remote.resumes else 0
    return check_room(part.target.parent, max(0, (remote.size or 0) - kept))
