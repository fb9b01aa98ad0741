"""The saved values of a user's providers, without their keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

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
