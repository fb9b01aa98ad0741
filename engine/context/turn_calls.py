"""The calls of a turn: the repeated ones, and those whose results are its basis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..base.extension_metadata import CallMetadata
from ..base.messages import Part, UIMessage, dump, last_user_index, tool_name, tool_parts
from .compaction import Block
from .tool_facts import ToolFacts, find_facts

WARN_AT = 3
_LOOK_BACK = 40


def list_turn_calls(messages: Sequence[UIMessage]) -> list[Part]:
    """Return every tool part since the newest user message, in order."""
    turn = messages[last_user_index(messages) + 1 :]
    return [part for message in turn if message["role"] == "assistant" for part in tool_parts(message)]


def cycles(keys: Sequence[Any]) -> int:
    """Return how often the end of `keys` repeats itself: A, A, A is 3, and so is A, B, A, B, A, B."""
    return max((_trailing_repeats(keys, period) for period in (1, 2)), default=0)


def _trailing_repeats(keys: Sequence[Any], period: int) -> int:
    pattern = list(keys[-period:])
    if len(pattern) < period or (period > 1 and len(set(pattern)) == 1):
        return 0
    count = 0
    while list(keys[len(keys) - period * (count + 1) : len(keys) - period * count]) == pattern:
        count += 1
        if period * (count + 1) > len(keys):
            break
    return count


def call_key(name: str, arguments: Any) -> str:
    return f"{name} {dump(arguments, in_order=True)}"


def called_name(part: Part) -> str:
    """Return the name of the tool that the model called, a flat one included."""
    asked = CallMetadata.of(part).asked
    return asked.name if asked else tool_name(part)


def model_call_key(part: Part) -> str:
    """Return the key of a call as the model wrote it."""
    name, arguments = CallMetadata.of(part).asked or (
        tool_name(part),
        part.get("input", part.get("rawInput")),
    )
    return call_key(name, arguments)


def part_key(part: Part) -> str:
    """Return the key of name, arguments and result: a call with a new result is no repetition."""
    return f"{model_call_key(part)} {dump(part.get('output'))}"


def repetitions(turns: Iterable[Iterable[tuple[str, str]]]) -> dict[str, int]:
    """Return the number of repetitions, by id, of each call made at least three times in its turn.

    A call comes as its id and its key (`part_key`). The number depends only on what came before the call, so a sent
    message never changes later.
    """
    counts: dict[str, int] = {}
    for turn in turns:
        keys: list[str] = []
        for call_id, key in turn:
            keys.append(key)
            if (count := cycles(keys[-_LOOK_BACK:])) >= WARN_AT:
                counts[call_id] = count
    return counts


def repeat_note(count: int) -> str:
    return (
        f"Note: this exact call has now been made {count} times with the same result. Do not make it again: "
        "do something else, or answer the person with what you know."
    )


def find_basis(blocks: Sequence[Block], facts: Mapping[str, ToolFacts]) -> list[int]:
    """Return the places of the newest turn's rounds that are its basis: with a result whose tool asks the most room.

    Of equal calls only the newest counts.
    """
    newest: set[str] = set()
    places: list[int] = []
    for place in range(len(blocks) - 1, -1, -1):
        if blocks[place].kind == "user":
            break
        calls = {model_call_key(part) for part in blocks[place].calls if _is_basis(part, facts)}
        if calls - newest:
            places.append(place)
        newest |= calls
    return places[::-1]


def _is_basis(part: Part, facts: Mapping[str, ToolFacts]) -> bool:
    output = part.get("output")
    is_done = isinstance(output, dict) and output.get("ok") is True
    return is_done and find_facts(tool_name(part), facts).share == "most"
