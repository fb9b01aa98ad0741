"""Where one is in a conversation, and the blocks that it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from ..base.messages import Part, UIMessage, is_tool_part


class Position(NamedTuple):
    """Before it lie the first `message` messages, and the first `step` steps of the one after them."""

    message: int
    step: int = 0


START = Position(0)


class Block(NamedTuple):
    """What is sent or left out as one: a user message, or a step of an answer with its calls and their results.

    `user` counts the user messages up to and including this block; `results` the tool results before it: the names
    of what it holds (`u3`, `r12`) come from them.
    """

    kind: Literal["user", "step"]
    message: UIMessage
    parts: Sequence[Part]
    calls: Sequence[Part]
    start: Position
    end: Position
    user: int
    results: int


def steps(parts: Iterable[Part]) -> list[list[Part]]:
    """The parts of an assistant message, step by step: each `step-start` opens one."""
    groups: list[list[Part]] = []
    for part in parts:
        if part["type"] == "step-start" or not groups:
            groups.append([])
        groups[-1].append(part)
    return groups


def blocks(
    conversation: Sequence[UIMessage], begin: Position = START, *, users: int = 0, results: int = 0
) -> Iterator[Block]:
    """The blocks from `begin` on, `users` and `results` being the counts before it. System messages are none.

    The newest answer may still get steps, so its last block ends within it.
    """
    for index in range(begin.message, len(conversation)):
        message = conversation[index]
        if message["role"] == "user":
            users += 1
            yield user_block(message, index, users, results)
        elif message["role"] == "assistant":
            groups = steps(message["parts"])
            first = begin.step if index == begin.message else 0
            for number in range(first, len(groups)):
                parts = groups[number]
                calls = [part for part in parts if is_tool_part(part)]
                can_go_on = number + 1 < len(groups) or index + 1 == len(conversation)
                end = Position(index, number + 1) if can_go_on else Position(index + 1)
                yield Block("step", message, parts, calls, Position(index, number), end, users, results)
                results += len(calls)


def user_block(message: UIMessage, index: int, user: int, results: int) -> Block:
    """A user message, which stands at `index` of its conversation."""
    return Block("user", message, message["parts"], (), Position(index), Position(index + 1), user, results)
