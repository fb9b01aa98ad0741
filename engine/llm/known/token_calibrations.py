"""Calibrations of our token counts by model, learned from the usage of replies."""

from __future__ import annotations

import time
from collections.abc import Callable

from ...context.tokens import Calibration, first_calibration
from ...store.model_states import Key, ModelStates
from ..adjustment import Adjustment


class TokenCalibrations:
    """The calibrations by model and counter; `counter` names the current one, since they differ between counters."""

    def __init__(
        self,
        states: ModelStates | None = None,
        counter: Callable[[], str] = lambda: "estimate",
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._states = states or ModelStates()
        self._counter = counter
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
        return Key(f"counts {self._counter()}", base_url, model)
