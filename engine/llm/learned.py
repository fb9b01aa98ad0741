"""All that was learned of models from what their endpoints answered and refused, and how it is forgotten."""

from __future__ import annotations

from dataclasses import dataclass, field

from .known.learned_counts import LearnedCounts
from .known.learned_windows import LearnedWindows
from .learned_note import LearnedNote
from .requests.learned_rules import LearnedRules


@dataclass(frozen=True)
class Learned:
    windows: LearnedWindows = field(default_factory=LearnedWindows)
    counts: LearnedCounts = field(default_factory=LearnedCounts)
    rules: LearnedRules = field(default_factory=LearnedRules)

    async def note(self, base_url: str, model: str) -> LearnedNote | None:
        """What the endpoint has taught by refusing and by counting, for the person."""
        notes = [await self.rules.note(base_url, model), await self.counts.note(base_url, model)]
        told = [note for note in notes if note is not None]
        if not told:
            return None
        return LearnedNote(" ".join(note.words for note in told), max(note.learned_at for note in told))

    async def forget_rules(self, base_url: str, model: str) -> None:
        """Let the endpoint be asked as any other again, and its model count as any other.

        Raises:
            StoreError: they come back.
        """
        await self.rules.forget(base_url, model)
        await self.counts.forget(base_url, model)
