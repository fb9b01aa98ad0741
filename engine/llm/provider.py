"""The provider in use and the facts on its model."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from ..base.cache import Cache
from ..base.caller import current_user
from ..base.errors import AssistantError, ProviderError
from ..base.network.base_url import is_local
from ..base.secret import Secret
from ..context.frame import SLIM_BELOW
from ..settings.settings import Origin, Settings
from ..store.saved_settings import ENVIRONMENT_PROVIDER, SavedSettings
from .endpoint import Endpoint
from .known.model_facts import FactOrigin, PriceSource, WindowOrigin, model_facts, price_of, price_source_of
from .known.probe import LocalServer
from .known.server_facts import ServerFacts
from .learned import Adjustment, Learned, WindowEstimate
from .provider_choices import ProviderChoice, default_of, provider_choices

ENOUGH_FOR_ALL_TOOLS = 16_384
"""The window in tokens that is recommended where a server gives fewer than `SLIM_BELOW`."""

_WINDOW_NOTES: dict[WindowOrigin, str] = {
    "you": "The window of {window} tokens is the one that you entered.",
    "setting": "The window of {window} tokens is set by COMFYUI_ASSISTANT_CONTEXT_WINDOW.",
    "endpoint": "The window of {window} tokens is what the server tells.",
    "table": "The window of {window} tokens is that of the model in our table.",
    "learned": "The window of {window} tokens was learned from a request that was too long on {date}. A larger one is "
    "tried after a week, a restart of ComfyUI, or another window or key of this provider.",
    "unknown": "Nobody tells how much the model reads at once; {window} tokens are assumed until a request is refused.",
}

Facts = Callable[[Endpoint], Awaitable[ServerFacts]]
"""Asks an endpoint for the facts on its model."""

Discovery = Callable[[], Awaitable[list[LocalServer]]]
ModelListing = Callable[[Endpoint], Awaitable[list[str]]]


@dataclass(frozen=True)
class Provider:
    """The endpoint in use. `window` is in tokens; a slim model gets few tools and a short system message."""

    endpoint: Endpoint
    source: Origin
    label: str
    window: int
    is_slim: bool
    notice: str = ""
    window_source: WindowOrigin = "unknown"
    vision: bool | None = None
    """Whether the model sees images; None where unknown."""
    learned_at: float | None = None
    """The time at which the window was learned, in seconds since the epoch."""
    id: str = ""
    vision_source: FactOrigin = "unknown"
    profile_source: FactOrigin = "unknown"
    price_source: PriceSource = "unknown"
    model_window: int | None = None
    """The window in tokens that an Ollama could give the model if it were configured to."""

    def as_json(self) -> dict[str, Any]:
        status: dict[str, Any] = {
            "state": "ready",
            "label": self.label,
            "id": self.endpoint.model,
            "provider": self.id,
            "baseUrl": self.endpoint.base_url,
            "source": self.source,
            "local": self.endpoint.is_local,
            "slim": self.is_slim,
            "window": self.window,
            **self.window_origin(),
            "vision": self.vision,
            **self._wider_window(),
        }
        return {**status, "notice": self.notice} if self.notice else status

    def facts(self) -> dict[str, Any]:
        """Return the facts on the model with their sources: docs/api.md, GET /api/assistant/providers/{id}."""
        price = price_of(self.endpoint)
        return {
            "window": {"value": self.window, "source": self.window_source},
            "vision": {"value": self.vision, "source": self.vision_source},
            "profile": {"value": "slim" if self.is_slim else "full", "source": self.profile_source},
            "price": {"value": price and price.as_json(), "source": self.price_source},
            **self.window_origin(),
            **self._wider_window(),
        }

    def _wider_window(self) -> dict[str, Any]:
        """Return the largest possible window and the command that sets it, where a small one can be raised."""
        if not self.model_window:
            return {}
        recommended = min(self.model_window, ENOUGH_FOR_ALL_TOOLS)
        command = f"OLLAMA_CONTEXT_LENGTH={recommended} ollama serve"
        return {"widerWindow": {"most": self.model_window, "command": command}}

    def window_origin(self) -> dict[str, Any]:
        """Return the source of the window for the panel."""
        learned = {} if self.learned_at is None else {"windowLearnedAt": self.learned_at}
        note = _WINDOW_NOTES[self.window_source].format(
            window=f"{self.window:,}", date=time.strftime("%d %B %Y", time.localtime(self.learned_at))
        )
        return {"windowSource": self.window_source, "windowNote": note, **learned}


class ProviderDirectory:
    """Finds the provider in use and caches the facts by its server."""

    def __init__(
        self,
        settings: Settings,
        *,
        saved_settings: Callable[[], Awaitable[SavedSettings]],
        facts: Facts,
        discovery: Discovery,
        listing: ModelListing,
        learned: Learned | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._saved_settings = saved_settings
        self._learned = learned or Learned()
        self._asked_with: dict[tuple[str | None, str, str, str], tuple[int | None, Secret]] = {}
        self._facts, self._listing, self._discovery = facts, listing, discovery
        self._known_facts: Cache[Endpoint, ServerFacts] = Cache(clock=clock)
        self._known_models: Cache[Endpoint, list[str]] = Cache(clock=clock)
        self._known_servers: Cache[str, list[LocalServer]] = Cache(clock=clock)

    async def choices(self) -> list[ProviderChoice]:
        """Return all providers that can be chosen."""
        return (await self._choices())[1]

    async def choice(self, provider_id: str = "") -> ProviderChoice:
        """Return the provider of this id, else the default one."""
        saved, choices = await self._choices()
        asked = (choice for choice in choices if choice.id == provider_id)
        return next(asked, default_of(choices, saved))

    async def _choices(self) -> tuple[SavedSettings, list[ProviderChoice]]:
        saved = await self._saved_settings()
        choices = provider_choices(self._settings, saved)
        if not choices and self._settings.discovery:
            found = next((server for server in await self.local_servers() if server.models), None)
            choices = provider_choices(self._settings, saved, found)
        return saved, choices

    async def current(self, provider_id: str = "", *, model: str = "") -> Provider:
        """Return a provider, by default the default one, with its own model or another `model`.

        Raises:
            ProviderError: `no_provider` or `no_model`, where the user has to choose first.
        """
        choice = await self.choice(provider_id)
        if not choice.base_url:
            raise ProviderError(
                "no_provider",
                "No model is set up, and no model server was found on this machine.",
                hint="Enter the address of a model server in the settings, or start Ollama, LM Studio, llama.cpp "
                "or vLLM.",
                status=409,
            )
        model = model or choice.model or await self._only_local_model(choice)
        if not model:
            raise ProviderError(
                "no_model",
                f"No model is chosen for {choice.base_url}.",
                hint="Choose one from the list in the settings.",
                status=409,
            )
        seconds = self._settings.reply_seconds
        endpoint = Endpoint.at(choice.base_url, model, choice.key, reply_seconds=seconds)
        return await self.describe(endpoint, choice)

    async def status(self, provider_id: str = "", *, model: str = "") -> dict[str, Any]:
        """Return the model in use or what is missing, for the panel: docs/api.md, GET /api/assistant/status."""
        try:
            return (await self.current(provider_id, model=model)).as_json()
        except AssistantError as error:
            choice = await self.choice(provider_id)
            return {
                "state": "needs-setup",
                "label": choice.model or "No model",
                "id": choice.model,
                "provider": choice.id,
                "baseUrl": choice.base_url,
                "source": choice.base_url_source,
                "local": False,
                "slim": False,
                "window": 0,
                "notice": f"{error.message} {error.hint}",
            }

    async def describe(self, endpoint: Endpoint, choice: ProviderChoice) -> Provider:
        """Return the provider with each fact by the user, else the environment, else its other sources."""
        own = choice.own_of(endpoint.model)
        # The environment's values apply to the environment's address, where it names one.
        environment = (
            self._settings if choice.id == ENVIRONMENT_PROVIDER or not self._settings.base_url else Settings()
        )
        override = own.window or environment.context_window
        server = await self._known_facts.ask(endpoint, self._facts, seconds=self._seconds_to_cache)
        learned_window = await self._learned_window(endpoint, choice, override or server.window)
        facts = model_facts(
            endpoint.model,
            override=override,
            server=server,
            learned_window=learned_window.window if learned_window else None,
            is_local=endpoint.is_near,
        )
        window_source: WindowOrigin = (
            "you" if own.window and facts.window_source == "setting" else facts.window_source
        )
        profile = own.profile if own.profile != "auto" else environment.profile
        is_slim = {"slim": True, "full": False}.get(profile, facts.window < SLIM_BELOW)
        learned_at = (
            learned_window.learned_at if learned_window and facts.window_source == "learned" else None
        )
        is_raisable = (
            server.model_window is not None
            and facts.window_source == "endpoint"
            and facts.window < SLIM_BELOW
        )
        told_price = own.price or server.price
        endpoint = replace(
            endpoint,
            price=told_price,
            effort=own.effort,
            temperature=own.temperature,
            drops_system=own.drops_system,
            tells_progress=server.tells_progress,
        )
        price_source: PriceSource = (
            "you" if own.price else "endpoint" if told_price else price_source_of(endpoint)
        )
        return Provider(
            endpoint=endpoint,
            source=choice.base_url_source,
            label=own.name or environment.label or endpoint.model.rsplit("/", 1)[-1],
            window=facts.window,
            is_slim=is_slim,
            notice=environment.notice or _notice(facts.window, is_slim=is_slim, is_raisable=is_raisable),
            window_source=window_source,
            vision=facts.vision if own.vision is None else own.vision,
            learned_at=learned_at,
            id=choice.id,
            vision_source=facts.vision_source if own.vision is None else "you",
            profile_source="you" if own.profile != "auto" else "unknown" if profile == "auto" else "setting",
            price_source=price_source,
            model_window=server.model_window if is_raisable else None,
        )

    async def _learned_window(
        self, endpoint: Endpoint, choice: ProviderChoice, told: int | None
    ) -> WindowEstimate | None:
        """Return the learned window, unless the server's window or the key has changed since: then the new one is
        tried.
        """
        key = (current_user(), choice.id, endpoint.base_url, endpoint.model)
        before = self._asked_with.get(key, (told, choice.key))
        # A server without an answer may only have been too busy.
        asked_with = self._asked_with[key] = (before[0] if told is None else told, choice.key)
        if asked_with[1] != before[1] or before[0] not in (None, asked_with[0]):
            self._learned.windows.release(endpoint.base_url, endpoint.model)
        return await self._learned.windows.get(endpoint.base_url, endpoint.model)

    async def forget_window(self, provider_id: str = "") -> None:
        """Forget the learned window of a provider's model.

        Raises:
            ProviderError: as `current` does.
        """
        endpoint = (await self.current(provider_id)).endpoint
        await self._learned.windows.forget(endpoint.base_url, endpoint.model)

    async def forget_rules(self, provider_id: str = "") -> None:
        """Forget the learned request rules of a provider's endpoint and the calibration of its model.

        Raises:
            ProviderError: as `current` does.
        """
        endpoint = (await self.current(provider_id)).endpoint
        await self._learned.forget_rules(endpoint.base_url, endpoint.model)

    async def rules_note(self, provider_id: str = "") -> Adjustment | None:
        """Describe what was learned from refusals and usage of a provider, or None."""
        try:
            endpoint = (await self.current(provider_id)).endpoint
        except AssistantError:
            return None
        return await self._learned.note(endpoint.base_url, endpoint.model)

    async def local_servers(self) -> list[LocalServer]:
        return await self._known_servers.ask("", lambda _: self._discovery(), seconds=lambda *_: 15.0)

    def forget(self) -> None:
        """Ask again, after settings have changed."""
        self._known_facts.clear()
        self._known_models.clear()
        self._known_servers.clear()

    def _seconds_to_cache(self, endpoint: Endpoint, facts: ServerFacts) -> float:
        """Return the seconds to cache the facts: few for a local server's silence, as it may only be busy."""
        if not endpoint.is_near:
            return 3_600.0
        if self._settings.context_window:
            return 600.0
        return 60.0 if facts.window else 5.0

    async def _only_local_model(self, choice: ProviderChoice) -> str:
        """Return the first model of a local server; elsewhere the user chooses, since requests may cost."""
        if not is_local(choice.base_url):
            return ""
        server = Endpoint(choice.base_url, "", choice.key, is_local=True)
        models = await self._known_models.ask(server, self._listing, seconds=lambda *_: 60.0)
        return models[0] if models else ""


def _notice(window: int, *, is_slim: bool, is_raisable: bool) -> str:
    """Return the notice on a small window; the advice is left out where the panel shows the command for a
    larger one.
    """
    if not is_slim:
        return ""
    small = f"This model reads {window:,} tokens at once, so it gets a short set of tools."
    if is_raisable:
        return small
    return f"{small} For whole workflows give its server a larger context, 16,000 tokens or more."
