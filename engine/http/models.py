"""Routes for model files: offers, downloads, and the hosts that files may come from."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import Field

from ..base.errors import RequestError, SettingsError
from ..base.request_body import Body
from ..base.secret import usable_key
from ..base.validation import NOT_QUOTED
from ..comfy.downloads.downloads import Downloads
from ..comfy.downloads.host_list import HostList
from ..comfy.downloads.hosts import read_host
from ..store.saved_settings import SavedSettings
from ..store.settings_file import SettingsStore
from .access import Access
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web

_MAX_BYTES = 65_536


class OfferBody(Body):
    url: str = Field(description="the address of the file")
    folder: str = Field(description="a model folder of ComfyUI")
    name: str | None = Field(None, description="a file name, by default that of the address")
    sha256: str | None = Field(None, description="the expected hash")


class DownloadBody(Body):
    offer: str = Field(description="the id of an offer")
    allow_pickle: bool = Field(False, description="consent to a file that may contain code")


class HostBody(Body):
    host: str = Field(
        description="a host such as `models.example.org`, optionally with `+` and its redirect target"
    )
    token: str | None = Field(
        None,
        json_schema_extra=NOT_QUOTED,
        description="the token, which is sent only to this host and never returned",
    )
    listed: bool = Field(True, description="false removes the host and its token")


class ModelHandlers:
    """Only offers can be downloaded, so that a yes applies to the file, host, size and folder that were shown."""

    def __init__(
        self, downloads: Downloads, hosts: HostList, saved_settings: SettingsStore, access: Access
    ) -> None:
        self._downloads = downloads
        self._hosts = hosts
        self._saved_settings = saved_settings
        self._access = access

    def routes(self) -> list[Route]:
        restrict = partial(self._access.restrict_to_trusted, "Model files are fetched")
        return [
            restrict(
                body_route("POST", "/assistant/models/offers", OfferBody, self.offer, max_bytes=_MAX_BYTES)
            ),
            Route("GET", "/assistant/models/downloads", self.all),
            restrict(
                body_route(
                    "POST", "/assistant/models/downloads", DownloadBody, self.begin, max_bytes=_MAX_BYTES
                )
            ),
            Route("GET", "/assistant/models/downloads/{download}", self.read),
            Route("DELETE", "/assistant/models/downloads/{download}", self.stop),
            Route("GET", "/assistant/models/hosts", self.hosts),
            self._access.restrict_to_trusted(
                "The hosts of model files are changed",
                body_route(
                    "PUT", "/assistant/models/hosts", HostBody, self.change_hosts, max_bytes=_MAX_BYTES
                ),
            ),
        ]

    async def offer(self, _: web.Request, body: OfferBody) -> web.Response:
        offer = await self._downloads.offers.make(
            body.url, body.folder, name=body.name or "", sha256=body.sha256 or ""
        )
        return reply(offer.as_json())

    async def all(self, _: web.Request) -> web.Response:
        return reply({"downloads": [download.as_json() for download in self._downloads.all()]})

    async def begin(self, _: web.Request, body: DownloadBody) -> web.Response:
        download = self._downloads.begin(body.offer, allows_pickle=body.allow_pickle)
        return reply(download.as_json(), status=202)

    async def read(self, request: web.Request) -> web.Response:
        return reply(self._downloads.find(request.match_info["download"]).as_json())

    async def stop(self, request: web.Request) -> web.Response:
        return reply((await self._downloads.stop(request.match_info["download"])).as_json())

    async def hosts(self, _: web.Request) -> web.Response:
        return reply({"hosts": await self._hosts.as_json()})

    async def change_hosts(self, request: web.Request, body: HostBody) -> web.Response:
        """Add a host, set its token, or remove it."""
        text = body.host.strip()
        try:
            host = read_host(text)
            token = None if body.token is None else usable_key(body.token.strip())
        except ValueError as error:
            raise RequestError(
                "invalid_request", f"Expected {error}.", hint="Correct it and save again."
            ) from None
        known = {one["origin"]: one["source"] for one in await self._hosts.as_json()}
        source = known.get(host.origin)
        if not body.listed and source in ("built-in", "environment"):
            raise SettingsError(
                "setting_locked",
                f"{host.name} is listed by {'the extension' if source == 'built-in' else 'the environment'}.",
                hint="Without a yes of yours nothing is fetched from it.",
                status=409,
            )

        def apply(settings: SavedSettings) -> SavedSettings:
            others = tuple(one for one in settings.download_hosts if _origin(one) != host.origin)
            if not body.listed:
                return replace(settings, download_hosts=others).with_key(host.origin, usable_key(""))
            if source is None:
                settings = replace(settings, download_hosts=(*others, text))
            return settings if token is None else settings.with_key(host.origin, token)

        await self._saved_settings.change(apply)
        return await self.hosts(request)


def _origin(text: str) -> Any:
    try:
        return read_host(text).origin
    except ValueError:
        return None
