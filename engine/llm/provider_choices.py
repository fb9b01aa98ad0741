"""The providers that there are to choose from, and the one that holds where nobody chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ..base.errors import RequestError
from ..base.secret import Secret
from ..settings.settings import Origin, Settings
from ..store.saved_providers import OF_ENVIRONMENT, SavedProvider, origin
from ..store.saved_settings import SavedSettings
from .known.probe import LocalServer

FOUND_HERE = "found-here"
"""The id of what answers on this machine, where nobody entered anything."""


@dataclass(frozen=True)
class ProviderChoice:
    """A base URL, a model and where each was decided. The model is empty until somebody chose one.

    `own` is what the person entered of it besides.
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
        """What was entered of it as far as that is about a model: windows, eyes and prices are one model's."""
        return self.own if model == self.model or not self.model else SavedProvider(self.id)


_NOTHING = ProviderChoice("", "none", "", "none", Secret(""), "none")


def provider_choices(
    settings: Settings, saved: SavedSettings, server: LocalServer | None = None
) -> list[ProviderChoice]:
    """That of the environment, those that were entered in the panel, else what was found on this machine."""
    found: list[ProviderChoice] = []
    if settings.base_url:
        found.append(_of_environment(settings, saved))
    own = [each for each in saved.providers if each.id != OF_ENVIRONMENT or not settings.base_url]
    found += [_entered(settings, saved, each) for each in own if each.base_url]
    if not found and server is not None:
        found.append(_found(settings, saved, server))
    return found


def default_of(choices: Sequence[ProviderChoice], saved: SavedSettings) -> ProviderChoice:
    """The one that the person made the default, else the first one that there is."""
    first = choices[0] if choices else _NOTHING
    return next((choice for choice in choices if choice.id == saved.default_provider), first)


def name_of(choice: ProviderChoice) -> str:
    """As the person called it, else its model, else its server."""
    return choice.own.name or choice.model.rsplit("/", 1)[-1] or origin(choice.base_url).partition("//")[2]


def provider_named(choices: Sequence[ProviderChoice], words: str) -> ProviderChoice:
    """By its id, its name, its model, or what only one begins with.

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
    """What was entered of the environment's provider. That of another address is about another server."""
    own = saved.provider(OF_ENVIRONMENT)
    if own is None or own.base_url not in ("", settings.base_url):
        return SavedProvider(OF_ENVIRONMENT, settings.base_url)
    return replace(own, base_url=settings.base_url)


def _of_environment(settings: Settings, saved: SavedSettings) -> ProviderChoice:
    """What the environment leaves open can be entered: for it, or for the same address."""
    own = own_of_environment(settings, saved)
    at_this_address = next((each.model for each in saved.providers if each.base_url == settings.base_url), "")
    source = settings.provider_source
    model, model_source = _first(
        (settings.model, source), (own.model, "settings"), (at_this_address, "settings")
    )
    # A key from the environment belongs to the base URL from the environment, and to no other.
    key = settings.api_key or saved.key_of(own)
    key_source = source if settings.api_key else "settings" if key else "none"
    return ProviderChoice(
        settings.base_url, source, model, model_source, key, key_source, OF_ENVIRONMENT, own
    )


def _entered(settings: Settings, saved: SavedSettings, own: SavedProvider) -> ProviderChoice:
    model, model_source = _first(
        (own.model, "settings"), ("" if settings.base_url else settings.model, settings.provider_source)
    )
    key = saved.key_of(own)
    return ProviderChoice(
        own.base_url, "settings", model, model_source, key, "settings" if key else "none", own.id, own
    )


def _found(settings: Settings, saved: SavedSettings, server: LocalServer) -> ProviderChoice:
    own = saved.provider(OF_ENVIRONMENT)
    model, model_source = _first(
        (settings.model, settings.provider_source),
        (own.model if own else "", "settings"),
        (server.models[0], "discovered"),
    )
    key = saved.key_for(server.base_url)
    return ProviderChoice(
        server.base_url, "discovered", model, model_source, key, "settings" if key else "none", FOUND_HERE
    )


def _first(*candidates: tuple[str, Origin]) -> tuple[str, Origin]:
    none: tuple[str, Literal["none"]] = ("", "none")
    return next((candidate for candidate in candidates if candidate[0]), none)
