"""The providers that can be chosen, and the default one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ..base.errors import RequestError
from ..base.secret import Secret
from ..settings.settings import Origin, Settings
from ..store.saved_settings import ENVIRONMENT_PROVIDER, SavedProvider, SavedSettings, origin
from .known.probe import LocalServer

FOUND_HERE = "found-here"
"""The id of a server found on this machine, where nothing was entered."""


@dataclass(frozen=True)
class ProviderChoice:
    """A base URL and a model with their sources. The model is "" until one is chosen.

    `own` holds the other values that the user entered.
    """

    base_url: str
    base_url_source: Origin
    model: str
    model_source: Origin
    key: Secret
    key_source: Origin
    id: str = ""
    own: SavedProvider = field(default_factory=lambda: SavedProvider(""))

    def own_of(self, model: str) -> SavedProvider:
        """Return the entered values that apply to `model`: window, vision and price belong to one model."""
        return self.own if model == self.model or not self.model else SavedProvider(self.id)


_NOTHING = ProviderChoice("", "none", "", "none", Secret(""), "none")


def provider_choices(
    settings: Settings, saved: SavedSettings, server: LocalServer | None = None
) -> list[ProviderChoice]:
    """Return the environment's provider, then those entered in the panel; if none, the server found here."""
    found: list[ProviderChoice] = []
    if settings.base_url:
        found.append(_environment_choice(settings, saved))
    own = [each for each in saved.providers if each.id != ENVIRONMENT_PROVIDER or not settings.base_url]
    found += [_saved_choice(settings, saved, each) for each in own if each.base_url]
    if not found and server is not None:
        found.append(_discovered_choice(settings, saved, server))
    return found


def default_of(choices: Sequence[ProviderChoice], saved: SavedSettings) -> ProviderChoice:
    """Return the provider that the user made the default, else the first one."""
    first = choices[0] if choices else _NOTHING
    return next((choice for choice in choices if choice.id == saved.default_provider), first)


def name_of(choice: ProviderChoice) -> str:
    """Return the user's name for a provider, else its model, else its server."""
    return choice.own.name or choice.model.rsplit("/", 1)[-1] or origin(choice.base_url).partition("//")[2]


def provider_named(choices: Sequence[ProviderChoice], words: str) -> ProviderChoice:
    """Return the provider with this id, name or model, or the only one that begins with it.

    Raises:
        RequestError: `not_found`.
    """
    query = words.strip().lower()
    names = [(choice, {choice.id, name_of(choice).lower(), choice.model.lower()}) for choice in choices]
    same = [choice for choice, each in names if query in each]
    begins = [choice for choice, each in names if any(name.startswith(query) for name in each)]
    if same or len(begins) == 1:
        return (same or begins)[0]
    known = ", ".join(name_of(choice) for choice in (begins or choices)[:8])
    raise RequestError(
        "not_found",
        f'There is no provider "{words[:60]}".',
        hint=f"There are: {known}." if known else "Add one in the settings.",
        status=404,
    )


def own_of_environment(settings: Settings, saved: SavedSettings) -> SavedProvider:
    """Return the values entered for the environment's provider, unless they belong to another address."""
    own = saved.provider(ENVIRONMENT_PROVIDER)
    if own is None or own.base_url not in ("", settings.base_url):
        return SavedProvider(ENVIRONMENT_PROVIDER, settings.base_url)
    return replace(own, base_url=settings.base_url)


def _environment_choice(settings: Settings, saved: SavedSettings) -> ProviderChoice:
    """Return the environment's provider, completed by values entered for it or for the same address."""
    own = own_of_environment(settings, saved)
    at_this_address = next((each.model for each in saved.providers if each.base_url == settings.base_url), "")
    source = settings.provider_source
    model, model_source = _first_value(
        (settings.model, source), (own.model, "settings"), (at_this_address, "settings")
    )
    # A key from the environment is sent only to the base URL from the environment.
    key = settings.api_key or saved.key_of(own)
    key_source = source if settings.api_key else "settings" if key else "none"
    return ProviderChoice(
        settings.base_url, source, model, model_source, key, key_source, ENVIRONMENT_PROVIDER, own
    )


def _saved_choice(settings: Settings, saved: SavedSettings, own: SavedProvider) -> ProviderChoice:
    model, model_source = _first_value(
        (own.model, "settings"), ("" if settings.base_url else settings.model, settings.provider_source)
    )
    key = saved.key_of(own)
    return ProviderChoice(
        own.base_url, "settings", model, model_source, key, "settings" if key else "none", own.id, own
    )


def _discovered_choice(settings: Settings, saved: SavedSettings, server: LocalServer) -> ProviderChoice:
    own = saved.provider(ENVIRONMENT_PROVIDER)
    model, model_source = _first_value(
        (settings.model, settings.provider_source),
        (own.model if own else "", "settings"),
        (server.models[0], "discovered"),
    )
    key = saved.key_for(server.base_url)
    return ProviderChoice(
        server.base_url, "discovered", model, model_source, key, "settings" if key else "none", FOUND_HERE
    )


def _first_value(*candidates: tuple[str, Origin]) -> tuple[str, Origin]:
    none: tuple[str, Literal["none"]] = ("", "none")
    return next((candidate for candidate in candidates if candidate[0]), none)
