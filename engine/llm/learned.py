"""Everything learned of models from replies and refusals, and how it is forgotten."""

from __future__ import annotations

from dataclasses import dataclass, field

from .adjustment import Adjustment
from .known.token_calibrations import TokenCalibrations
from .known.window_estimates import WindowEstimates
from .requests.endpoint_rule_store import EndpointRuleStore


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
