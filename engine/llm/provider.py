"""Which model the assistant talks to, and what is known of it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ..errors import AssistantError, ProviderError
from ..secret import Secret
from ..settings import Origin, Settings
from ..store.learned_windows import LearnedWindow
from ..store.saved_settings import SavedSettings
from .answer_cache import AnswerCache
from .endpoint import Endpoint
from .learned_rules import LearnedRules, RulesNote
from .model_facts import WindowOrigin, model_facts
from .probe import LocalServer, is_local
from .server_facts import ServerFacts

SLIM_BELOW = 12_000

_WINDOW_NOTES: dict[WindowOrigin, str] = {
    "setting": "The window of {window} tokens is set by COMFYUI_ASSISTANT_CONTEXT_WINDOW.",
    "endpoint": "The window of {window} tokens is what the server tells.",
    "table": "The window of {window} tokens is that of the model in our table.",
    "learned": "The window of {window} tokens was learned from a refused request on {date}. A larger one is tried "
    "after a week, a restart of ComfyUI or a change of the settings.",
    "unknown": "Nobody tells how much the model reads at once; {window} tokens are assumed until a request is refused.",
}

Facts = Callable[[Endpoint], Awaitable[ServerFacts]]
"""What an endpoint itself says of its model."""


class Windows(Protocol):
    """What was learned of models' windows from requests that were too long."""

    def get(self, base_url: str, model: str) -> LearnedWindow | None: ...

    def release(self) -> None: ...

    async def forget(self, base_url: str, model: str) -> None: ...


Discovery = Callable[[], Awaitable[list[LocalServer]]]
ModelListing = Callable[[Endpoint], Awaitable[list[str]]]


@dataclass(frozen=True)
class ProviderChoice:
    """A base URL, a model and where each was decided. The model is empty until somebody chose one."""

    base_url: str
    base_url_source: Origin
    model: str
    model_source: Origin
    key: Secret
    key_source: Origin


@dataclass(frozen=True)
class Provider:
    """The endpoint in use. `window` is in tokens; a slim model gets few tools and a short system message.

    `slim_below` is the window from which on a model is not slim, 0 where the person wants none to be.
    """

    endpoint: Endpoint
    source: Origin
    label: str
    window: int
    is_slim: bool
    notice: str = ""
    window_source: WindowOrigin = "unknown"
    vision: bool | None = None
    """Whether the model sees images; None where nobody knows."""
    slim_below: int = SLIM_BELOW
    learned_at: float | None = None
    """When the window was learned, in seconds since the epoch."""

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
            **self.window_origin(),
            "vision": self.vision,
        }
        return {**status, "notice": self.notice} if self.notice else status

    def window_origin(self) -> dict[str, Any]:
        """Where the window comes from, as the panel shows it."""
        learned = {} if self.learned_at is None else {"windowLearnedAt": self.learned_at}
        note = _WINDOW_NOTES[self.window_source].format(
            window=f"{self.window:,}", date=time.strftime("%d %B %Y", time.localtime(self.learned_at))
        )
        return {"windowSource": self.window_source, "windowNote": note, **learned}


def choose(
    settings: Settings, saved_settings: SavedSettings, server: LocalServer | None = None
) -> ProviderChoice:
    """The environment wins over what was entered in the panel, and both over what was found on this machine."""
    base_url, base_url_source = _first(
        (settings.base_url, settings.provider_source),
        (saved_settings.base_url, "settings"),
        (server.base_url if server else "", "discovered"),
    )
    saved_model = saved_settings.model if saved_settings.base_url in ("", base_url) else ""
    model, model_source = _first(
        (settings.model, settings.provider_source),
        (saved_model, "settings"),
        (server.models[0] if server and server.base_url == base_url else "", "discovered"),
    )
    saved_key = saved_settings.key_for(base_url)
    # A key from the environment belongs to the base URL from the environment, and to no other.
    if settings.api_key and base_url_source == settings.provider_source:
        return ProviderChoice(
            base_url, base_url_source, model, model_source, settings.api_key, settings.provider_source
        )
    return ProviderChoice(
        base_url, base_url_source, model, model_source, saved_key, "settings" if saved_key else "none"
    )


