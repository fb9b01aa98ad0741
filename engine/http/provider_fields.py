"""The fields of a provider in a request's body, and their effect on the provider."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, WithJsonSchema

from ..base.errors import RequestError
from ..base.network.base_url import normal_base_url, without_secrets
from ..base.request_body import Body
from ..base.secret import Secret, usable_key
from ..base.validation import NOT_QUOTED
from ..settings.settings import Profile
from ..store.saved_settings import SavedProvider

_MAX_LENGTH = 2_000
_LONGEST_NAME = 80
_SMALLEST_WINDOW, _LARGEST_WINDOW = 2_048, 100_000_000
_HIGHEST_PRICE = 100_000
_HIGHEST_TEMPERATURE = 2


def read_base_url(text: str) -> str:
    """Return a base URL in its normal form, "" for none.

    Raises:
        RequestError: `invalid_request`.
    """
    try:
        return normal_base_url(text.strip()) if text.strip() else ""
    except ValueError as error:
        raise RequestError(
            "invalid_request",
            f'"{without_secrets(text.strip())}" is no address of a model server; expected {error}.',
            hint="Correct the base URL. Keys have their own field.",
        ) from None


def read_key(value: Any) -> Secret:
    """Return an API key.

    Raises:
        RequestError: `invalid_request`.
        ValueError: it is no text, or a long one; the message says what was expected.
    """
    if not isinstance(value, str) or len(value) > _MAX_LENGTH:
        raise ValueError(f"a text of at most {_MAX_LENGTH:,} characters")
    try:
        return usable_key(value.strip())
    except ValueError as error:
        raise RequestError(
            "invalid_request",
            f"This is no API key; expected {error}.",
            hint="Copy the key once more from the provider's page, without quotes and line breaks.",
        ) from None


def _on_one_line(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value


Text = Annotated[str, Field(max_length=_MAX_LENGTH), AfterValidator(str.strip)]
BaseUrl = Annotated[str, Field(max_length=_MAX_LENGTH), AfterValidator(read_base_url)]
Key = Annotated[Secret, PlainValidator(read_key), WithJsonSchema({"type": "string", **NOT_QUOTED})]
Name = Annotated[str, BeforeValidator(_on_one_line), Field(max_length=_LONGEST_NAME)]
Dollars = Annotated[float, Field(ge=0, le=_HIGHEST_PRICE)]


class EndpointBody(Body):
    base_url: BaseUrl | None = Field(None, description="the address of the API, mostly ending in `/v1`")
    model: Text | None = Field(None, description="the server's name for the model")
    api_key: Key | None = Field(
        None, description='the key, which is never sent elsewhere nor returned; "" removes it'
    )


class PriceBody(Body):
    input: Dollars
    cached: Dollars | None = None
    output: Dollars

    def per_million(self) -> tuple[float, float, float]:
        return self.input, self.input if self.cached is None else self.cached, self.output


class ProviderBody(EndpointBody):
    """The fields of a provider. In a change, null removes a value, and a missing field keeps it."""

    name: Name | None = Field(None, description="the name in the panel")
    window: Annotated[int, Field(ge=_SMALLEST_WINDOW, le=_LARGEST_WINDOW)] | None = Field(
        None, description="the context window, in tokens"
    )
    vision: bool | None = Field(None, description="whether the model sees images")
    profile: Profile | None = Field(None, description="the form of the system message and tools")
    price: PriceBody | None = Field(
        None,
        description="dollars per million tokens; `cached` is by default the price of the input",
    )
    effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh"] | None = Field(
        None,
        description="how much a model may reason; sent with each request, as `temperature` is",
    )
    temperature: Annotated[float, Field(ge=0, le=_HIGHEST_TEMPERATURE)] | None = Field(
        None, description="left out if the server has refused that value"
    )
    drops_system: bool | None = Field(
        None, description="whether the system message goes into the first user message"
    )
    is_default: bool | None = Field(None, description="whether it is the default provider")


_IF_NULL: dict[str, Any] = {"name": "", "profile": "auto", "effort": "", "drops_system": False}
_ENTERED = ("name", "window", "vision", "profile", "price", "effort", "temperature", "drops_system")


def apply_changes(provider: SavedProvider, body: ProviderBody) -> SavedProvider:
    """Return the provider with the fields of a body; null or an empty text removes a value."""
    if body.base_url is not None:
        provider = provider.with_base_url(body.base_url)
    if body.model is not None:
        provider = provider.with_model(body.model)
    changes: dict[str, Any] = {}
    for name in body.model_fields_set.intersection(_ENTERED):
        value = getattr(body, name)
        changes[name] = _IF_NULL.get(name) if value is None else value
    if isinstance(price := changes.get("price"), PriceBody):
        changes["price"] = price.per_million()
    return replace(provider, **changes)
