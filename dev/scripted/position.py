"""Where in a scenario a request is. The request alone tells, so any number of conversations run side by side.

The turn begins at the newest user message: the first turn of the scenario whose `user` text occurs in it answers
(upper and lower case alike), else the first one without such a text, else the first one. The step is the number of
assistant messages after that user message. Images that follow tool results belong to these results. Which attempt it
is, is the number of earlier requests with the very same messages, the only thing that the server has to remember.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .refusal import Refusal
from .scenario import Attempts, Either, Scenario, Step, Turn, When
from .template import Values


@dataclass(frozen=True)
class Position:
    """The place of a request in its conversation, and what happened since the user's message."""

    step: int
    user: str
    results: dict[str, list[str]]
    last_role: str
    last_text: str

    @property
    def values(self) -> Values:
        return Values(results=self.results, user=self.user, step=self.step)


def position_of(conversation: list[dict[str, Any]]) -> Position:
    messages = _without_images_of_results(conversation)
    roles = [message["role"] for message in messages]
    start = len(roles) - 1 - roles[::-1].index("user") if "user" in roles else 0
    since = messages[start:]
    names = {
        call["id"]: call["function"]["name"] for message in since for call in message.get("tool_calls") or ()
    }
    results: dict[str, list[str]] = {}
    for message in since:
        if message["role"] == "tool":
            results.setdefault(names[message["tool_call_id"]], []).append(message_text(message))
    return Position(
        step=roles[start:].count("assistant"),
        user=message_text(messages[start]),
        results=results,
        last_role=roles[-1],
        last_text=message_text(messages[-1]),
    )


def _without_images_of_results(conversation: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A tool message is text, so images of a result come in a user message right behind it.

    Where an endpoint refuses that order, a line of the assistant stands between the two.
    """
    kept: list[dict[str, Any]] = []
    for message in conversation:
        roles = [each["role"] for each in kept[-2:]]
        is_of_results = _shows_results(message)
        if is_of_results and roles == ["tool", "assistant"]:
            kept.pop()
        elif not is_of_results or roles[-1:] != ["tool"]:
            kept.append(message)
    return kept


def _shows_results(message: dict[str, Any]) -> bool:
    is_list = message["role"] == "user" and isinstance(message.get("content"), list)
    return is_list and message_text(message).startswith("The images of these results")


def step_for(scenario: Scenario, position: Position, *, attempt: int) -> Step | Refusal:
    """The step that answers, or why the scenario has none for this request."""
    turn = _turn_for(scenario, position)
    number = position.step
    if number >= len(turn.steps):
        if turn.after == "refuse":
            return _unscripted(
                f"this turn has {len(turn.steps)} steps and the request asks for step {number + 1}"
            )
        number = len(turn.steps) - 1
    place = turn.steps[number]
    if isinstance(place, Attempts):
        place = place.attempts[min(attempt, len(place.attempts) - 1)]
    choices = place.either if isinstance(place, Either) else [place]
    unmet = [_unmet(choice.when, position) for choice in choices]
    for choice, reason in zip(choices, unmet, strict=True):
        if reason is None:
            return choice
    return _unscripted(f"step {number + 1} wants {' or '.join(reason for reason in unmet if reason)}")


def message_text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def _turn_for(scenario: Scenario, position: Position) -> Turn:
    said = position.user.casefold()
    for turn in scenario.turns:
        if turn.user is not None and turn.user.casefold() in said:
            return turn
    return next((turn for turn in scenario.turns if turn.user is None), scenario.turns[0])


def _unmet(when: When, position: Position) -> str | None:
    if when.last is not None and when.last != position.last_role:
        return f"the last message to be from {when.last}, and it is from {position.last_role}"
    if when.contains is not None and when.contains.casefold() not in position.last_text.casefold():
        return f"{when.contains!r} in the last message, which is {position.last_text[:300]!r}"
    if missing := [tool for tool in when.results or () if tool not in position.results]:
        return f"results of {', '.join(missing)}, and there are results of {sorted(position.results)}"
    if when.ok is not None and when.ok is not _says_ok(position.last_text):
        return f"the newest result to say ok: {when.ok}, and it is {position.last_text[:300]!r}"
    return None


def _says_ok(content: str) -> bool:
    try:
        return json.loads(content[content.find("{") : content.rfind("}") + 1]).get("ok") is True
    except (ValueError, AttributeError):
        return False


def _unscripted(reason: str) -> Refusal:
    return Refusal(f"The scenario has no reply for this request: {reason}.", code="scripted_no_step")
