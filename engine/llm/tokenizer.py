"""Counts tokens with tiktoken where its vocabulary can be had."""

from __future__ import annotations

import asyncio
import logging
from functools import lru_cache
from typing import Any

from ..context.tokens import count_text

logger = logging.getLogger(__name__)

_VOCABULARY = "o200k_base"
_LONGEST = 100_000
"""Longer texts are estimated: encoding them would hold up the event loop."""


class Tokenizer:
    """`count` estimates until `load` has found the vocabulary, which tiktoken fetches at its first use."""

    def __init__(self) -> None:
        self._encoding: Any = None
        self._count = lru_cache(maxsize=4_096)(self._encode)

    async def load(self) -> None:
        """Load the vocabulary in a worker thread. Without it the estimate stays, and the log says so once."""
        if self._encoding is not None:
            return
        try:
            self._encoding = await asyncio.to_thread(_load)
        except Exception as error:
            self._encoding = False
            logger.info(
                "tokens are estimated, since tiktoken's vocabulary is missing (%s).", type(error).__name__
            )

    def count(self, text: str) -> int:
        return self._count(text) if self._encoding and len(text) <= _LONGEST else count_text(text)

    def _encode(self, text: str) -> int:
        return len(self._encoding.encode_ordinary(text))


def _load() -> Any:
    import tiktoken

    return tiktoken.get_encoding(_VOCABULARY)
