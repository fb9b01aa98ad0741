"""Options that `/config` in the panel changes at run time; the environment sets their first values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal

from ..base.errors import RequestError
from .setting_values import read_switch, read_whole_number

OptionValue = int | bool | None
"""The value of an option; None if it is not set, so that the environment or the default applies."""


@dataclass(frozen=True)
class Options:
    """The current values of all options."""

    working_set_tokens: int | None = None
    max_context_turns: int | None = None
    max_steps: int = 25
    max_minutes: int = 10
    auto_compact: bool = True
    background_summary: bool = False
    retention_days: int = 30
    make_room: bool = True
    budget_turn_tokens: int | None = None
    budget_day_cents: int | None = None

    def merge(self, saved: Mapping[str, OptionValue]) -> Options:
        """Return the options with those saved in the panel, which win."""
        changes = {name: value for name, value in saved.items() if name in DECLARATIONS and value is not None}
        return replace(self, **changes)


@dataclass(frozen=True)
class Declaration:
    """The declaration of an option: its names in code, environment and panel, and the values that it may have.

    `unit` is the singular unit of its number, `unset` the word for no value.
    """

    name: str
    environment: str
    kind: Literal["integer", "boolean"]
    label: str
    description: str
    unit: str = ""
    unset: str = "automatic"
    minimum: int = 0
    maximum: int = 0

    def read(self, value: object) -> OptionValue:
        """Return the value of a text, a number or a switch; None for "default".

        Raises:
            ValueError: it is no such value; the message says what was expected.
        """
        text = str(value).strip().lower()
        if text in ("", "default", "auto", "none"):
            return None
        reader = read_switch if self.kind == "boolean" else self._number_in_range
        if (result := reader(text)) is None:
            raise ValueError(self.expected)
        return result

    @property
    def expected(self) -> str:
        """The values that the option may have, in words."""
        if self.kind == "boolean":
            return "on, off or default"
        of = " of cents" if self.unit == "cent" else ""
        return f"a whole number{of} from {self.minimum:,} to {self.maximum:,}, or default"

    @property
    def command_name(self) -> str:
        """The name that users type after `/config`; amounts of money are in dollars there."""
        return self.name.replace("_", "-").replace("-cents", "-dollars")

    def as_json(self, value: OptionValue, default: OptionValue) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "name": self.name,
            "typed": self.command_name,
            "label": self.label,
            "value": value,
            "default": default,
            "kind": self.kind,
            "description": self.description,
        }
        if self.kind == "integer":
            entry |= {"unit": self.unit, "unset": self.unset, "min": self.minimum, "max": self.maximum}
        return entry

    def _number_in_range(self, text: str) -> int | None:
        number = read_whole_number(text)
        return number if number is not None and self.minimum <= number <= self.maximum else None


DECLARATIONS: Mapping[str, Declaration] = {
    declaration.name: declaration
    for declaration in (
        Declaration(
            "working_set_tokens",
            "LLM_WORKING_SET_TOKENS",
            "integer",
            "Working set",
            "How many tokens of a conversation the model works with before older parts are condensed.",
            unit="token",
            minimum=4_000,
            maximum=2_000_000,
        ),
        Declaration(
            "max_context_turns",
            "LLM_MAX_TURNS",
            "integer",
            "Turns sent",
            "How many of the newest turns are sent at most.",
            unit="turn",
            unset="all",
            minimum=1,
            maximum=10_000,
        ),
        Declaration(
            "max_steps",
            "LLM_MAX_STEPS",
            "integer",
            "Steps of a message",
            "How many requests one message may cause before the assistant stops and asks.",
            unit="step",
            minimum=1,
            maximum=200,
        ),
        Declaration(
            "max_minutes",
            "LLM_MAX_MINUTES",
            "integer",
            "Time of a message",
            "How many minutes the model may take for one message before the assistant stops and asks; tools and "
            "workflows that run do not count.",
            unit="minute",
            minimum=1,
            maximum=1_440,
        ),
        Declaration(
            "auto_compact",
            "LLM_AUTO_COMPACT",
            "boolean",
            "Condense by itself",
            "Condense older parts of a conversation by itself when the working set is nearly full.",
        ),
        Declaration(
            "background_summary",
            "LLM_BACKGROUND_SUMMARY",
            "boolean",
            "Summary by the model",
            "Let the model rewrite what was condensed, after a turn; that costs one more request.",
        ),
        Declaration(
            "retention_days",
            "LLM_RETENTION_DAYS",
            "integer",
            "Idle chats are kept",
            "After how many idle days a chat that is not pinned is removed; 0 keeps every chat.",
            unit="day",
            minimum=0,
            maximum=3_650,
        ),
        Declaration(
            "make_room",
            "LLM_MAKE_ROOM",
            "boolean",
            "Room for workflows",
            "Let a language model on this machine leave the graphics memory while a workflow runs, where programs "
            "beside ComfyUI hold more than a quarter of it.",
        ),
        Declaration(
            "budget_turn_tokens",
            "LLM_BUDGET_TURN_TOKENS",
            "integer",
            "Budget of an answer",
            "How many tokens one answer may take before the assistant stops and asks.",
            unit="token",
            unset="none",
            minimum=1,
            maximum=100_000_000,
        ),
        Declaration(
            "budget_day_cents",
            "LLM_BUDGET_DAY_CENTS",
            "integer",
            "Budget of a day",
            "How much all chats of a day may cost before the assistant stops and asks.",
            unit="cent",
            unset="none",
            minimum=1,
            maximum=10_000_000,
        ),
    )
}


def parse(name: object, value: object) -> tuple[str, OptionValue]:
    """Return the name and the value of an option from what a user typed.

    Raises:
        RequestError: `not_found` (404) or `invalid_request`, with what was expected.
    """
    declaration = _find(name)
    try:
        return declaration.name, declaration.read(value)
    except ValueError as error:
        raise RequestError(
            "invalid_request",
            f'{declaration.label} cannot be "{str(value)[:60]}"; expected {error}.',
            hint=declaration.description,
        ) from None


def read_options(saved: object) -> tuple[dict[str, OptionValue], list[str]]:
    """Return the valid options of a saved object, and a problem for each other entry."""
    values: dict[str, OptionValue] = {}
    problems: list[str] = []
    for name, value in saved.items() if isinstance(saved, Mapping) else ():
        try:
            setting_name, setting_value = parse(name, value)
            values[setting_name] = setting_value
        except RequestError as error:  # noqa: PERF203 - each for itself
            problems.append(error.message)
    return values, problems


def _find(name: object) -> Declaration:
    plain_name = str(name).strip().lower().replace("-", "_")
    if plain_name in DECLARATIONS:
        return DECLARATIONS[plain_name]
    near = get_close_matches(plain_name, DECLARATIONS, cutoff=0.5) or DECLARATIONS
    raise RequestError(
        "not_found",
        f'There is no setting "{str(name)[:60]}".',
        hint=f"There are: {', '.join(DECLARATIONS[each].command_name for each in near)}.",
        status=404,
    )
