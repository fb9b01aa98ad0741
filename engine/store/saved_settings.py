"""The saved settings of a user as values: the providers, the keys by their places, and the options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from ..base.secret import Secret
from ..settings.options import OptionValue
from ..settings.settings import Profile

PROFILES: tuple[Profile, ...] = ("auto", "slim", "full")
ENVIRONMENT_PROVIDER = "environment"
"""The id of the provider that the environment names; its saved values are those that the environment leaves open."""

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
"""The efforts of a model that reasons: https://platform.openai.com/docs/guides/reasoning"""

_OF_API = re.compile(r"api|openai|v\d+\w*")

DollarsPerMillion = tuple[float, float, float]
"""Dollars per million tokens: of the input, of its cached part, of the output."""


@dataclass(frozen=True)
class SavedSettings:
    """The saved settings of a user.

    A key belongs to the place that it was entered for, so it is never sent to another host or tenant. All providers
    at that place share it, except those with a key of their own. `config` has the options changed with `/config`,
    `download_hosts` the hosts of model files. `default_provider` is "" until the user chooses one.
    """

    providers: tuple[SavedProvider, ...] = ()
    default_provider: str = ""
    keys: dict[str, Secret] = field(default_factory=dict)
    config: dict[str, OptionValue] = field(default_factory=dict)
    download_hosts: tuple[str, ...] = ()
    trusted_packages: tuple[str, ...] = ()
    """Node packages that the assistant may run without asking."""

    def key_for(self, base_url: str) -> Secret:
        """Return the key for the place of an address, or an empty one."""
        return self.keys.get(key_place(base_url), Secret(""))

    def with_key(self, base_url: str, key: Secret) -> SavedSettings:
        """Return the settings with a key for the place of an address; an empty one removes the key."""
        others = {place: secret for place, secret in self.keys.items() if place != key_place(base_url)}
        return replace(self, keys={**others, key_place(base_url): key} if key else others)

    def with_setting(self, name: str, value: OptionValue) -> SavedSettings:
        """Return the settings with an option changed; None removes it."""
        config = {key: setting for key, setting in self.config.items() if key != name}
        return replace(self, config=config if value is None else {**config, name: value})

    def provider(self, provider_id: str) -> SavedProvider | None:
        """Return the provider with an id, or None."""
        return next((each for each in self.providers if each.id == provider_id), None)

    def with_provider(self, provider: SavedProvider) -> SavedSettings:
        """Return the settings with a provider added, or replaced if its id is there."""
        before = self.provider(provider.id)
        if before is None:
            return replace(self, providers=(*self.providers, provider))
        others = tuple(provider if each is before else each for each in self.providers)
        return replace(self, providers=others)._without_unused_keys(before)

    def without_provider(self, provider_id: str) -> SavedSettings:
        """Return the settings without a provider, and without a key that no other one uses."""
        before = self.provider(provider_id)
        others = tuple(each for each in self.providers if each is not before)
        default = "" if self.default_provider == provider_id else self.default_provider
        settings = replace(self, providers=others, default_provider=default)
        return settings if before is None else settings._without_unused_keys(before)

    def with_default_provider(self, provider_id: str) -> SavedSettings:
        """Return the settings with another default provider; "" for none."""
        return replace(self, default_provider=provider_id)

    def key_of(self, provider: SavedProvider) -> Secret:
        """Return a provider's own key, else the one for its address."""
        return self.keys.get(provider.own_key_place) or self.key_for(provider.base_url)

    def with_key_of(self, provider: SavedProvider, key: Secret, *, is_new: bool = False) -> SavedSettings:
        """Return the settings with another key for a provider.

        It replaces the key of all providers that share it, unless the provider `is_new`: then it becomes its own key.
        """
        own, shared = provider.own_key_place, self.key_for(provider.base_url)
        if own not in self.keys and not (is_new and key and shared and shared != key):
            return self.with_key(provider.base_url, key)
        others = {place: secret for place, secret in self.keys.items() if place != own}
        return replace(self, keys={**others, own: key} if key else others)

    def _without_unused_keys(self, before: SavedProvider) -> SavedSettings:
        used = {each.own_key_place for each in self.providers}
        used |= {key_place(each.base_url) for each in self.providers}
        used |= {key_place(host) for host in self.download_hosts}
        unused = {before.own_key_place, key_place(before.base_url)} - used
        return replace(
            self, keys={place: secret for place, secret in self.keys.items() if place not in unused}
        )


