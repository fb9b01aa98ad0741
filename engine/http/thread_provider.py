"""Routes for the provider of a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field, model_validator
from typing_extensions import Self

from ..base.request_body import Body
from ..chat.thread_context.thread_providers import ThreadProviders
from .body import body_route
from .guard import Route
from .json_reply import reply
from .provider_fields import Text

if TYPE_CHECKING:
    from aiohttp import web


class ThreadProviderBody(Body):
    provider: Text | None = Field(
        None, description='an id, a name or a model, or the unambiguous beginning of one; "" for the default'
    )
    model: Text | None = Field(
        None,
        description="a model that the provider's endpoint lists, or that of another provider; any text if the endpoint "
        'lists nothing; "" for the provider\'s own',
    )

    @model_validator(mode="after")
    def _require_choice(self) -> Self:
        if self.provider is None and self.model is None:
            raise ValueError("provider, model or both")
        return self


class ThreadProviderHandlers:
    def __init__(self, providers: ThreadProviders) -> None:
        self._providers = providers

    def routes(self) -> list[Route]:
        route = "/assistant/threads/{id}/provider"
        return [Route("GET", route, self.read), body_route("PUT", route, ThreadProviderBody, self.choose)]

    async def read(self, request: web.Request) -> web.Response:
        return reply(await self._providers.chosen(request.match_info["id"]))

    async def choose(self, request: web.Request, body: ThreadProviderBody) -> web.Response:
        thread_id = request.match_info["id"]
        await self._providers.choose(thread_id, provider=body.provider, model=body.model)
        return reply(await self._providers.chosen(thread_id))
