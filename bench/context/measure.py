"""What the requests of a conversation cost, and what they still hold of what was said."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields

from engine.base.messages import Message, dump
from engine.context.handles import read_back
from engine.context.tokens import count_message_tokens, count_text, count_tools_tokens

from .conversations import Conversation, Planted
from .fixed_part import FixedPart
from .planner import Planner

_HANDLES = re.compile(r"\br(\d+)\b(?: to r(\d+)\b)?")


@dataclass
class Totals:
    """Sums over requests. Those of tokens are of the estimate by characters."""

    requests: int = 0
    sent: int = 0
    largest: int = 0
    cached: int = 0
    overflows: int = 0
    broken_pairs: int = 0
    with_rules: int = 0
    goals: float = 0
    goals_asked: int = 0
    decisions: float = 0
    decisions_asked: int = 0
    facts: float = 0
    facts_reachable: float = 0
    facts_asked: int = 0
    compactions: int = 0
    steady_milliseconds: list[float] = field(default_factory=list)
    compaction_milliseconds: list[float] = field(default_factory=list)

    def __add__(self, other: Totals) -> Totals:
        """Everything is a sum but the largest request."""
        sums = {each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)}
        return Totals(**{**sums, "largest": max(self.largest, other.largest)})

    def percent(self, value: float) -> float:
        return 100 * value / self.requests

    @property
    def cached_percent(self) -> float:
        return 100 * self.cached / self.sent

    @property
    def cost(self) -> float:
        """Tokens paid per request when a cached one costs a tenth of a new one."""
        return (self.sent - 0.9 * self.cached) / self.requests


def totals_of(conversation: Conversation, planner: Planner, fixed: FixedPart, *, room: int) -> Totals:
    """Let every request of the conversation be planned. `room` is the window less the reserve."""
    texts = _Texts(conversation)
    tools = count_tools_tokens(fixed.tools, count_text)
    totals = Totals()
    previous: list[Message] = []
    for number, so_far in enumerate(conversation.requests()):
        made = planner.request(so_far)
        messages = made.messages
        sent = tools + sum(map(texts.tokens, messages))
        totals.requests += 1
        totals.sent += sent
        totals.largest = max(totals.largest, sent)
        if previous:
            totals.cached += tools + _shared_tokens(previous, messages, texts.tokens)
        totals.overflows += sent > room
        totals.broken_pairs += not is_paired(messages)
        totals.with_rules += messages[0]["content"] == fixed.system
        texts.note(totals, messages, number)
        totals.compactions += made.has_compacted
        times = totals.compaction_milliseconds if made.has_compacted else totals.steady_milliseconds
        times.append(made.milliseconds)
        previous = messages
    return totals


def is_paired(messages: Sequence[Message]) -> bool:
    """Whether each message with calls is followed at once by one result per call, and no result stands alone."""
    index = 0
    while index < len(messages):
        if messages[index]["role"] == "tool":
            return False
        ids = [call["id"] for call in messages[index].get("tool_calls", [])]
        answers = messages[index + 1 : index + 1 + len(ids)]
        if [answer.get("tool_call_id") for answer in answers] != ids:
            return False
        index += 1 + len(ids)
    return True


def named_handles(text: str) -> set[int]:
    """The numbers of the results that a text names: `r7`, and all of `r3 to r9`."""
    found: set[int] = set()
    for match in _HANDLES.finditer(text):
        first = int(match[1])
        found.update(range(first, int(match[2] or first) + 1))
    return found


class _Texts:
    """What is known of each message text of one conversation, looked at once however often it is sent."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._planted = [*conversation.goals, *conversation.decisions, *conversation.facts]
        self._tokens: dict[str, int] = {}
        self._held: dict[str, frozenset[str]] = {}
        self._handles: dict[str, set[int]] = {}
        self._by_handle: dict[Planted, bool] = {}

    def tokens(self, message: Message) -> int:
        key = _serialised(message)
        if key not in self._tokens:
            self._tokens[key] = count_message_tokens(message, count_text)
        return self._tokens[key]

    def note(self, totals: Totals, messages: Iterable[Message], number: int) -> None:
        held: set[str] = set()
        handles: set[int] = set()
        for message in messages:
            key = _serialised(message)
            if key not in self._held:
                self._held[key] = frozenset(each.text for each in self._planted if each.text in key)
                self._handles[key] = named_handles(key)
            held |= self._held[key]
            handles |= self._handles[key]
        planted = self._conversation
        goals, decisions, facts = (
            [each for each in kind if each.request <= number < each.until]
            for kind in (planted.goals, planted.decisions, planted.facts)
        )
        totals.goals_asked += len(goals)
        totals.goals += sum(each.text in held for each in goals)
        totals.decisions_asked += len(decisions)
        totals.decisions += sum(each.text in held for each in decisions)
        totals.facts_asked += len(facts)
        present = [each.text in held for each in facts]
        totals.facts += sum(present)
        totals.facts_reachable += sum(
            is_present or (each.result in handles and self._is_read_back(each))
            for each, is_present in zip(facts, present, strict=True)
        )

    def _is_read_back(self, fact: Planted) -> bool:
        if fact not in self._by_handle:
            whole = read_back(self._conversation.messages, f"r{fact.result}")
            self._by_handle[fact] = whole is not None and fact.text in whole
        return self._by_handle[fact]


def _serialised(message: Message) -> str:
    content = message["content"]
    if message.get("tool_calls") or not isinstance(content, str):
        return dump(message)
    return content


def _shared_tokens(
    previous: Sequence[Message], messages: Sequence[Message], tokens: Callable[[Message], int]
) -> int:
    """The tokens of the longest common prefix of two requests, its last message by characters."""
    shared = 0
    for before, now in zip(previous, messages, strict=False):
        if before == now:
            shared += tokens(now)
            continue
        if before["role"] == now["role"]:
            text = _shared_text(_serialised(before), _serialised(now))
            shared += count_text(text)
        break
    return shared


def _shared_text(before: str, now: str) -> str:
    different = (index for index, pair in enumerate(zip(before, now, strict=False)) if pair[0] != pair[1])
    return now[: next(different, min(len(before), len(now)))]
