"""Routes for model files: what a download would be, the download itself, and the hosts that files may come from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import RequestError, SettingsError
from ..models.downloads import Downloads
from ..models.host_list import HostList
from ..models.hosts import read_host
from ..models.offers import offered
from ..secret import usable_key
from ..store.saved_settings import KeptSettings, SavedSettings
from .access import Access
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

_MAX_BYTES = 65_536


class ModelHandlers:
    """Only what was offered can be fetched: a yes is to the very file, host, size and folder that were shown."""

    def __init__(
        self, downloads: Downloads, hosts: HostList, saved_settings: KeptSettings, access: Access
    ) -> None:
        self._downloads = downloads
        self._hosts = hosts
        self._saved_settings = saved_settings
        self._access = access

    def routes(self) -> list[Route]:
        return [
            Route("POST", "/assistant/models/offers", self.offer),
            Route("GET", "/assistant/models/downloads", self.all),
            Route("POST", "/assistant/models/downloads", self.begin),
            Route("GET", "/assistant/models/downloads/{download}", self.read),
            Route("DELETE", "/assistant/models/downloads/{download}", self.stop),
            Route("GET", "/assistant/models/hosts", self.hosts),
            Route("PUT", "/assistant/models/hosts", self.change_hosts),
        ]

    async def offer(self, request: web.Request) -> web.Response:
        self._access.check_trusted(request, "Model files are fetched")
        arguments = offered(await read_json(request, max_bytes=_MAX_BYTES))
        url, folder = arguments.pop("url"), arguments.pop("folder")
        return reply((await self._downloads.offers.make(url, folder, **arguments)).as_json())

    async def all(self, _: web.Request) -> web.Response:
        return reply({"downloads": [download.as_json() for download in self._downloads.all()]})

    async def begin(self, request: web.Request) -> web.Response:
        self._access.check_trusted(request, "Model files are fetched")
        body = await read_json(request, max_bytes=_MAX_BYTES)
        allows_pickle = body.get("allowPickle") is True
        download = self._downloads.begin(str(body.get("offer") or ""), allows_pickle=allows_pickle)
        return reply(download.as_json(), status=202)

    async def read(self, request: web.Request) -> web.Response:
        return reply(self._downloads.find(request.match_info["download"]).as_json())

    async def stop(self, request: web.Request) -> web.Response:
        return reply((await self._downloads.stop(request.match_info["download"])).as_json())

    async def hosts(self, _: web.Request) -> web.Response:
        return reply({"hosts": await self._hosts.as_json()})

    async def change_hosts(self, request: web.Request) -> web.Response:
        """`{host, token?}` adds a host or sets its token, `{host, listed: false}` takes it off the list."""
        self._access.check_trusted(request, "The hosts of model files are changed")
        body = await read_json(request, max_bytes=_MAX_BYTES)
        text = str(body.get("host") or "").strip()
        try:
            host = read_host(text)
            token = usable_key(str(body["token"]).strip()) if body.get("token") is not None else None
        except ValueError as error:
            raise RequestError(
                "invalid_request", f"Expected {error}.", hint="Correct it and save again."
            ) from None
        known = {one["origin"]: one["source"] for one in await self._hosts.as_json()}
        source = known.get(host.origin)
        is_listed = body.get("listed") is not False
        if not is_listed and source in ("built-in", "environment"):
            raise SettingsError(
                "setting_locked",
                f"{host.name} is listed by {'the extension' if source == 'built-in' else 'the environment'}.",
                hint="Without a yes of yours nothing is fetched from it.",
                status=409,
            )

        def apply(settings: SavedSettings) -> SavedSettings:
            others = tuple(one for one in settings.download_hosts if _origin(one) != host.origin)
            if not is_listed:
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
