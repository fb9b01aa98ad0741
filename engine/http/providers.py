"""Routes for a user's providers: list, add, change, delete, test, and their models."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from ..base.errors import AssistantError, ProviderError, RequestError, SettingsError
from ..base.secret import Secret
from ..llm.client import ChatClient
from ..llm.endpoint import Endpoint
from ..llm.known.model_facts import model_entries
from ..llm.presets import PRESETS
from ..llm.provider import ProviderDirectory
from ..llm.provider_choices import FOUND_HERE, ProviderChoice, name_of
from ..llm.refusals.failures import unknown_model
from ..store.saved_settings import SavedProvider, SavedSettings, key_place
from ..store.settings_file import SettingsStore
from .access import Access
from .body import body_route
from .guard import Route
from .json_reply import reply
from .provider_fields import EndpointBody, ProviderBody, Text, apply_changes
from .provider_settings import check_locks, is_locked, key_as_json, learned_rules

if TYPE_CHECKING:
    from aiohttp import web

_MOST = 60
_PERHAPS_ELSEWHERE = ("not_a_model_server", "provider_refused", "unknown_model")


class ProviderChangeBody(ProviderBody):
    seen: Text | None = Field(None, description="the `version` of the provider that the user was shown")


class ProviderTestBody(EndpointBody):
    id: Text | None = Field(
        None, description="the provider that supplies missing fields, by default the default provider"
    )


class ProviderHandlers:
    """The providers of the current user. Keys are never returned."""

    def __init__(
        self,
        directory: ProviderDirectory,
        saved_settings: SettingsStore,
        client: ChatClient,
        access: Access,
        *,
        on_changed: Callable[[], None],
    ) -> None:
        self._directory = directory
        self._saved_settings = saved_settings
        self._client = client
        self._access = access
        self._on_changed = on_changed

    def routes(self) -> list[Route]:
        providers = "/assistant/providers"
        return [
            Route("GET", providers, self.list),
            body_route("POST", providers, ProviderBody, self.add),
            body_route("POST", f"{providers}/test", ProviderTestBody, self.test),
            Route("GET", f"{providers}/discovered", self.local_servers),
            Route("GET", providers + "/{provider}", self.read),
            body_route("PATCH", providers + "/{provider}", ProviderChangeBody, self.change),
            Route("DELETE", providers + "/{provider}", self.delete),
            Route("POST", providers + "/{provider}/models", self.models),
        ]

    async def list(self, _: web.Request) -> web.Response:
        default = (await self._directory.choice()).id
        choices = await self._directory.choices()
        entries = [_as_json(choice, default, choices) for choice in choices]
        presets = [preset.as_json() for preset in PRESETS]
        return reply({"providers": entries, "presets": presets})

    async def read(self, request: web.Request) -> web.Response:
        return reply(await self._describe(request.match_info["provider"]))

    async def add(self, _: web.Request, body: ProviderBody) -> web.Response:
        provider = apply_changes(SavedProvider(secrets.token_hex(4)), body)
        if not provider.base_url:
            raise RequestError(
                "invalid_request",
                "A provider without a base URL cannot be reached.",
                hint="Enter its address, or choose a preset.",
            )

        def apply(settings: SavedSettings) -> SavedSettings:
            if len(settings.providers) >= _MOST:
                raise RequestError(
                    "too_large",
                    f"There are {_MOST} providers already.",
                    hint="Delete one that you do not need.",
                )
            settings = settings.with_provider(provider)
            if body.api_key is not None:
                settings = settings.with_key_of(provider, body.api_key, is_new=True)
            return _with_default(settings, provider.id, body)

        await self._save(apply)
        return reply(await self._describe(provider.id), status=201)

    async def change(self, request: web.Request, body: ProviderChangeBody) -> web.Response:
        """Change a provider, unless it was saved since the version `seen`."""
        choice = await self._find(request.match_info["provider"])
        check_locks(choice, body)
        if choice.id == FOUND_HERE and body.model_fields_set - {"seen", "is_default"}:
            raise SettingsError(
                "setting_locked",
                "This server was found on this machine; nothing of it is saved yet.",
                hint="Add it as a provider, then change that.",
                status=409,
            )
        if body.base_url == "":
            raise RequestError(
                "invalid_request", "The base URL is empty.", hint="Enter it, or delete the provider."
            )

        def apply(settings: SavedSettings) -> SavedSettings:
            present = settings.provider(choice.id) or choice.own
            if body.seen is not None and body.seen != _version(present):
                raise RequestError(
                    "changed_meanwhile",
                    f"“{name_of(choice)}” was changed elsewhere since it was shown here.",
                    hint="Look at it as it is now, then change it again.",
                    status=409,
                )
            provider = apply_changes(present, body)
            if provider != present:
                settings = settings.with_provider(provider)
            if body.api_key is not None:
                settings = settings.with_key_of(provider, body.api_key)
            return _with_default(settings, choice.id, body)

        await self._save(apply)
        return reply(await self._describe(choice.id))

    async def delete(self, request: web.Request) -> web.Response:
        from aiohttp import web

        choice = await self._find(request.match_info["provider"])
        if is_locked(choice.base_url_source) or choice.id == FOUND_HERE:
            where = "found on this machine" if choice.id == FOUND_HERE else "set by the environment"
            raise SettingsError(
                "setting_locked",
                f"“{name_of(choice)}” is {where}.",
                hint="Make another one the default; it can stay.",
                status=409,
            )
        await self._save(lambda settings: settings.without_provider(choice.id))
        return web.Response(status=204)

    async def models(self, request: web.Request) -> web.Response:
        """Return the models that the endpoint lists, with known windows and prices."""
        choice = await self._find(request.match_info["provider"])
        endpoint = Endpoint.at(choice.base_url, choice.model, choice.key)
        entries = await self._client.model_entries(endpoint)
        return reply({"models": model_entries(endpoint, entries)})

    async def test(self, request: web.Request, body: ProviderTestBody) -> web.Response:
        """Ask the endpoint for its models and, if a model is set, for one word."""
        choice = await self._directory.choice(body.id or "")
        base_url = body.base_url or choice.base_url
        if not base_url:
            raise RequestError("invalid_request", "There is no base URL to test.", hint="Enter one first.")
        model = body.model or (choice.model if base_url == choice.base_url else "")
        endpoint = Endpoint.at(base_url, model, body.api_key or await self._key(base_url, choice))
        began = time.monotonic()
        try:
            entries = await self._list_models(endpoint)
            models = [str(entry["id"]) for entry in entries]
            if endpoint.model and models and endpoint.model not in models and not endpoint.is_near:
                raise unknown_model(endpoint.base_url, endpoint.model)
            if endpoint.model:
                await self._ask_one_word(endpoint)
        except AssistantError as error:
            if endpoint.is_near and not self._access.is_trusted(request):
                return reply({"ok": False, "error": _neutral_error(endpoint).as_json()})
            meant = await self._suggest_address(endpoint) if error.code in _PERHAPS_ELSEWHERE else {}
            return reply({"ok": False, "error": error.as_json(), **meant})
        milliseconds = round((time.monotonic() - began) * 1000)
        return reply(
            {
                "ok": True,
                "models": models,
                "details": model_entries(endpoint, entries),
                "model": endpoint.model,
                "latencyMs": milliseconds,
            }
        )

    async def local_servers(self, _: web.Request) -> web.Response:
        return reply({"endpoints": [server.as_json() for server in await self._directory.local_servers()]})

    async def _find(self, provider_id: str) -> ProviderChoice:
        for choice in await self._directory.choices():
            if choice.id == provider_id:
                return choice
        raise RequestError(
            "not_found",
            f'There is no provider "{provider_id[:40]}"; it may have been deleted.',
            hint="GET /api/assistant/providers lists those that there are.",
            status=404,
        )

    async def _describe(self, provider_id: str) -> dict[str, Any]:
        """Return a provider with the facts on its model and their sources."""
        choice = await self._find(provider_id)
        default = (await self._directory.choice()).id
        entry = _as_json(choice, default, await self._directory.choices())
        try:
            facts = (await self._directory.current(provider_id)).facts()
        except AssistantError as error:
            return {**entry, "problem": error.as_json()}
        return {**entry, "facts": facts, **await learned_rules(self._directory, provider_id)}

    async def _save(self, apply: Callable[[SavedSettings], SavedSettings]) -> None:
        await self._saved_settings.change(apply)
        self._on_changed()

    async def _key(self, base_url: str, choice: ProviderChoice) -> Secret:
        """Return the key for this address, never that of another host or tenant."""
        if key_place(base_url) == key_place(choice.base_url):
            return choice.key
        return (await self._saved_settings.load()).key_for(base_url)

    async def _list_models(self, endpoint: Endpoint) -> list[dict[str, Any]]:
        try:
            return await self._client.model_entries(endpoint)
        except AssistantError as error:
            # Some servers list no models; if a model is entered, asking it for a word is enough.
            if endpoint.model and error.code in _PERHAPS_ELSEWHERE:
                return []
            raise

    async def _suggest_address(self, endpoint: Endpoint) -> dict[str, Any]:
        """Return the address with `/v1` appended, if a model server replies there."""
        if endpoint.base_url.endswith("/v1"):
            return {}
        other = Endpoint.at(f"{endpoint.base_url}/v1", "", endpoint.api_key)
        try:
            return {"meant": other.base_url} if await self._client.model_entries(other) else {}
        except AssistantError:
            return {}

    async def _ask_one_word(self, endpoint: Endpoint) -> None:
        messages: list[Any] = [{"role": "user", "content": "Say OK."}]
        async for _ in self._client.stream(endpoint, messages, [], max_tokens=5):
            pass


def _neutral_error(endpoint: Endpoint) -> ProviderError:
    """Return the same error whether nothing listens there, no model server does, or one that refuses."""
    return ProviderError(
        "not_a_model_server",
        f"{endpoint.base_url} did not answer as a model server would.",
        hint="Test it in a browser on ComfyUI's own machine, which is told what it said: ComfyUI has no login.",
    )


def _as_json(choice: ProviderChoice, default_id: str, choices: Sequence[ProviderChoice]) -> dict[str, Any]:
    shared_with = [name_of(each) for each in choices if each.id != choice.id and _share_a_key(each, choice)]
    own = choice.own.as_json()
    names = ("name", "window", "vision", "profile", "effort", "temperature", "dropsSystem")
    entered = {name: own[name] for name in names if name in own}
    if choice.own.price is not None:
        entered["price"] = dict(zip(("input", "cached", "output"), choice.own.price, strict=True))
    return {
        "id": choice.id,
        "name": name_of(choice),
        "baseUrl": {"value": choice.base_url, "source": choice.base_url_source},
        "model": {"value": choice.model, "source": choice.model_source},
        "apiKey": {**key_as_json(choice), **({"sharedWith": shared_with} if shared_with else {})},
        "entered": entered,
        "isDefault": choice.id == default_id,
        "version": _version(choice.own),
    }


def _share_a_key(one: ProviderChoice, other: ProviderChoice) -> bool:
    return bool(one.key) and one.key == other.key and key_place(one.base_url) == key_place(other.base_url)


def _version(own: SavedProvider) -> str:
    return hashlib.sha256(json.dumps(own.as_json(), sort_keys=True).encode()).hexdigest()[:16]


def _with_default(settings: SavedSettings, provider_id: str, body: ProviderBody) -> SavedSettings:
    match body.is_default:
        case True:
            return settings.with_default_provider(provider_id)
        case False if settings.default_provider == provider_id:
            return settings.with_default_provider("")
    return settings