@dataclass(frozen=True)
class SavedProvider:
    """The saved values of a provider; empty values and None were not entered and are looked up."""

    id: str
    base_url: str = ""
    model: str = ""
    name: str = ""
    window: int | None = None
    vision: bool | None = None
    profile: Profile = "auto"
    price: DollarsPerMillion | None = None
    effort: str = ""
    temperature: float | None = None
    drops_system: bool = False

    @property
    def own_key_place(self) -> str:
        """The place of the provider's own key, which is not used at another address."""
        return f"{key_place(self.base_url)}#{self.id}"

    def with_base_url(self, base_url: str) -> SavedProvider:
        """Return the provider with another address; at another origin, without its model."""
        if origin(base_url) == origin(self.base_url):
            return replace(self, base_url=base_url)
        return replace(self, base_url=base_url).with_model("")

    def with_model(self, model: str) -> SavedProvider:
        """Return the provider with another model, without the values of the previous one."""
        if model == self.model:
            return self
        return replace(self, model=model, window=None, vision=None, price=None, effort="", temperature=None)

    def as_json(self) -> dict[str, Any]:
        """Return the values for the file, without those that were not entered."""
        entry: dict[str, Any] = {
            "id": self.id,
            "baseUrl": self.base_url,
            "model": self.model,
            "name": self.name,
            "window": self.window,
            "vision": self.vision,
            "profile": self.profile,
            "price": None if self.price is None else list(self.price),
            "effort": self.effort,
            "temperature": self.temperature,
            "dropsSystem": self.drops_system or None,
        }
        return {name: value for name, value in entry.items() if value not in ("", None, "auto")}


def origin(base_url: str) -> str:
    """Return scheme, host and port of an address."""
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def key_place(base_url: str) -> str:
    """Return the place that a key belongs to: the origin, with the first folder on a gateway that serves several
    tenants.

    Folders that name the API belong to no tenant: the place of `https://one.example/api/v1` is `https://one.example`.
    """
    folders = [each for each in urlsplit(base_url).path.lower().split("/") if each]
    tenant = next((each for each in folders if not _OF_API.fullmatch(each)), "")
    return f"{origin(base_url)}/{tenant}" if tenant else origin(base_url)


def read_providers(saved: Mapping[str, Any]) -> tuple[SavedProvider, ...]:
    """Return the providers of the saved settings.

    Raises:
        ValueError, TypeError, LookupError, AttributeError: these are no saved settings.
    """
    if "baseUrl" in saved:
        raise ValueError('it has a "baseUrl" of its own; an address belongs to one of the "providers"')
    return tuple(map(_read_provider, saved.get("providers", ())))


def _read_provider(entry: Mapping[str, Any]) -> SavedProvider:
    profiles: dict[str, Profile] = {each: each for each in PROFILES}
    window, vision, profile, price = (entry.get(name) for name in ("window", "vision", "profile", "price"))
    effort, temperature = entry.get("effort"), entry.get("temperature")
    return SavedProvider(
        str(entry["id"]),
        str(entry.get("baseUrl", "")),
        str(entry.get("model", "")),
        str(entry.get("name", "")),
        None if window is None else int(window),
        None if vision is None else bool(vision),
        profiles.get(str(profile), "auto"),
        None if price is None else _read_price(price),
        effort if effort in EFFORTS else "",
        None if temperature is None else float(temperature),
        entry.get("dropsSystem") is True,
    )


def _read_price(price: Any) -> DollarsPerMillion:
    of_input, cached, of_output = map(float, price)
    return of_input, cached, of_output
