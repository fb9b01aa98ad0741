"""The blocks of a conversation, and the state that older ones were condensed to, fixed until the next condensing."""

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
    """A place in a conversation, after the first `message` messages and the first `step` steps of the next one."""

    message: int
    step: int = 0


START = Position(0)


class Block(NamedTuple):
    """A unit that is sent or left out as a whole: a user message, or a step of an answer with calls and results.

    `user` counts the user messages up to and including this block, and `results` the tool results before it; handles
    (`u3`, `r12`) come from these counts.
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
    """Return the parts of an assistant message, step by step: each `step-start` opens one."""
    groups: list[list[Part]] = []
    for part in parts:
        if part["type"] == "step-start" or not groups:
            groups.append([])
        groups[-1].append(part)
    return groups


def blocks(
    conversation: Sequence[UIMessage], begin: Position = START, *, users: int = 0, results: int = 0
) -> Iterator[Block]:
    """Yield the blocks from `begin` on; `users` and `results` are the counts before it. System messages are skipped.

    The newest answer may still get steps, so its last block ends within the message.
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
    """Return the block of a user message at `index` of its conversation."""
    return Block("user", message, message["parts"], (), Position(index), Position(index + 1), user, results)


@dataclass(frozen=True)
class Compaction:
    """The state of a condensed conversation.

    The checkpoint `text` replaces everything before `upto`. Results before `digested` are digests, those before
    `capped` have at most `cap` characters, and all others are whole. The rounds that begin at `basis` stay whole all
    the same: the turn that ran then needs them. The three ids name the messages at or before the positions, so that
    an edit or a regenerated older message is noticed.

    - `begin` is where the checkpoint's memory begins, after a clear later than the thread.
    - The first `plain_users` user messages are sent without their pictures and reminders.
    - `cap` and `text_cap` are characters of a result and of a text, and only ever shrink.
    - With `carries` the newest user message before `upto` is sent itself and not in the checkpoint, since its turn
      goes on after it.
    - `users` and `results` count what is before `upto`; `turns` and `rounds` are those that the checkpoint condenses.
    - `tokens` is the size of the conversation after condensing.
    - Project files that were sent up to user message number `told_user` stand in that message.
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
        """Return whether the conversation still has what was condensed: not after an older message was edited.

        It does not apply either to a branch that answers the last condensed message, which the checkpoint calls
        unanswered.
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
    """Return the id of the message with the last block before `position`; None if there is no such block."""
    index = position.message if position.step else position.message - 1
    if index < 0:
        return ""
    return conversation[index]["id"] if index < len(conversation) else None


def newest_valid(compactions: Sequence[Compaction], conversation: Sequence[UIMessage]) -> Compaction | None:
    """Return the newest compaction that still applies: after an edit an earlier one may. They come oldest first."""
    return next((each for each in reversed(compactions) if each.holds_for(conversation)), None)


def clear_conversation(conversation: Sequence[UIMessage]) -> Compaction:
    """Return the state in which the model begins afresh: everything so far stays stored, and nothing of it is sent.

    A message that waits for its answer stays.
    """
    state = skip_before(conversation, len(conversation))
    is_waiting = bool(conversation) and conversation[-1]["role"] == "user"
    return replace(state, begin=state.upto, carries=is_waiting)


def skip_unsendable(conversation: Sequence[UIMessage], *, tokens: int, text_cap: int) -> Compaction:
    """Return the state without the messages that are too old to fit by any means.

    It is based on the least that each message can take, so that a long thread that was never condensed, or was edited
    far back, need not be rendered whole only to be condensed.
    """
    least = 0
    for index in range(len(conversation) - 1, -1, -1):
        least += _least_tokens(conversation[index], text_cap)
        if least > tokens and conversation[index]["role"] == "user":
            return skip_before(conversation, index)
    return Compaction()


def skip_before(conversation: Sequence[UIMessage], index: int) -> Compaction:
    """Return the state in which the first `index` messages are not sent, and not in a checkpoint yet."""
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
