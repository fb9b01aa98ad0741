"""Everything learned of models from replies and refusals: windows, token counts and request rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from ..context.tokens import Calibration, first_calibration
from ..store.model_states import Key, ModelStates
from .requests.request_body import EndpointRules, rules_for
from .tokenizer import Tokenizer

_DAY = 86_400
_WEEK = 7 * _DAY
_STEP = 9 / 8
_MOST_OF_REFUSED = 15 / 16
_FULL = 0.75
_RULE_WORDS: Mapping[str, str] = {
    "refuses_tools": "it takes no tools",
    "streams_no_tools": "it does not stream where tools are offered",
    "writes_calls": "it passes the model's calls on as text",
    "has_no_system_role": "it has no system role",
    "bridges_results": "it wants the roles to alternate",
    "replays_reasoning": "it wants its reasoning back",
    "fills_signatures": "it wants a thought signature with each call",
    "refuses_stream_options": "it does not know stream_options",
    "wants_max_completion_tokens": "it wants max_completion_tokens",
}


@dataclass(frozen=True)
class Adjustment:
    """A learned adjustment in words, with the time of its newest part in seconds since the epoch."""

    words: str
    learned_at: float


@dataclass(frozen=True)
class WindowEstimate:
    """A window in tokens; `source` names its origin in words; `learned_at` is in seconds since the epoch."""

    window: int
    source: str
    learned_at: float


class WindowEstimates:
    """Windows that endpoints named in a refusal, or that were found by trying.

    The server may have got more memory since. So a window holds for a week, if it was learned after this process
    began, by this one or another at the same store; otherwise requests are planned without it. It stays in the store
    as the first size to try after another refusal.
    """

    def __init__(self, states: ModelStates | None = None, *, clock: Callable[[], float] = time.time) -> None:
        self._states = states or ModelStates()
        self._clock = clock
        self._began = clock()
        self._released: dict[Key, float] = {}
        self._learned_here: set[Key] = set()
        self._refused: dict[Key, int] = {}

    async def get(self, base_url: str, model: str) -> WindowEstimate | None:
        """Return the window that holds now, or None."""
        key = _window_key(base_url, model)
        window = _read_window(await self._states.load(key))
        if window is None or self._clock() - window.learned_at >= _WEEK:
            return None
        since = self._released.get(key, self._began)
        return window if key in self._learned_here or window.learned_at > since else None

    async def earlier(self, base_url: str, model: str) -> int | None:
        """Return the newest window in tokens, whether it holds or not."""
        window = _read_window(await self._states.load(_window_key(base_url, model)))
        return window.window if window else None

    async def learn(
        self, base_url: str, model: str, window: int, source: str, *, refused: int | None = None
    ) -> WindowEstimate:
        """Save `window` unless a smaller one holds; return the one that holds now.

        `refused` is the size in tokens of the refused request, where the endpoint did not name its window.
        """
        key = _window_key(base_url, model)
        holding = await self.get(base_url, model)
        if holding is not None and holding.window <= window:
            return holding
        if refused is None:
            self._refused.pop(key, None)
        else:
            self._refused[key] = refused
        self._learned_here.add(key)
        return await self._keep(key, WindowEstimate(window, source, self._clock()))

    async def grow(self, base_url: str, model: str, *, used: int, share: float) -> None:
        """Enlarge the window after a request that succeeded with `used` tokens, reply included, and filled `share` of
        its room.

        A request larger than the window proves a larger one. The window also grows by a small step whenever a request
        fills most of it: one found by trying at once, up to a little less than the refused size; one that the
        endpoint named only after a day, as the server may have more memory by then. If not, it names its window
        again.
        """
        holding = await self.get(base_url, model)
        if holding is None:
            return
        step = holding.window * _STEP if share >= _FULL else 0.0
        refused = self._refused.get(_window_key(base_url, model))
        if refused is not None:
            step = min(step, refused * _MOST_OF_REFUSED)
        elif self._clock() - holding.learned_at < _DAY:
            step = 0.0
        larger = max(used, int(step))
        if larger > holding.window:
            await self._keep(_window_key(base_url, model), replace(holding, window=larger))

    def release(self, base_url: str, model: str) -> None:
        """Stop using the window: the conditions under which it was learned have changed."""
        key = _window_key(base_url, model)
        self._released[key] = self._clock()
        self._learned_here.discard(key)
        self._refused.pop(key, None)

    async def forget(self, base_url: str, model: str) -> None:
        """Delete the window.

        Raises:
            StoreError: it was not deleted and is tried first after another refusal.
        """
        self.release(base_url, model)
        await self._states.forget(_window_key(base_url, model))

    async def _keep(self, key: Key, window: WindowEstimate) -> WindowEstimate:
        await self._states.save(key, asdict(window))
        return window


def _window_key(base_url: str, model: str) -> Key:
    return Key("window", base_url, model)


def _read_window(state: Mapping[str, Any] | None) -> WindowEstimate | None:
    match state:
        case {"window": int(window), "source": str(source), "learned_at": int() | float() as learned_at}:
            return WindowEstimate(window, source, learned_at)
    return None


class TokenCalibrations:
    """The calibrations by model and by the name of the tokenizer, since they differ between tokenizers."""

    def __init__(
        self,
        states: ModelStates | None = None,
        tokenizer: Tokenizer | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._states = states or ModelStates()
        self._tokenizer = tokenizer or Tokenizer()
        self._clock = clock

    async def of(self, base_url: str, model: str) -> Calibration:
        """Return the calibration of a model, or the default one."""
        state = await self._states.load(self._key(base_url, model))
        return Calibration.from_json(state) or first_calibration(model)

    async def keep(self, base_url: str, model: str, calibration: Calibration) -> None:
        state = {**calibration.as_json(), "learned_at": self._clock()}
        await self._states.save(self._key(base_url, model), state)

    async def forget(self, base_url: str, model: str) -> None:
        """Delete the calibration of a model.

        Raises:
            StoreError: it was not deleted and will be used again.
        """
        await self._states.forget(self._key(base_url, model))

    async def note(self, base_url: str, model: str) -> Adjustment | None:
        """Describe what was learned; None where no reply has counted."""
        state = await self._states.load(self._key(base_url, model))
        calibration = Calibration.from_json(state)
        if state is None or calibration is None or calibration.n == 0:
            return None
        off = round((calibration.ratio - 1) * 100)
        answers = f"{calibration.n:,} answer{'s' * (calibration.n > 1)}"
        told = f"{abs(off)} % {'more' if off > 0 else 'fewer'} tokens than" if off else "as many tokens as"
        learned_at = state.get("learned_at")
        return Adjustment(
            f"Learned from {answers}: this model counts {told} we estimate.",
            learned_at if isinstance(learned_at, float) else self._clock(),
        )

    def _key(self, base_url: str, model: str) -> Key:
        return Key(f"counts {self._tokenizer.name}", base_url, model)


class EndpointRuleStore:
    def __init__(self, states: ModelStates | None = None, *, clock: Callable[[], float] = time.time) -> None:
        self._states = states or ModelStates()
        self._clock = clock

    async def of(self, base_url: str, model: str) -> EndpointRules:
        """Return the rules that hold now."""
        rules, learned_at = await self._rules(base_url, model)
        return rules if self._clock() - learned_at < _WEEK else rules_for(base_url, model)

    async def keep(self, base_url: str, model: str, rules: EndpointRules) -> None:
        state = {"rules": asdict(rules), "learned_at": self._clock()}
        await self._states.save(_rules_key(base_url, model), state)

    async def forget(self, base_url: str, model: str) -> None:
        """Delete the learned rules of an endpoint.

        Raises:
            StoreError: they were not deleted and will be used again.
        """
        await self._states.forget(_rules_key(base_url, model))

    async def note(self, base_url: str, model: str) -> Adjustment | None:
        """Describe the learned rules for the user; None where there are none."""
        rules, learned_at = await self.of(base_url, model), (await self._rules(base_url, model))[1]
        first = rules_for(base_url, model)
        words = [
            said for name, said in _RULE_WORDS.items() if getattr(rules, name) and not getattr(first, name)
        ]
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
        return Adjustment(f"Learned of this server: {', '.join(words)}.", learned_at)

    async def _rules(self, base_url: str, model: str) -> tuple[EndpointRules, float]:
        return _read_rules(await self._states.load(_rules_key(base_url, model)), rules_for(base_url, model))


def _rules_key(base_url: str, model: str) -> Key:
    return Key("rules", base_url, model)


def _read_rules(state: Mapping[str, Any] | None, first: EndpointRules) -> tuple[EndpointRules, float]:
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


@dataclass(frozen=True)
class Learned:
    windows: WindowEstimates = field(default_factory=WindowEstimates)
    counts: TokenCalibrations = field(default_factory=TokenCalibrations)
    rules: EndpointRuleStore = field(default_factory=EndpointRuleStore)

    async def note(self, base_url: str, model: str) -> Adjustment | None:
        """Describe for the user what was learned from refusals and usage, or None."""
        notes = [await self.rules.note(base_url, model), await self.counts.note(base_url, model)]
        told = [note for note in notes if note is not None]
        if not told:
            return None
        return Adjustment(" ".join(note.words for note in told), max(note.learned_at for note in told))

    async def forget_rules(self, base_url: str, model: str) -> None:
        """Forget the endpoint's request rules and the model's calibration.

        Raises:
            StoreError: they were not deleted and will be used again.
        """
        await self.rules.forget(base_url, model)
        await self.counts.forget(base_url, model)
