"""Turns that the person undid or redid in the panel, and how the model is told of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...base.messages import UIMessage, text_of
from ...base.text.clip import quoted_name

_MOST = 5


@dataclass(frozen=True)
class TurnUndos:
    """By the ids of the user messages that began them."""

    undone: tuple[str, ...] = ()
    redone: tuple[str, ...] = ()

    def notes(self, conversation: Sequence[UIMessage]) -> list[str]:
        """A line of the reminder for each, the newest of very many."""
        texts = {message["id"]: text_of(message) for message in conversation if message["role"] == "user"}
        return [
            *_lines("The user undid what you changed on", self.undone, texts),
            *_lines("The user redid what you had changed on", self.redone, texts),
        ]


NOTHING_UNDONE = TurnUndos()


def _lines(what: str, ids: Iterable[str], texts: dict[str, str]) -> list[str]:
    known = [texts[message] for message in ids if message in texts]
    return [f"{what} {quoted_name(text)}." for text in known[-_MOST:]]
