"""What a body says of a provider, checked field by field; None where it does not name one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import RequestError
from ..network.base_url import normal_base_url, without_secrets
from ..secret import Secret, usable_key
from ..store.saved_providers import EFFORTS, PROFILES, SavedProvider

_MAX_LENGTH = 2_000
_LONGEST_NAME = 80
_SMALLEST_WINDOW, _LARGEST_WINDOW = 2_048, 100_000_000
_HIGHEST_PRICE = 100_000
_HIGHEST_TEMPERATURE = 2


def base_url_in(body: Mapping[str, Any]) -> str | None:
    text = text_in(body, "baseUrl")
    if not text:
        return text
    try:
        return normal_base_url(text)
    except ValueError as error:
        raise RequestError(
            "invalid_request",
            f'"{without_secrets(text)}" is no address of a model server; expected {error}.',
            hint="Correct the base URL. Keys have their own field.",
        ) from None


def key_in(body: Mapping[str, Any]) -> Secret | None:
    """An empty one takes it away."""
    text = text_in(body, "apiKey")
    try:
        return None if text is None else usable_key(text)
    except ValueError as error:
        raise RequestError(
            "invalid_request",
            f"This is no API key; expected {error}.",
            hint="Copy the key once more from the provider's page, without quotes and line breaks.",
        ) from None


def text_in(body: Mapping[str, Any], name: str) -> str | None:
    value = body.get(name)
    if value is not None and (not isinstance(value, str) or len(value) > _MAX_LENGTH):
        raise _invalid(name, f"no text of at most {_MAX_LENGTH} characters")
    return value.strip() if value is not None else None


def changed_provider(provider: SavedProvider, body: Mapping[str, Any]) -> SavedProvider:
    """With what a body names; null, or an empty text, takes a value away."""
    if (base_url := base_url_in(body)) is not None:
        provider = provider.at(base_url)
    if (model := text_in(body, "model")) is not None:
        provider = provider.asking(model)
    changes: dict[str, Any] = {name: read(body[name]) for name, read in _READERS.items() if name in body}
    if "dropsSystem" in body:
        changes["drops_system"] = _read_switch("dropsSystem", body["dropsSystem"]) is True
    return replace(provider, **changes)


def _read_name(value: Any) -> str:
    name = " ".join(value.split()) if isinstance(value, str) else "" if value is None else None
    if name is None or len(name) > _LONGEST_NAME:
        raise _invalid("name", f"no text of at most {_LONGEST_NAME} characters")
    return name


def _read_window(value: Any) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or not _SMALLEST_WINDOW <= value <= _LARGEST_WINDOW:
        raise _invalid("window", f"no whole number of tokens from {_SMALLEST_WINDOW:,} on")
    return value


def _read_vision(value: Any) -> bool | None:
    return _read_switch("vision", value)


def _read_switch(name: str, value: Any) -> bool | None:
    if not (value is None or isinstance(value, bool)):
        raise _invalid(name, "neither true, false nor null")
    return value


def _read_profile(value: Any) -> str:
    profile = "auto" if value is None else value
    if profile not in PROFILES:
        raise _invalid("profile", f"none of {', '.join(PROFILES)}")
    return str(profile)


def _read_price(value: Any) -> tuple[float, float, float] | None:
    if value is None:
        return None
    given = value if isinstance(value, Mapping) else {}
    of_input, of_output = given.get("input"), given.get("output")
    price = (of_input, given.get("cached", of_input), of_output)
    if not all(_is_amount(dollars, _HIGHEST_PRICE) for dollars in price):
        raise _invalid("price", "not {input, cached, output} in dollars for a million tokens")
    return tuple(map(float, price))  # type: ignore[return-value, arg-type]


def _read_effort(value: Any) -> str:
    if value not in (None, "", *EFFORTS):
        raise _invalid("effort", f"none of {', '.join(EFFORTS)}")
    return value or ""


def _read_temperature(value: Any) -> float | None:
    if value is None:
        return None
    if not _is_amount(value, _HIGHEST_TEMPERATURE):
        raise _invalid("temperature", f"no number from 0 to {_HIGHEST_TEMPERATURE}")
    return float(value)


def _is_amount(value: Any, highest: float) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and 0 <= value <= highest


_READERS = {
    "name": _read_name,
    "window": _read_window,
    "vision": _read_vision,
    "profile": _read_profile,
    "price": _read_price,
    "effort": _read_effort,
    "temperature": _read_temperature,
}


def _invalid(name: str, problem: str) -> RequestError:
    return RequestError("invalid_request", f"{name} is {problem}.", hint="Correct it and save again.")
