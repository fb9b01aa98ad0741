"""The frame of a turn's requests: the system message in its form, the tools, and the facts of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .tool_facts import ToolFacts

SystemForm = Literal["full", "continuation", "slim", "posted"]
Mode = Literal["auto", "full", "continuation"]

SLIM_BELOW = 12_000
"""The window in tokens below which a model gets the slim form: a server that names so little was rarely configured."""

UNKNOWN_WINDOW_CHARACTERS = 12_000
LEAST_USER_CHARACTERS = 2_500
MOST_USER_CHARACTERS = 12_000
_BESIDE_TOKENS, _ESTIMATED = 5_400, 0.85
"""The tokens of a full request beside the system context, and the share of the working set that it may fill."""


@dataclass(frozen=True)
class SystemRoom:
    """The room of the system context in a request, where None is no limit, and the characters for the user's texts."""

    tokens: int | None = None
    characters: int | None = None
    user_characters: int = MOST_USER_CHARACTERS

    @classmethod
    def of(cls, working: int, *, is_window_known: bool) -> SystemRoom:
        """Return a third of the working set, or what tools and a message leave of it.

        If the window is unknown, it is no more than what the smallest full one has. The user's texts get a character
        for six tokens, some four percent of the working set.
        """
        tokens = max(0, min(working // 3, int(working * _ESTIMATED) - _BESIDE_TOKENS))
        if not is_window_known:
            return cls(tokens, UNKNOWN_WINDOW_CHARACTERS, LEAST_USER_CHARACTERS)
        return cls(tokens, None, min(MOST_USER_CHARACTERS, max(LEAST_USER_CHARACTERS, working // 6)))


@dataclass(frozen=True)
class LeftOut:
    """The part of a file that a system message or a reminder had no room for.

    `source` is the path of the file within the context folder.
    """

    source: str
    amount: int
    unit: Literal["tokens", "rules", "reminders", "preferences"]

    def as_json(self) -> dict[str, Any]:
        return {"source": self.source, "amount": self.amount, "unit": self.unit}


@dataclass(frozen=True)
class SystemMessage:
    """A composed system message. `of_user` is the part from the user's texts.

    `rules` and `preferences` are the user's at that time, shown or not; None if they were not stored.
    """

    text: str
    left_out: tuple[LeftOut, ...] = ()
    rules: tuple[str, ...] | None = None
    preferences: tuple[str, ...] | None = None
    of_user: str = ""
    persona: str | None = None
    """A digest of the user's persona at that time."""


@dataclass(frozen=True)
class Frame:
    """The constant part of every request of a turn.

    `facts` are those of every tool that the conversation may have called, by name, not only of those in `tools`.
    `left_out` are the parts that the system message had no room for.
    """

    system: str
    form: SystemForm
    tools: Sequence[dict[str, Any]] = ()
    facts: Mapping[str, ToolFacts] = field(default_factory=dict)
    sees_images: bool = True
    left_out: tuple[LeftOut, ...] = ()

    @property
    def can_read_back(self) -> bool:
        return any(tool.get("function", tool).get("name") == "readToolResult" for tool in self.tools)


def system_form(mode: Mode, *, window: int, is_slim: bool, is_first_turn: bool) -> SystemForm:
    """Return the form of the system message for a step.

    The whole first turn has the full message, its tool follow-ups included. `auto` keeps it in every turn where the
    window is 16k tokens or more, since provider prefix caches then make it nearly free.
    """
    if is_slim:
        return "slim"
    if mode == "full" or is_first_turn:
        return "full"
    return "continuation" if mode == "continuation" or window < 16_000 else "full"
