"""Routes for the packages whose nodes the assistant may run without asking."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ..base.errors import RequestError
from ..base.request_body import Body, ListOf
from ..store.saved_settings import SavedSettings
from ..store.settings_file import SettingsStore
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web

PATH = "/assistant/trusted-packages"
_LONGEST = 200
_MOST = 2_000


class TrustBody(Body):
    packages: ListOf[Annotated[str, Field(min_length=1, max_length=_LONGEST)]] = Field(
        description="folders in `custom_nodes`, as `GET` lists them"
    )
    trusted: bool = Field(True, description="false removes them from the list")


class TrustedPackageHandlers:
    """Packages have ComfyUI's names, their folders in `custom_nodes`. Each user has a list of their own."""

    def __init__(self, saved_settings: SettingsStore) -> None:
        self._saved_settings = saved_settings

    def routes(self) -> list[Route]:
        return [Route("GET", PATH, self.list), body_route("PUT", PATH, TrustBody, self.change)]

    async def list(self, _: web.Request) -> web.Response:
        return reply({"packages": sorted((await self._saved_settings.load()).trusted_packages)})

    async def change(self, request: web.Request, body: TrustBody) -> web.Response:
        """Add packages to the list, or remove them."""

        def apply(settings: SavedSettings) -> SavedSettings:
            others = tuple(each for each in settings.trusted_packages if each not in body.packages)
            trusted = (*others, *dict.fromkeys(body.packages)) if body.trusted else others
            if len(trusted) > _MOST:
                raise RequestError(
                    "too_large", f"{_MOST:,} packages are trusted already.", hint="Take some away first."
                )
            return replace(settings, trusted_packages=trusted)

        await self._saved_settings.change(apply)
        return await self.list(request)
