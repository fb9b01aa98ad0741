"""The facts on a model by source: its server, the bundled table, an error, its name; and its price."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from ...base.events import Usage
from ..endpoint import Endpoint
from .server_facts import ServerFacts, facts_of_entry

UNKNOWN_WINDOW = 32_000

Fact = TypeVar("Fact")

WindowOrigin = Literal["you", "setting", "endpoint", "table", "learned", "unknown"]
FactOrigin = Literal["you", "setting", "endpoint", "name", "table", "unknown"]
PriceSource = Literal["you", "endpoint", "local", "table", "unknown"]

_SAYS_THAT_IT_SEES = re.compile(
    r"(?:(?<![a-z])(?:vl|vlm|vision|multimodal|omni)|\dv)(?![a-z0-9])", re.IGNORECASE
)
_SILENT = ServerFacts()

TABLE = Path(__file__).with_name("model_table.json")

_MILLION = 1_000_000
_LONGEST_NAME = 200
"""The number of characters of a name that are read: servers send names of any length."""
_HOST = re.compile(
    r"^(?:ft:)?(?:(?:us-gov|us|eu|apac|jp|au|ca|global)\.)?(?:(?:anthropic|amazon|meta|mistral|cohere|ai21|writer|openai|google)\.)?"
)
_EDITION = re.compile(
    r"(?::(?:free|nitro|floor|beta|extended|thinking|online|latest)|@[\w-]+|-v\d+:\d+\w*)+$"
)
_ONLY_HOSTED = re.compile(r"(?:chatgpt|gpt-[3-9]|o[1-9]|claude|gemini|grok-[3-9])(?![a-z])")
"""Names of models without public weights: a local server that offers one forwards the requests."""


@dataclass(frozen=True)
class ModelFacts:
    """The window in tokens, and whether the model sees images, or None; each with its source."""

    window: int
    window_source: WindowOrigin
    vision: bool | None = None
    vision_source: FactOrigin = "unknown"


def model_facts(
    model: str,
    *,
    override: int | None = None,
    server: ServerFacts = _SILENT,
    learned_window: int | None = None,
    is_local: bool = False,
) -> ModelFacts:
    """Return each fact from the first source that has it.

    `override` is the user's setting, `learned_window` the one in an overflow error; both are in tokens.
    """
    window, source = _window(model, override, server.window, learned_window, is_local)
    return ModelFacts(window, source, *_vision(model, server.vision))


def model_entries(endpoint: Endpoint, entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the models; window and price are None where neither the list nor the bundled table has them."""
    return [_entry_with_facts(replace(endpoint, model=str(entry["id"])), entry) for entry in entries]


def _entry_with_facts(endpoint: Endpoint, entry: dict[str, Any]) -> dict[str, Any]:
    told = facts_of_entry(entry)
    facts = model_facts(endpoint.model, server=told, is_local=endpoint.is_near)
    price = price_of(replace(endpoint, price=told.price))
    return {
        "id": endpoint.model,
        "window": None if facts.window_source == "unknown" else facts.window,
        "vision": facts.vision,
        "price": price and price.as_json(),
    }


def _window(
    model: str, override: int | None, server_window: int | None, learned_window: int | None, is_local: bool
) -> tuple[int, WindowOrigin]:
    """Return the window and its source.

    A smaller window from an error wins over any promise: the server that refused a request knows best. The table does
    not count for a local model, whose server decides how much of the model's window it allocates.
    """
    known: tuple[int, WindowOrigin]
    if override:
        known = override, "setting"
    elif server_window:
        known = server_window, "endpoint"
    elif in_table := None if is_local else listed_window(model):
        known = in_table, "table"
    else:
        return (learned_window, "learned") if learned_window else (UNKNOWN_WINDOW, "unknown")
    return (learned_window, "learned") if learned_window and learned_window < known[0] else known


def _vision(model: str, server_vision: bool | None) -> tuple[bool | None, FactOrigin]:
    """Return whether the model sees images; "vision" in its name wins over a family in the table that does not."""
    if server_vision is not None:
        return server_vision, "endpoint"
    if _SAYS_THAT_IT_SEES.search(model.rsplit("/", 1)[-1]):
        return True, "name"
    listed = listed_vision(model)
    return listed, "unknown" if listed is None else "table"


def listed_window(model: str) -> int | None:
    """Return the context window of a model in tokens."""
    return look_up(model, _bundled_table()["windows"])


def listed_vision(model: str) -> bool | None:
    """Return whether a model sees images."""
    return look_up(model, _bundled_table()["vision"])


def listed_price(model: str) -> Sequence[float] | None:
    """Return the price in dollars per million tokens: input, cached input, output."""
    return look_up(model, _bundled_table()["prices"])


def look_up(model: str, facts: Mapping[str, Fact]) -> Fact | None:
    """Return a model's entry in a table, by its name or else by the longest prefix with a version number.

    A dated snapshot, a preview or a fine-tune thus has the facts of its family.
    """
    return next((facts[name] for name in _family(normal_name(model)) if name in facts), None)


def normal_name(model: str) -> str:
    """Return a model's name without what providers add to it: `openai/GPT-4.1:free` is `gpt-4-1`."""
    name = model[:_LONGEST_NAME].strip().lower().rsplit("/", 1)[-1]
    name = _HOST.sub("", name)
    name = _EDITION.sub("", name)
    return re.sub(r"[._: ]+", "-", name).strip("-")


@lru_cache(maxsize=1)
def _bundled_table() -> Mapping[str, Any]:
    """Read the table that `python -m dev model-table` writes, keyed by normal name."""
    return json.loads(TABLE.read_text("utf-8"))


def _family(name: str) -> Iterator[str]:
    yield name
    segments = name.split("-")
    for length in range(len(segments) - 1, 0, -1):
        if any(character.isdigit() for segment in segments[:length] for character in segment):
            yield "-".join(segments[:length])


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens; `cached` is for input tokens from the provider's cache."""

    input: float
    cached: float
    output: float

    def as_json(self) -> dict[str, float]:
        return {"input": self.input, "cached": self.cached, "output": self.output}

    def of(self, usage: Usage) -> float:
        """Return the dollars that a request cost."""
        cached = usage.cached_tokens or 0
        fresh = max(0, usage.input_tokens - cached)
        return (fresh * self.input + cached * self.cached + usage.output_tokens * self.output) / _MILLION


FREE = Price(0, 0, 0)


def price_of(endpoint: Endpoint) -> Price | None:
    """Return the price of an endpoint's model: the endpoint's own, zero for a local model or a gateway's free
    edition, else that of the bundled table; None where it has none.
    """
    if endpoint.price is not None:
        return Price(*endpoint.price)
    if _is_free(endpoint):
        return FREE
    listed = listed_price(endpoint.model)
    return None if listed is None else Price(*listed)


def price_source_of(endpoint: Endpoint) -> PriceSource:
    """Return the source of the price, where the endpoint has none of its own."""
    if _is_free(endpoint):
        return "local"
    return "unknown" if listed_price(endpoint.model) is None else "table"


def _is_free(endpoint: Endpoint) -> bool:
    runs_here = endpoint.is_near and not _ONLY_HOSTED.match(normal_name(endpoint.model))
    return runs_here or endpoint.model.endswith(":free")
