"""Which model the assistant talks to, and what is known of it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import AssistantError, ProviderError
from ..settings import Secret, Settings, Source
from ..store.preferences import Preferences
from .endpoint import Endpoint
from .probe import LocalServer, is_local
from .vision import sees_images
from .windows import WindowSource, get_context_window

SLIM_BELOW = 12_000
_REMEMBER_SECONDS = 60.0
_REMEMBER_SIGHT_SECONDS = 600.0

Windows = Callable[[str, str, Secret], Awaitable[int | None]]
"""What an endpoint itself says of a model's window: base URL, model and key in, tokens out."""
LearnedWindows = Callable[[str, str], Awaitable[int | None]]
"""What an earlier overflow at a base URL told of a model's window."""
Sight = Callable[..., Awaitable[bool | None]]
Discovery = Callable[[], Awaitable[list[LocalServer]]]
Listing = Callable[[Endpoint], Awaitable[list[str]]]


@dataclass(frozen=True)
class Choice:
    """A base URL, a model and where each was decided. The model is empty until somebody chose one."""

    base_url: str
    base_url_source: Source
    model: str
    model_source: Source
    key: Secret
    key_source: Source


@dataclass(frozen=True)
class Provider:
    """The endpoint in use. `window` is in tokens; a slim model gets few tools and a short system message."""

    endpoint: Endpoint
    source: Source
    label: str
    window: int
    is_slim: bool
    notice: str = ""
    window_source: WindowSource = "unknown"
    vision: bool | None = None
    """Whether the model sees images; None where nobody knows."""

    def as_json(self) -> dict[str, Any]:
        status: dict[str, Any] = {
            "state": "ready",
            "label": self.label,
            "id": self.endpoint.model,
            "baseUrl": self.endpoint.base_url,
            "source": self.source,
            "local": self.endpoint.is_local,
            "slim": self.is_slim,
            "window": self.window,
            "windowSource": self.window_source,
            "vision": self.vision,
        }
        return {**status, "notice": self.notice} if self.notice else status


def choose(settings: Settings, preferences: Preferences, discovered: LocalServer | None = None) -> Choice:
    """The environment wins over what was entered in the panel, and both over what was found on this machine."""
    base_url, base_url_source = _first(
        (settings.base_url, settings.provider_source),
        (preferences.base_url, "settings"),
        (discovered.base_url if discovered else "", "discovered"),
    )
    saved_model = preferences.model if preferences.base_url in ("", base_url) else ""
    model, model_source = _first(
        (settings.model, settings.provider_source),
        (saved_model, "settings"),
        (discovered.models[0] if discovered and discovered.base_url == base_url else "", "discovered"),
    )
    saved_key = preferences.key_for(base_url)
    # A key from the environment belongs to the base URL from the environment, and to no other.
    if settings.api_key and base_url_source == settings.provider_source:
        return Choice(
            base_url, base_url_source, model, model_source, settings.api_key, settings.provider_source
        )
    return Choice(
        base_url, base_url_source, model, model_source, saved_key, "settings" if saved_key else "none"
    )


