"""Token counts by tiktoken, or an estimate while its vocabulary is missing."""

from __future__ import annotations

import asyncio
import logging
from math import ceil
from typing import Any

from ..context.tokens import count_text

logger = logging.getLogger(__name__)

_VOCABULARY = "o200k_base"
_LONGEST = 20_000
"""The longest text in characters that is encoded whole, about 6 ms on the event loop; longer ones are sampled."""
_SAMPLES, _SAMPLE = 8, 1_000
_MOST_COUNTS = 20_000


class Tokenizer:
    """Counts tokens; `count` estimates until `load` has loaded the vocabulary, which tiktoken downloads at first use.

    Counts are cached by the text's hash, so that the texts of a long thread are not kept in memory twice.
    """

    def __init__(self) -> None:
        self._encoding: Any = None
        self._counts: dict[tuple[int, int], int] = {}

    @property
    def name(self) -> str:
        """The name of the current counter; calibrations do not carry over between counters."""
        return _VOCABULARY if self._encoding else "estimate"

    async def load(self) -> None:
        """Load the vocabulary in a worker thread. If it is missing, the estimate stays and the log says so once."""
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
        """Encode a piece of each eighth of the text, and scale the estimate of that eighth accordingly."""
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
