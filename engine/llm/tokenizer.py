"""Counts tokens with tiktoken where its vocabulary can be had."""

from __future__ import annotations

import asyncio
import logging
from math import ceil
from typing import Any

from ..context.tokens import count_text

logger = logging.getLogger(__name__)

_VOCABULARY = "o200k_base"
_LONGEST = 20_000
"""Longer texts are sampled: encoding 20,000 characters may take 6 ms, and the event loop waits for it."""
_SAMPLES, _SAMPLE = 8, 1_000
_MOST_COUNTS = 20_000


class Tokenizer:
    """`count` estimates until `load` has found the vocabulary, which tiktoken fetches at its first use.

    What was counted is remembered by the text's hash, so that a long thread does not keep its texts alive twice.
    """

    def __init__(self) -> None:
        self._encoding: Any = None
        self._counts: dict[tuple[int, int], int] = {}

    @property
    def name(self) -> str:
        """What counts now. A calibration that was learned with one counter is no good for another."""
        return _VOCABULARY if self._encoding else "estimate"

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
        if not self._encoding:
            return count_text(text)
        key = (hash(text), len(text))
        count = self._counts.get(key)
        if count is None:
            if len(self._counts) >= _MOST_COUNTS:
                self._counts.clear()
            count = self._counts[key] = self._encode(text) if len(text) <= _LONGEST else self._sample(text)
        return count

    def _encode(self, text: str) -> int:
        return len(self._encoding.encode_ordinary(text))

    def _sample(self, text: str) -> int:
        """Encode a piece of each eighth of the text, and scale the estimate of the eighth by what came of its piece."""
        size = ceil(len(text) / _SAMPLES)
        total = 0.0
        for begin in range(0, len(text), size):
            stretch = text[begin : begin + size]
            middle = max(0, (len(stretch) - _SAMPLE) // 2)
            piece = stretch[middle : middle + _SAMPLE]
            total += count_text(stretch) * self._encode(piece) / max(1, count_text(piece))
        return ceil(total)


def _load() -> Any:
    import tiktoken

    return tiktoken.get_encoding(_VOCABULARY)