class ProviderDirectory:
    """Finds the provider in use; what servers say of themselves is remembered for a minute."""

    def __init__(
        self,
        settings: Settings,
        *,
        preferences: Callable[[], Awaitable[Preferences]],
        windows: Windows,
        discovery: Discovery,
        listing: Listing,
        learned: LearnedWindows | None = None,
        sight: Sight = sees_images,
    ) -> None:
        self._settings = settings
        self._preferences = preferences
        self._windows = windows
        self._discovery = discovery
        self._listing = listing
        self._learned = learned
        self._sight = sight
        self._vision_of: dict[tuple[str, str], tuple[float, bool | None]] = {}
        self._window_of: dict[tuple[str, str], tuple[float, int | None]] = {}
        self._model_of: dict[str, tuple[float, str]] = {}
        self._found: tuple[float, list[LocalServer]] | None = None

    async def choice(self) -> Choice:
        preferences = await self._preferences()
        if self._settings.base_url or preferences.base_url or not self._settings.discovery:
            return choose(self._settings, preferences)
        servers = await self.discovered()
        return choose(self._settings, preferences, servers[0] if servers else None)

    async def current(self) -> Provider:
        """The provider in use.

        Raises:
            ProviderError: `no_provider` or `no_model`, when somebody has to choose first.
        """
        choice = await self.choice()
        if not choice.base_url:
            raise ProviderError(
                "no_provider",
                "No model is set up, and no model server was found on this machine.",
                hint="Open Settings and enter the address of a model server, or start Ollama, LM Studio, llama.cpp "
                "or vLLM.",
                status=409,
            )
        model = choice.model or await self._only_local_model(choice)
        if not model:
            raise ProviderError(
                "no_model",
                f"No model is chosen for {choice.base_url}.",
                hint="Open Settings and choose one from the list.",
                status=409,
            )
        return await self.describe(
            Endpoint(choice.base_url, model, choice.key, is_local(choice.base_url)), choice
        )

    async def status(self) -> dict[str, Any]:
        """The model in use, or what is missing, as the panel shows it: docs/api.md, GET /api/assistant/status."""
        try:
            return (await self.current()).as_json()
        except AssistantError as error:
            choice = await self.choice()
            return {
                "state": "needs-setup",
                "label": choice.model or "No model",
                "id": choice.model,
                "baseUrl": choice.base_url,
                "source": choice.base_url_source,
                "local": False,
                "slim": False,
                "window": 0,
                "notice": f"{error.message} {error.hint}",
            }

    async def describe(self, endpoint: Endpoint, choice: Choice) -> Provider:
        override = self._settings.context_window
        found = get_context_window(
            endpoint.model,
            override=override,
            endpoint=None if override else await self._window(endpoint),
            learned=await self._learned(endpoint.base_url, endpoint.model) if self._learned else None,
            is_local=endpoint.is_local,
        )
        window = found.tokens
        is_slim = {"slim": True, "full": False}.get(self._settings.profile, window < SLIM_BELOW)
        return Provider(
            endpoint=endpoint,
            source=choice.base_url_source,
            label=self._settings.label or endpoint.model.rsplit("/", 1)[-1],
            window=window,
            is_slim=is_slim,
            notice=self._settings.notice or _notice(window, is_slim),
            window_source=found.source,
            vision=await self._vision(endpoint),
        )

    async def discovered(self) -> list[LocalServer]:
        if self._found is None or time.monotonic() - self._found[0] > _REMEMBER_SECONDS / 4:
            self._found = (time.monotonic(), await self._discovery())
        return self._found[1]

    def forget(self) -> None:
        """Ask again, after settings have changed."""
        self._window_of.clear()
        self._vision_of.clear()
        self._model_of.clear()
        self._found = None

    async def _window(self, endpoint: Endpoint) -> int | None:
        key = (endpoint.base_url, endpoint.model)
        asked = self._window_of.get(key)
        # A server here that is busy may not answer in time, so its silence is believed for a moment only.
        is_busy = endpoint.is_local and asked is not None and not asked[1]
        believed = _REMEMBER_SECONDS / 12 if is_busy else _REMEMBER_SECONDS
        if not endpoint.is_local:
            believed *= 60
        if asked is None or time.monotonic() - asked[0] > believed:
            asked = (time.monotonic(), await self._windows(*key, endpoint.api_key))
            self._window_of[key] = asked
        return asked[1]

    async def _vision(self, endpoint: Endpoint) -> bool | None:
        key = (endpoint.base_url, endpoint.model)
        asked = self._vision_of.get(key)
        if asked is None or time.monotonic() - asked[0] > _REMEMBER_SIGHT_SECONDS:
            asked = (time.monotonic(), await self._sight(*key, is_local=endpoint.is_local))
            self._vision_of[key] = asked
        return asked[1]

    async def _only_local_model(self, choice: Choice) -> str:
        """A server on this machine is asked for its models; at others somebody chooses, since requests may cost."""
        if not is_local(choice.base_url):
            return ""
        asked = self._model_of.get(choice.base_url)
        if asked is None or time.monotonic() - asked[0] > _REMEMBER_SECONDS:
            models = await self._listing(Endpoint(choice.base_url, "", choice.key, is_local=True))
            asked = (time.monotonic(), models[0] if models else "")
            self._model_of[choice.base_url] = asked
        return asked[1]


def _first(*candidates: tuple[str, Source]) -> tuple[str, Source]:
    none: tuple[str, Literal["none"]] = ("", "none")
    return next((candidate for candidate in candidates if candidate[0]), none)


def _notice(window: int, is_slim: bool) -> str:
    if not is_slim:
        return ""
    return (
        f"This model reads {window:,} tokens at once, so it gets a short set of tools. "
        "For whole workflows give its server a larger context, 16,000 tokens or more."
    )
