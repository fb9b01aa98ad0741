"""Routes for the options of `/config`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from pydantic import Field

from ..base.request_body import Body
from ..chat.thread_context.live_options import LiveOptions
from ..settings.options import DECLARATIONS, Options, parse
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


class OptionBody(Body):
    name: str = Field(description="the name of an option, also as typed after `/config`")
    value: Any = Field(
        None, description='the new value; `null` or `"default"` restores that of the environment'
    )


async def _no_op() -> None: ...


class OptionsHandlers:
    """`on_changed` is awaited before the reply, so that what is shown next follows from the change."""

    def __init__(
        self, live_options: LiveOptions, *, on_changed: Callable[[], Awaitable[None]] = _no_op
    ) -> None:
        self._live_options = live_options
        self._on_changed = on_changed

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/options", self.read),
            body_route("PUT", "/assistant/options", OptionBody, self.write),
        ]

    async def read(self, _: web.Request) -> web.Response:
        now = await self._live_options.current()
        return reply({"options": [self._as_json(name, now) for name in DECLARATIONS]})

    async def write(self, _: web.Request, body: OptionBody) -> web.Response:
        name, value = parse(body.name, body.value)
        now = await self._live_options.change(name, value)
        await self._on_changed()
        return reply(self._as_json(name, now))

    def _as_json(self, name: str, now: Options) -> dict[str, Any]:
        return DECLARATIONS[name].as_json(getattr(now, name), getattr(self._live_options.initial, name))
