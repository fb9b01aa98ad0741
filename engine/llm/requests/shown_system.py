"""Whether a server shows system messages to its model: some take them, and drop them without a word."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from ...context.tokens import count_fewest_tokens, count_tools_tokens
from ...errors import ProviderError
from ...event_loop.within import within
from ...events import Notice, Usage
from ...messages import Message
from ..endpoint import Endpoint
from .learned_rules import LearnedRules

logger = logging.getLogger(__name__)

_LEAST_TOKENS = 300
"""A shorter system message makes no difference that could be told from how servers count."""
_LEAST_SHARE = 0.25
"""Of a request; so does a smaller part of it."""
_SURE_SHARE, _MISSING_SHARE = 0.75, 0.1
"""Tokens that are surely there for each one that we estimate, and how much of the system message may be missing."""
_NAMES, _NAMES_TOKENS = 200, 200
"""Names of four hexadecimal digits, and the tokens that they take at the least."""
_SECONDS = 20

CountInput = Callable[[Endpoint, Sequence[Message]], Awaitable[int]]
"""The input tokens of a request that asks for one token; 0 where the server tells none. Raises ProviderError."""

SYSTEM_DROPPED = Notice(
    "system-dropped",
    "The model's server takes system messages and does not show them to the model, so this answer was made without "
    "the rules of the assistant. From now on they go with the first message of a chat. "
    "The provider's settings say so, and can forget it.",
)


class ShownSystem:
    """Learns it for each endpoint and model from what the server counts: once, until that is forgotten.

    A count that is too small for the system message is only a reason to ask, since servers also leave out what their
    cache had, or cut what is too long. What is asked then was never sent before and fits anywhere: names of no meaning,
    as a system message and as the person's. Only a server that counts them in the second and not in the first drops
    them.
    """

    def __init__(self, rules: LearnedRules, count_input: CountInput) -> None:
        self._rules = rules
        self._count_input = count_input

    async def note(
        self,
        endpoint: Endpoint,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        usage: Usage | None,
    ) -> Notice | None:
        """Learn from one reply; what the person is told where the system message was dropped."""
        rules = await self._rules.of(endpoint.base_url, endpoint.model)
        is_sent_otherwise = endpoint.drops_system or rules.has_no_system_role
        if is_sent_otherwise or rules.shows_system is not None or usage is None or usage.input_tokens <= 0:
            return None
        if not messages or messages[0]["role"] != "system":
            return None
        system = count_fewest_tokens(messages[:1])
        sent = count_fewest_tokens(messages) + count_tools_tokens(tools)
        if system < max(_LEAST_TOKENS, _LEAST_SHARE * sent):
            return None
        read = usage.input_tokens + (usage.cached_tokens or 0)
        is_enough = read >= _SURE_SHARE * sent - _MISSING_SHARE * system
        shows = is_enough or not await self._drops_names(endpoint)
        # Asking may have taught another rule.
        rules = await self._rules.of(endpoint.base_url, endpoint.model)
        await self._rules.keep(endpoint.base_url, endpoint.model, replace(rules, shows_system=shows))
        return None if shows else SYSTEM_DROPPED

    async def _drops_names(self, endpoint: Endpoint) -> bool:
        """False also where the server tells too little to know."""
        try:
            as_system = await self._count(endpoint, "system")
            return 0 < as_system < _NAMES_TOKENS <= await self._count(endpoint, "user")
        except (ProviderError, asyncio.TimeoutError, TimeoutError) as error:
            logger.info("whether the model sees system messages could not be asked: %s", type(error).__name__)
            return False

    async def _count(self, endpoint: Endpoint, role: str) -> int:
        names = " ".join(secrets.token_hex(2) for _ in range(_NAMES))
        messages: list[Message] = [{"role": "user", "content": "Say yes."}]
        if role == "system":
            messages.insert(0, {"role": "system", "content": names})
        else:
            messages[0]["content"] = f"{names}\n\nSay yes."
        return await within(_SECONDS, self._count_input(endpoint, messages))
