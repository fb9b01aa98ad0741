"""How the bytes of a stream fall into network reads."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from .reply import Piece, cut_bytes

EXPECTED = '"events" (one write per event), "whole", "bytes" (one at a time) or "random:<seed>"'


def rechunk(pieces: list[Piece], chunking: str) -> list[Piece]:
    """The same bytes in other pieces. All but "events" give up the pauses."""
    if chunking == "events":
        return pieces
    return cut_bytes(pieces, _lengths(chunking))


def _lengths(chunking: str) -> Iterator[int]:
    if chunking == "whole":
        return itertools.repeat(1 << 30)
    if chunking == "bytes":
        return itertools.repeat(1)
    name, _, seed = chunking.partition(":")
    if name != "random" or not seed.isdigit():
        raise ValueError(f"{chunking!r} is no way to cut a stream; expected {EXPECTED}")
    generator = random.Random(int(seed))
    return iter(lambda: generator.randint(1, 48), 0)
