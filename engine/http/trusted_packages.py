"""Routes for the packages whose nodes the assistant may run without asking."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import RequestError
from ..store.saved_settings import KeptSettings, SavedSettings
from .body import are_names, read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

PATH = "/assistant/trusted-packages"
_LONGEST = 200
_MOST = 2_000


class TrustedPackageHandlers:
    """A package is named as ComfyUI does: by its folder in `custom_nodes`. The names are the person's own."""

    def __init__(self, saved_settings: KeptSettings) -> None:
        self._saved_settings = saved_settings

    def routes(self) -> list[Route]:
        return [Route("GET", PATH, self.list), Route("PUT", PATH, self.change)]

    async def list(self, _: web.Request) -> web.Response:
        return reply({"packages": sorted((await self._saved_settings.load()).trusted_packages)})

    async def change(self, request: web.Request) -> web.Response:
        """`{packages, trusted}`: these are trusted from now on, or no more."""
        body = await read_json(request)
        packages: Any = body.get("packages")
        if not are_names(packages, _LONGEST):
            raise RequestError(
                "invalid_request",
                f"Expected a list of names in packages, each of at most {_LONGEST} characters.",
                hint="Send the names as GET lists them.",
            )
        is_trusted = body.get("trusted") is not False

        def apply(settings: SavedSettings) -> SavedSettings:
            others = tuple(each for each in settings.trusted_packages if each not in packages)
            trusted = (*others, *dict.fromkeys(packages)) if is_trusted else others
            if len(trusted) > _MOST:
                raise RequestError(
                    "too_large", f"{_MOST:,} packages are trusted already.", hint="Take some away first."
                )
            return replace(settings, trusted_packages=trusted)

        await self._saved_settings.change(apply)
        return await self.list(request)
