"""The learned request rules of endpoints, kept across restarts and forgotten after a week."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from ...store.model_states import Key, ModelStates
from ..adjustment import Adjustment
from .endpoint_rules import EndpointRules, rules_for

_SECONDS = 7 * 86_400
_WORDS: Mapping[str, str] = {
    "refuses_tools": "it takes no tools",
    "streams_no_tools": "it does not stream where tools are offered",
    "has_no_system_role": "it has no system role",
    "bridges_results": "it wants the roles to alternate",
    "replays_reasoning": "it wants its reasoning back",
    "refuses_stream_options": "it does not know stream_options",
    "wants_max_completion_tokens": "it wants max_completion_tokens",
}


class EndpointRuleStore:
    def __init__(self, states: ModelStates | None = None, *, clock: Callable[[], float] = time.time) -> None:
        self._states = states or ModelStates()
        self._clock = clock

    async def of(self, base_url: str, model: str) -> EndpointRules:
        """Return the rules that hold now."""
        rules, learned_at = await self._rules(base_url, model)
        return rules if self._clock() - learned_at < _SECONDS else rules_for(base_url, model)

    async def keep(self, base_url: str, model: str, rules: EndpointRules) -> None:
        state = {"rules": asdict(rules), "learned_at": self._clock()}
        await self._states.save(_key(base_url, model), state)

    async def forget(self, base_url: str, model: str) -> None:
        """Delete the learned rules of an endpoint.

        Raises:
            StoreError: they were not deleted and will be used again.
        """
        await self._states.forget(_key(base_url, model))

    async def note(self, base_url: str, model: str) -> Adjustment | None:
        """Describe the learned rules for the user; None where there are none."""
        rules, learned_at = await self.of(base_url, model), (await self._rules(base_url, model))[1]
        first = rules_for(base_url, model)
        words = [said for name, said in _WORDS.items() if getattr(rules, name) and not getattr(first, name)]
        if rules.most_images is not None:
            images = (
                f"at most {rules.most_images} image{'s' * (rules.most_images > 1)}"
                if rules.most_images
                else "no images"
            )
            words.append(f"it takes {images}")
        if rules.refused_parameters:
            words.append(f"it refuses {', '.join(rules.refused_parameters)}")
        if not words:
            return None
        return Adjustment(f"Learned from what this server refused: {', '.join(words)}.", learned_at)

    async def _rules(self, base_url: str, model: str) -> tuple[EndpointRules, float]:
        return _read(await self._states.load(_key(base_url, model)), rules_for(base_url, model))


def _key(base_url: str, model: str) -> Key:
    return Key("rules", base_url, model)


def _read(state: Mapping[str, Any] | None, first: EndpointRules) -> tuple[EndpointRules, float]:
    """Read saved rules, ignoring unknown ones of another version; the rest are the defaults."""
    rules, learned_at = (state or {}).get("rules"), (state or {}).get("learned_at")
    if not isinstance(rules, dict) or not isinstance(learned_at, int | float):
        return first, 0.0
    known = {field.name: rules[field.name] for field in fields(EndpointRules) if field.name in rules}
    most = known.pop("most_images", None)
    is_count = isinstance(most, int) and not isinstance(most, bool)
    refused = known.pop("refused_parameters", ())
    parameters = tuple(map(str, refused)) if isinstance(refused, list | tuple) else ()
    switches = {name: value for name, value in known.items() if isinstance(value, bool)}
    rest = {"most_images": most if is_count else None, "refused_parameters": parameters}
    return replace(first, **switches, **rest), float(learned_at)
