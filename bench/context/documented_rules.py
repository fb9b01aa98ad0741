"""The documented rules of an earlier assistant, to compare with: limits by characters, messages and rounds.

System context of at most 12,000 characters in the first request and a short continuation message in all others; the
tool results of the two newest rounds, a fixed placeholder for the older ones; the newest 24 messages, less one result
at the front that lost its call.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from engine.base.messages import Message, UIMessage, dump
from engine.context.convert import to_openai

from .fixed_part import FixedPart
from .policy import Sent

SYSTEM_CHARACTERS = 12_000
MESSAGES = 24
ROUNDS = 2
PLACEHOLDER = dump({"_omitted": True, "note": "Earlier tool result omitted to save context"})


class DocumentedRules:
    name = "documented rules"

    def __init__(self, fixed: FixedPart) -> None:
        self._fixed = fixed
        self._ended_turns: dict[str, list[Message]] = {}

    def request(self, conversation: Sequence[UIMessage]) -> Sent:
        is_first = not any(message["role"] == "assistant" for message in conversation)
        system = self._fixed.system[:SYSTEM_CHARACTERS] if is_first else self._fixed.continuation
        messages = newest_messages(with_older_results_omitted(self._converted(conversation)))
        return Sent([{"role": "system", "content": system}, *messages])

    def _converted(self, conversation: Sequence[UIMessage]) -> list[Message]:
        """Turn by turn, those that have ended only once: converting is not what is measured here."""
        starts = [index for index, message in enumerate(conversation) if message["role"] == "user"]
        for start, following in pairwise(starts):
            if (name := conversation[start]["id"]) not in self._ended_turns:
                self._ended_turns[name] = to_openai(conversation[start:following])
        ended = [message for start in starts[:-1] for message in self._ended_turns[conversation[start]["id"]]]
        return ended + to_openai(conversation[starts[-1] :])


def with_older_results_omitted(messages: Sequence[Message]) -> list[Message]:
    rounds = list(accumulate(bool(message.get("tool_calls")) for message in messages))
    newest_omitted = max(rounds, default=0) - ROUNDS
    return [
        {**message, "content": PLACEHOLDER}
        if message["role"] == "tool" and number <= newest_omitted
        else message
        for number, message in zip(rounds, messages, strict=True)
    ]


def newest_messages(messages: Sequence[Message]) -> list[Message]:
    kept = list(messages[-MESSAGES:])
    return kept[1:] if len(kept) < len(messages) and kept[0]["role"] == "tool" else kept