class ProviderDirectory:
    """Finds the provider in use; what servers say of themselves is remembered for a time."""

    def __init__(
        self,
        settings: Settings,
        *,
        saved_settings: Callable[[], Awaitable[SavedSettings]],
        facts: Facts,
        discovery: Discovery,
        listing: ModelListing,
        windows: Windows | None = None,
        rules: LearnedRules | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._saved_settings = saved_settings
        self._windows = windows
        self._rules = rules or LearnedRules()
        self._told_windows: dict[tuple[str, str], int] = {}
        self._facts = AnswerCache(facts, seconds=self._worth_of_facts, clock=clock)
        self._models = AnswerCache(listing, seconds=lambda *_: 60.0, clock=clock)
        self._servers = AnswerCache(lambda _: discovery(), seconds=lambda *_: 15.0, clock=clock)

    async def choice(self) -> ProviderChoice:
        saved_settings = await self._saved_settings()
        if self._settings.base_url or saved_settings.base_url or not self._settings.discovery:
            return choose(self._settings, saved_settings)
        servers = await self.local_servers()
        return choose(self._settings, saved_settings, servers[0] if servers else None)

    async def current(self, *, model: str = "") -> Provider:
        """The provider in use, with another `model` of it where one is asked for.

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
        model = model or choice.model or await self._only_local_model(choice)
        if not model:
            raise ProviderError(
                "no_model",
                f"No model is chosen for {choice.base_url}.",
                hint="Open Settings and choose one from the list.",
                status=409,
            )
        return await self.describe(
            Endpoint(
                choice.base_url,
                model,
                choice.key,
                is_local(choice.base_url),
                self._settings.reply_seconds,
            ),
            choice,
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

    async def describe(self, endpoint: Endpoint, choice: ProviderChoice) -> Provider:
        server = await self._facts.answer(endpoint)
        learned_window = self._learned_window(endpoint, self._settings.context_window or server.window)
        facts = model_facts(
            endpoint.model,
            override=self._settings.context_window,
            server=server,
            learned_window=learned_window.window if learned_window else None,
            is_local=endpoint.is_local,
        )
        is_slim = {"slim": True, "full": False}.get(self._settings.profile, facts.window < SLIM_BELOW)
        learned_at = (
            learned_window.learned_at if learned_window and facts.window_source == "learned" else None
        )
        return Provider(
            endpoint=endpoint,
            source=choice.base_url_source,
            label=self._settings.label or endpoint.model.rsplit("/", 1)[-1],
            window=facts.window,
            is_slim=is_slim,
            notice=self._settings.notice or _notice(facts.window, is_slim),
            window_source=facts.window_source,
            vision=facts.vision,
            slim_below=0 if self._settings.profile == "full" else SLIM_BELOW,
            learned_at=learned_at,
        )

    def _learned_window(self, endpoint: Endpoint, told: int | None) -> LearnedWindow | None:
        """Not one that was learned before the server or the setting named another window: that one is tried."""
        key = (endpoint.base_url, endpoint.model)
        if self._windows is None:
            return None
        if told is not None and self._told_windows.setdefault(key, told) != told:
            self._told_windows[key] = told
            self._windows.release()
        return self._windows.get(*key)

    async def forget_window(self) -> None:
        """Let the model in use be asked with its whole window again.

        Raises:
            ProviderError: as `current` does.
        """
        endpoint = (await self.current()).endpoint
        if self._windows is not None:
            await self._windows.forget(endpoint.base_url, endpoint.model)

    async def forget_rules(self) -> None:
        """Let the endpoint in use be asked as any other again.

        Raises:
            ProviderError: as `current` does.
        """
        endpoint = (await self.current()).endpoint
        await self._rules.forget(endpoint.base_url, endpoint.model)

    async def rules_note(self) -> RulesNote | None:
        """What the endpoint in use has taught by refusing."""
        try:
            endpoint = (await self.current()).endpoint
        except AssistantError:
            return None
        return await self._rules.note(endpoint.base_url, endpoint.model)

    async def local_servers(self) -> list[LocalServer]:
        return await self._servers.answer("this machine")

    def forget(self) -> None:
        """Ask again, after settings have changed."""
        if self._windows is not None:
            self._windows.release()
        self._facts.forget()
        self._models.forget()
        self._servers.forget()

    def _worth_of_facts(self, endpoint: Endpoint, facts: ServerFacts) -> float:
        """A server here that is busy may not answer in time, so its silence is believed for a moment only."""
        if not endpoint.is_local:
            return 3_600.0
        if self._settings.context_window:
            return 600.0
        return 60.0 if facts.window else 5.0

    async def _only_local_model(self, choice: ProviderChoice) -> str:
        """A server on this machine is asked for its models; at others somebody chooses, since requests may cost."""
        if not is_local(choice.base_url):
            return ""
        models = await self._models.answer(Endpoint(choice.base_url, "", choice.key, is_local=True))
        return models[0] if models else ""


def _first(*candidates: tuple[str, Origin]) -> tuple[str, Origin]:
    none: tuple[str, Literal["none"]] = ("", "none")
    return next((candidate for candidate in candidates if candidate[0]), none)


def _notice(window: int, is_slim: bool) -> str:
    if not is_slim:
        return ""
    return (
        f"This model reads {window:,} tokens at once, so it gets a short set of tools. "
        "For whole workflows give its server a larger context, 16,000 tokens or more."
    )
