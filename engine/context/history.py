"""The newest part of a conversation that fits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..messages import Message
from .tokens import CountText, count_message_tokens, count_text


def trim_history(
    messages: Sequence[Message],
    *,
    max_tokens: int | None = None,
    max_messages: int | None = None,
    count: CountText = count_text,
) -> list[Message]:
    """Drop the oldest turns until the rest fits both limits.

    The cut is always before a user message, so that no result loses its call and no conversation starts in the
    middle of a round. System messages stay. The newest turn stays whole even where it alone is too large: making
    that fit is not a matter of dropping history.
    """
    system = [message for message in messages if message["role"] == "system"]
    rest = [message for message in messages if message["role"] != "system"]
    starts = [index for index, message in enumerate(rest) if message["role"] == "user"]
    tokens = [count_message_tokens(message, count) for message in rest]
    total = sum(tokens)
    for start, following in pairwise(starts):
        fits = (max_tokens is None or total <= max_tokens) and (
            max_messages is None or len(rest) - start <= max_messages
        )
        if fits:
            return system + rest[start:]
        total -= sum(tokens[start:following])
    return system + rest[starts[-1] if starts else 0 :]
