"""Routes for the default provider: its settings, and what was learned of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..base.errors import RequestError, SettingsError
from ..llm.provider import ProviderDirectory
from ..llm.provider_choices import ProviderChoice
from ..store.saved_settings import ENVIRONMENT_PROVIDER, SavedProvider, SavedSettings
from ..store.settings_file import SettingsStore
from .body import body_route
from .guard import Route
from .json_reply import reply
from .provider_fields import EndpointBody

if TYPE_CHECKING:
    from aiohttp import web


class ProviderSettingsHandlers:
    """Keys are never returned: only whether a key is set, and its last four characters."""

    def __init__(
        self,
        directory: ProviderDirectory,
        saved_settings: SettingsStore,
        *,
        on_changed: Callable[[], None],
    ) -> None:
        self._directory = directory
        self._saved_settings = saved_settings
        self._on_changed = on_changed

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/settings", self.read),
            body_route("PUT", "/assistant/settings", EndpointBody, self.write),
            Route("DELETE", "/assistant/providers/learned-window", self.forget_window),
            Route("DELETE", "/assistant/providers/learned-rules", self.forget_rules),
        ]

    async def read(self, _: web.Request) -> web.Response:
        return reply(await self._settings())

    async def write(self, _: web.Request, body: EndpointBody) -> web.Response:
        choice = await self._directory.choice()
        base_url, model, key = body.base_url, body.model, body.api_key
        check_locks(choice, body)
        if key and not (choice.base_url if base_url is None else base_url):
            raise RequestError(
                "invalid_request",
                "There is no base URL that the API key could belong to; a key is only ever sent to its own server.",
                hint="Enter the base URL together with the key.",
            )

        def apply(settings: SavedSettings) -> SavedSettings:
            provider = settings.provider(choice.id) or _new_provider(settings, choice, base_url)
            if base_url == "":
                return settings.without_provider(provider.id)
            if base_url is not None:
                provider = provider.with_base_url(base_url)
            if model is not None:
                provider = provider.with_model(model)
            if base_url is not None or model is not None:
                settings = settings.with_provider(provider)
            if key is not None:
                settings = settings.with_key_of(_with_address(provider, choice), key)
            return settings

        await self._saved_settings.change(apply)
        self._on_changed()
        return reply(await self._settings())

    async def forget_window(self, request: web.Request) -> web.Response:
        await self._directory.forget_window(request.query.get("provider", ""))
        return reply(await self._settings())

    async def forget_rules(self, request: web.Request) -> web.Response:
        await self._directory.forget_rules(request.query.get("provider", ""))
        return reply(await self._settings())

    async def _settings(self) -> dict[str, Any]:
        """Return the settings; for a model, also the source of its window and what was learned."""
        status = await self._directory.status()
        window = {name: status[name] for name in ("windowNote", "windowLearnedAt") if name in status}
        return {
            **_as_json(await self._directory.choice()),
            **window,
            **await learned_rules(self._directory),
        }


def check_locks(choice: ProviderChoice, body: EndpointBody) -> None:
    """Check that a change concerns nothing that the environment sets.

    Raises:
        SettingsError: `setting_locked` (409).
    """
    for name, value, source in (
        ("The base URL", body.base_url, choice.base_url_source),
        ("The model", body.model, choice.model_source),
        ("The API key", body.api_key, choice.key_source),
    ):
        if value is not None and is_locked(source):
            raise SettingsError(
                "setting_locked",
                f"{name} is set by the {'environment' if source == 'environment' else '.env file'}.",
                hint="Change it there and restart ComfyUI.",
                status=409,
            )


def is_locked(source: str) -> bool:
    """Return whether a value of this source can only be changed there."""
    return source in ("environment", "file")


def key_as_json(choice: ProviderChoice) -> dict[str, Any]:
    last4 = choice.key.last4()
    return {
        "set": bool(choice.key),
        "source": choice.key_source,
        "locked": is_locked(choice.key_source),
        **({"last4": last4} if last4 else {}),
    }


async def learned_rules(directory: ProviderDirectory, provider_id: str = "") -> dict[str, Any]:
    note = await directory.rules_note(provider_id)
    return {"rulesNote": note.words, "rulesLearnedAt": note.learned_at} if note else {}


def _new_provider(settings: SavedSettings, choice: ProviderChoice, base_url: str | None) -> SavedProvider:
    """Return the provider to save: a model alone belongs to the environment's address, or to the server found here."""
    if choice.id == ENVIRONMENT_PROVIDER:
        return choice.own
    if base_url:
        return SavedProvider(secrets.token_hex(4))
    return settings.provider(ENVIRONMENT_PROVIDER) or SavedProvider(ENVIRONMENT_PROVIDER)


def _with_address(provider: SavedProvider, choice: ProviderChoice) -> SavedProvider:
    return provider if provider.base_url else replace(provider, base_url=choice.base_url)


def _as_json(choice: ProviderChoice) -> dict[str, Any]:
    def field(value: str, source: str) -> dict[str, Any]:
        return {"value": value, "source": source, "locked": is_locked(source)}

    return {
        "baseUrl": field(choice.base_url, choice.base_url_source),
        "model": field(choice.model, choice.model_source),
        "apiKey": key_as_json(choice),
    }
