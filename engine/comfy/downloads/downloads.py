"""Downloads that the user allowed: one at a time, resumed where they broke, complete or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from ...base.errors import AssistantError, DownloadError
from ...base.network.outgoing import Outgoing
from ...base.text.amounts import size_words
from .contents import FIRST_BYTES, fault_of_beginning, fault_of_whole
from .exchange import Exchange, body_offset, host_unreachable
from .offers import Offer, Offers, Trust
from .part_file import PartFile, check_room, disk_full

logger = logging.getLogger(__name__)

State = Literal["waiting", "running", "checking", "done", "failed", "stopped"]
Result = TypeVar("Result")

_PIECE = 1024 * 1024
_MOST_OF_UNKNOWN_SIZE = 20_000_000_000
_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
_MOST_KEPT = 50
_OVER = ("done", "failed", "stopped")


@dataclass
class Download:
    id: str
    offer: Offer
    state: State = "waiting"
    received: int = 0
    error: AssistantError | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)
    is_unwanted: bool = False

    @property
    def is_over(self) -> bool:
        return self.state in _OVER

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "file": self.offer.target.name,
            "folder": self.offer.folder,
            "host": self.offer.source.host.name,
            "state": self.state,
            "received": self.received,
            "size": self.offer.remote.size,
            **({"error": self.error.as_json()} if self.error else {}),
        }


class Downloads:
    """The downloads of this process. `pauses` are the seconds between tries; progress starts them over."""

    def __init__(
        self,
        offers: Offers,
        trust: Trust,
        *,
        part_file: Callable[..., PartFile] = PartFile,
        pauses: Sequence[float] = _PAUSES,
        most_of_unknown_size: int = _MOST_OF_UNKNOWN_SIZE,
    ) -> None:
        self.offers = offers
        self._trust = trust
        self._part_file = part_file
        self._pauses = pauses
        self._most_of_unknown_size = most_of_unknown_size
        self._downloads: dict[str, Download] = {}
        self._one_at_a_time = asyncio.Lock()

    def all(self) -> list[Download]:
        return list(self._downloads.values())

    def begin(self, offer_id: str, *, allows_pickle: bool) -> Download:
        """Start the download of an offer, or return the running one of the same file.

        Raises:
            DownloadError: the offer is unknown, used, or of a pickle without `allows_pickle`, or another file of that
                name is being downloaded.
        """
        offer = self.offers.take(offer_id, allows_pickle=allows_pickle)
        same = next((one for one in self.all() if not one.is_over and one.offer.target == offer.target), None)
        if same is not None and same.offer.is_same_file(offer):
            return same
        if same is not None:
            raise DownloadError(
                "already_there",
                f"{offer.target.name} is being fetched from {same.offer.source.host.name}, and that is another file.",
                hint="Wait until it is here, or stop it, and ask for the file again.",
                status=409,
            )
        download = Download(secrets.token_urlsafe(9), offer)
        over = [one.id for one in self.all() if one.is_over]
        for old in over[: max(0, len(self._downloads) - _MOST_KEPT)]:
            del self._downloads[old]
        self._downloads[download.id] = download
        download.task = asyncio.create_task(self._carry_out(download), name=f"download {offer.target.name}")
        return download

    def find(self, download_id: str) -> Download:
        """Return a download by its id.

        Raises:
            DownloadError: `not_found`.
        """
        if download := self._downloads.get(download_id):
            return download
        raise DownloadError(
            "not_found",
            "There is no such download.",
            hint="It is over, or ComfyUI was restarted.",
            status=404,
        )

    async def stop(self, download_id: str) -> Download:
        """Stop a download; on return it has ended, with nothing of it left on the disk."""
        download = self.find(download_id)
        if download.task is not None and not download.is_over:
            download.is_unwanted = True
            download.task.cancel()
            await asyncio.wait({download.task})
        if not download.is_over:
            download.state = "stopped"
        return download

    async def close(self) -> None:
        """Cancel all downloads with the server; received parts are kept for the next time."""
        tasks = [one.task for one in self.all() if one.task is not None and not one.task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _carry_out(self, download: Download) -> None:
        part = self._part_file(download.offer.target, download.offer.identity)
        try:
            async with self._one_at_a_time:
                await self._fetch(download, part)
            download.state = "done"
            logger.info("%s was downloaded from %s", part.target, download.offer.source.host.name)
        except asyncio.CancelledError:
            download.state = "stopped"
            part.close()
            if download.is_unwanted:
                part.remove()
            raise
        except AssistantError as error:
            part.close()
            if not error.retryable:
                part.remove()
            download.error = error
            download.state = "failed"
        except Exception:
            logger.exception("the download of %s failed", part.target.name)
            part.remove()
            download.error = DownloadError(
                "internal_error",
                "The download failed inside ComfyUI Assistant.",
                hint="ComfyUI's log says more.",
            )
            download.state = "failed"

    async def _fetch(self, download: Download, part: PartFile) -> None:
        import aiohttp

        offer = download.offer
        download.state = "running"
        size = offer.remote.size
        await _on_disk(part.open)
        if part.received and not offer.remote.resumes:
            await _on_disk(part.restart)
        download.received = part.received
        await asyncio.to_thread(check_room, part.target.parent, max(0, (size or 0) - part.received))
        exchange = await self._trust.exchange(offer.source.host)
        tries = 0
        while size is None or part.received < size or size == 0:
            before = part.received
            try:
                async with exchange.session() as session:
                    await self._take_in(download, part, exchange, session)
                if size is None or part.received == size:
                    break
                raise aiohttp.ClientPayloadError("it ended early")
            except (aiohttp.ClientError, asyncio.TimeoutError, OSError) as error:
                if part.received and not offer.remote.resumes:
                    await _on_disk(part.restart)
                tries = 0 if part.received > before else tries + 1
                failure = host_unreachable(offer.source.host, error)
                if tries >= len(self._pauses) or not failure.retryable:
                    raise failure from error
                logger.info(
                    "the download of %s broke (%s) and goes on", part.target.name, type(error).__name__
                )
                await asyncio.sleep(self._pauses[tries])
        download.state = "checking"
        await self._check(offer, part)
        await _on_disk(part.finish)

    async def _take_in(
        self, download: Download, part: PartFile, exchange: Exchange, session: Outgoing
    ) -> None:
        import aiohttp

        offer = download.offer
        name, size = part.target.name, offer.remote.size
        headers = {"Range": f"bytes={part.received}-", "If-Range": offer.remote.tag} if part.received else {}
        async with exchange.get(session, offer.source.url, headers) as (response, remote):
            if remote.size != size or remote.tag != offer.remote.tag:
                raise _other_file(offer)
            if (begin := body_offset(response)) != part.received:
                if begin != 0:
                    raise _other_file(offer)
                await _on_disk(part.restart)
            waiting = bytearray()

            async def write() -> None:
                piece = bytes(waiting)
                waiting.clear()
                if part.received < FIRST_BYTES and (fault := fault_of_beginning(name, piece, size)):
                    raise _no_model(name, fault)
                if size is None:
                    if part.received + len(piece) > self._most_of_unknown_size:
                        raise _too_large(offer, self._most_of_unknown_size)
                    await asyncio.to_thread(check_room, part.target.parent, 0)
                await _on_disk(part.write, piece)
                download.received = part.received

            try:
                async for piece in response.content.iter_chunked(_PIECE):
                    waiting += piece
                    if size is not None and part.received + len(waiting) > size:
                        raise _other_file(offer)
                    if len(waiting) >= _PIECE:
                        await write()
            except (aiohttp.ClientError, asyncio.TimeoutError):
                # Bytes before a break are kept, unless they are too few to check.
                if len(waiting) >= FIRST_BYTES or (waiting and part.received):
                    await write()
                raise
            if waiting:
                await write()

    async def _check(self, offer: Offer, part: PartFile) -> None:
        if offer.sha256 and part.sha256() != offer.sha256:
            raise DownloadError(
                "wrong_file",
                f"{part.target.name} came with another hash than it should have.",
                hint="Nothing was kept of it. Try again, or find another source.",
            )
        if fault := await asyncio.to_thread(fault_of_whole, part.target.name, part.path):
            raise _no_model(part.target.name, fault)


async def _on_disk(work: Callable[..., Result], *arguments: Any) -> Result:
    """Run `work` in a worker thread; it has ended in any case on return, since the file is closed or removed
    afterwards.

    Raises:
        DownloadError: `disk_full` or `not_saved`.
    """
    task = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        with contextlib.suppress(Exception):
            task.result()
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise disk_full("it filled up") from error
        raise DownloadError(
            "not_saved",
            f"The file cannot be written: {error.strerror or error}.",
            hint="Check that ComfyUI's model folder is writable.",
            status=500,
        ) from error


def _other_file(offer: Offer) -> DownloadError:
    return DownloadError(
        "wrong_file",
        f"{offer.source.host.name} sends another file than it told of before, or of another size.",
        hint="Nothing was kept of it. Ask for the file again.",
    )


def _too_large(offer: Offer, most: int) -> DownloadError:
    return DownloadError(
        "too_large",
        f"{offer.source.host.name} did not tell how large {offer.target.name} is, "
        f"and sent more than {size_words(most)}.",
        hint="Nothing was kept of it. Find a source that tells the size, or fetch the file by hand.",
        status=413,
    )


def _no_model(name: str, fault: str) -> DownloadError:
    return DownloadError(
        "wrong_file", f"{name} was not kept: {fault}.", hint="Do not use this source.", status=422
    )
