"""Routes for the provider: its settings, a test of them, and the servers found on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..base_url import normal_base_url, without_secrets
from ..errors import AssistantError, RequestError, SettingsError
from ..llm.client import ChatClient
from ..llm.endpoint import Endpoint
from ..llm.failures import unknown_model
from ..llm.probe import is_local
from ..llm.provider import ProviderChoice, ProviderDirectory
from ..secret import Secret, usable_key
from ..store.saved_settings import SavedSettings, SavedSettingsFile, origin
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

_MAX_LENGTH = 2_000


class ProviderHandlers:
    """Keys go in and never come out: all that is told of one is whether it is set, and its last four characters.

    The settings are the server's, also where `is_shared` tells that ComfyUI has several users.
    """

    def __init__(
        self,
        directory: ProviderDirectory,
        saved_settings: SavedSettingsFile,
        client: ChatClient,
        *,
        on_changed: Callable[[], None],
        is_shared: Callable[[], bool] = lambda: False,
    ) -> None:
        self._directory = directory
        self._saved_settings = saved_settings
        self._client = client
        self._on_changed = on_changed
        self._is_shared = is_shared

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/settings", self.read),
            Route("PUT", "/assistant/settings", self.write),
            Route("POST", "/assistant/providers/test", self.test),
            Route("GET", "/assistant/providers/discovered", self.local_servers),
            Route("DELETE", "/assistant/providers/learned-window", self.forget_window),
            Route("DELETE", "/assistant/providers/learned-rules", self.forget_rules),
        ]

    async def read(self, _: web.Request) -> web.Response:
        return reply(await self._settings())

    async def write(self, request: web.Request) -> web.Response:
        body = await read_json(request)
        choice = await self._directory.choice()
        base_url = _base_url(body)
        model, key = _text(body, "model"), _api_key(body)
        for name, value, source in (
            ("The base URL", base_url, choice.base_url_source),
            ("The model", model, choice.model_source),
            ("The API key", key, choice.key_source),
        ):
            if value is not None and _is_locked(source):
                raise SettingsError(
                    "setting_locked",
                    f"{name} is set by the {'environment' if source == 'environment' else '.env file'}.",
                    hint="Change it there and restart ComfyUI.",
                    status=409,
                )

        def apply(settings: SavedSettings) -> SavedSettings:
            if base_url is not None:
                settings = settings.at(base_url)
            if model is not None:
                settings = replace(settings, model=model)
            if key is not None:
                settings = settings.with_key(
                    _place_of_key(base_url or settings.base_url or choice.base_url, key), key
                )
            return settings

        await self._saved_settings.change(apply)
        self._on_changed()
        return reply(await self._settings())

    async def test(self, request: web.Request) -> web.Response:
        """Ask the endpoint for its models and, where one is chosen, for one word."""
        body = await read_json(request)
        choice = await self._directory.choice()
        base_url = _base_url(body) or choice.base_url
        if not base_url:
            raise RequestError("invalid_request", "There is no base URL to test.", hint="Enter one first.")
        endpoint = Endpoint(
            base_url,
            _text(body, "model") or (choice.model if base_url == choice.base_url else ""),
            await self._key(body, base_url, choice),
            is_local(base_url),
        )
        began = time.monotonic()
        try:
            models = await self._models(endpoint)
            if endpoint.model and models and endpoint.model not in models and not endpoint.is_local:
                raise unknown_model(endpoint.base_url, endpoint.model)
            if endpoint.model:
                await self._say_one_word(endpoint)
        except AssistantError as error:
            return reply({"ok": False, "error": error.as_json()})
        milliseconds = round((time.monotonic() - began) * 1000)
        return reply({"ok": True, "models": models, "model": endpoint.model, "latencyMs": milliseconds})

    async def local_servers(self, _: web.Request) -> web.Response:
        return reply({"endpoints": [server.as_json() for server in await self._directory.local_servers()]})

    async def forget_window(self, _: web.Request) -> web.Response:
        await self._directory.forget_window()
        return reply(await self._settings())

    async def forget_rules(self, _: web.Request) -> web.Response:
        await self._directory.forget_rules()
        return reply(await self._settings())

    async def _settings(self) -> dict[str, Any]:
        """What is chosen and, where that is a model, where its window comes from and what was learned of it."""
        status = await self._directory.status()
        window = {name: status[name] for name in ("windowNote", "windowLearnedAt") if name in status}
        note = await self._directory.rules_note()
        rules = {"rulesNote": note.words, "rulesLearnedAt": note.learned_at} if note else {}
        shared = {"shared": True} if self._is_shared() else {}
        return {**_as_json(await self._directory.choice()), **window, **rules, **shared}

    async def _key(self, body: Mapping[str, Any], base_url: str, choice: ProviderChoice) -> Secret:
        """A typed key, else the one that was entered for this origin: never one that belongs to another host."""
        if typed_key := _api_key(body):
            return typed_key
        if origin(base_url) == origin(choice.base_url):
            return choice.key
        return (await self._saved_settings.load()).key_for(base_url)

    async def _models(self, endpoint: Endpoint) -> list[str]:
        try:
            return await self._client.models(endpoint)
        except AssistantError as error:
            # Some servers list no models; with a model typed in, asking it for a word tells enough.
            if endpoint.model and error.code in ("unknown_model", "not_a_model_server", "provider_refused"):
                return []
            raise

    async def _say_one_word(self, endpoint: Endpoint) -> None:
        messages: list[Any] = [{"role": "user", "content": "Say OK."}]
        async for _ in self._client.stream(endpoint, messages, [], max_tokens=5):
            pass


def _as_json(choice: ProviderChoice) -> dict[str, Any]:
    def field(value: str, source: str) -> dict[str, Any]:
        return {"value": value, "source": source, "locked": _is_locked(source)}

    key: dict[str, Any] = {
        "set": bool(choice.key),
        "source": choice.key_source,
        "locked": _is_locked(choice.key_source),
    }
    if last4 := choice.key.last4():
        key["last4"] = last4
    return {
        "baseUrl": field(choice.base_url, choice.base_url_source),
        "model": field(choice.model, choice.model_source),
        "apiKey": key,
    }


def _place_of_key(base_url: str, key: Secret) -> str:
    if key and not base_url:
        raise RequestError(
            "invalid_request",
            "There is no base URL that the API key could belong to; a key is only ever sent to its own server.",
            hint="Enter the base URL together with the key.",
        )
    return base_url


def _is_locked(source: str) -> bool:
    return source in ("environment", "file")


def _base_url(body: Mapping[str, Any]) -> str | None:
    text = _text(body, "baseUrl")
    if not text:
        return text
    try:
        return normal_base_url(text)
    except ValueError as error:
        raise RequestError(
            "invalid_base_url",
            f'"{without_secrets(text)}" is no address of a model server; expected {error}.',
            hint="Correct the base URL. Keys have their own field.",
        ) from None


def _api_key(body: Mapping[str, Any]) -> Secret | None:
    """None where the body says nothing of a key; an empty one takes it away."""
    text = _text(body, "apiKey")
    try:
        return None if text is None else usable_key(text)
    except ValueError as error:
        raise RequestError(
            "invalid_key",
            f"This is no API key; expected {error}.",
            hint="Copy the key once more from the provider's page, without quotes and line breaks.",
        ) from None


def _text(body: Mapping[str, Any], name: str) -> str | None:
    value = body.get(name)
    if value is not None and (not isinstance(value, str) or len(value) > _MAX_LENGTH):
        raise RequestError(
            "invalid_request",
            f"{name} is no text of at most {_MAX_LENGTH} characters.",
            hint="Correct it and save again.",
        )
    return value.strip() if value is not None else None
