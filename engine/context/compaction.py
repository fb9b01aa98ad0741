"""The blocks of a conversation, and what older ones were reduced to: the same in each request until the next time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple

from ..base.messages import Part, UIMessage, is_tool_part, tool_parts, user_count

_POSITIONS = ("begin", "upto", "digested", "capped")
_TEXTS = ("upto_id", "digested_id", "capped_id", "text")
_MOST_CHARACTERS_PER_TOKEN = 8
_LEAST_PER_CALL = 20
_NUMBERS = ("plain_users", "cap", "text_cap", "users", "results", "turns", "rounds", "tokens", "told_user")


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


@dataclass(frozen=True)
class Compaction:
    """Everything before `upto` stands in the checkpoint `text`; results before `digested` are digests, those before
    `capped` no longer than `cap`, all others as they came.

    The rounds that begin at `basis` are left whole all the same: what the turn that ran then stands on.
    `begin` is where the checkpoint's memory starts (later than the thread's start after a clear). The three ids name
    the messages that the positions lie in or after, so that an edit or a regenerate of an older message is noticed.
    The first `plain_users` user messages stand without their pictures and reminders. `cap` and `text_cap`
    (characters of a result, of a text) only ever shrink. With `carries` the newest message before `upto` is not in
    the checkpoint but sent itself, since its turn goes on behind it. `users` and `results` count what lies before
    `upto`; `turns` and `rounds` are how much of it the checkpoint condenses. `tokens` is what was left
    of the conversation when this was decided. The project files that were told until user message number `told_user`
    stand in that message.
    """

    begin: Position = START
    upto: Position = START
    digested: Position = START
    capped: Position = START
    basis: tuple[Position, ...] = ()
    upto_id: str = ""
    digested_id: str = ""
    capped_id: str = ""
    plain_users: int = 0
    cap: int = 4_000
    text_cap: int = 1_000_000
    carries: bool = False
    users: int = 0
    results: int = 0
    turns: int = 0
    rounds: int = 0
    tokens: int = 0
    told_user: int = 0
    text: str = ""

    def holds_for(self, conversation: Sequence[UIMessage]) -> bool:
        """Whether the conversation still has what was condensed: not after an older message was edited.

        Nor on a branch that answers the last condensed message, which the checkpoint says was left unanswered.
        """
        return (
            message_before(conversation, self.upto) == self.upto_id
            and message_before(conversation, self.digested) == self.digested_id
            and message_before(conversation, self.capped) == self.capped_id
            and (self.carries or not self._ends_within_turn(conversation))
        )

    def _ends_within_turn(self, conversation: Sequence[UIMessage]) -> bool:
        around = conversation[max(0, self.upto.message - 1) : self.upto.message + 1]
        return not self.upto.step and [message["role"] for message in around] == ["user", "assistant"]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Compaction:
        """
        Raises:
            KeyError, TypeError, ValueError: the value is none that `as_json` made.
        """
        fields: dict[str, Any] = {name: Position(*map(int, value[name])) for name in _POSITIONS}
        fields.update({name: str(value[name]) for name in _TEXTS})
        fields.update({name: int(value[name]) for name in _NUMBERS})
        basis = tuple(Position(*map(int, place)) for place in value["basis"])
        return cls(**fields, basis=basis, carries=bool(value["carries"]))


def message_before(conversation: Sequence[UIMessage], position: Position) -> str | None:
    """The id of the message that the last block before `position` is a part of; None where there is no such block."""
    index = position.message if position.step else position.message - 1
    if index < 0:
        return ""
    return conversation[index]["id"] if index < len(conversation) else None


def newest_valid(compactions: Sequence[Compaction], conversation: Sequence[UIMessage]) -> Compaction | None:
    """The newest of several, oldest first, that still holds: after an edit an earlier one may."""
    return next((each for each in reversed(compactions) if each.holds_for(conversation)), None)


def clear_conversation(conversation: Sequence[UIMessage]) -> Compaction:
    """The state in which the model begins afresh: everything so far is kept, and nothing of it is sent.

    A message that still waits for its answer stays.
    """
    state = skip_before(conversation, len(conversation))
    is_waiting = bool(conversation) and conversation[-1]["role"] == "user"
    return replace(state, begin=state.upto, carries=is_waiting)


def skip_unsendable(conversation: Sequence[UIMessage], *, tokens: int, text_cap: int) -> Compaction:
    """The state that leaves out what is so old that it could not be sent by any means.

    Told by the least that each message can take, so that a long thread which was never condensed, or was edited far
    back, need not be written out whole only to be condensed.
    """
    least = 0
    for index in range(len(conversation) - 1, -1, -1):
        least += _least_tokens(conversation[index], text_cap)
        if least > tokens and conversation[index]["role"] == "user":
            return skip_before(conversation, index)
    return Compaction()


def skip_before(conversation: Sequence[UIMessage], index: int) -> Compaction:
    """The state in which the first `index` messages are not sent; nothing stands for them yet."""
    place = Position(index)
    skipped_messages = conversation[:index]
    name = message_before(conversation, place) or ""
    return Compaction(
        upto=place,
        digested=place,
        upto_id=name,
        digested_id=name,
        users=user_count(skipped_messages),
        results=sum(
            1 for message in skipped_messages if message["role"] == "assistant" for _ in tool_parts(message)
        ),
    )


def _least_tokens(message: UIMessage, text_cap: int) -> int:
    characters = calls = 0
    for part in message["parts"]:
        if part["type"] == "text":
            characters += min(len(part["text"]), text_cap)
        elif is_tool_part(part):
            calls += 1
    return characters // _MOST_CHARACTERS_PER_TOKEN + calls * _LEAST_PER_CALL
