"""Limits on the size and duration of a reply, so that no server can exhaust memory or time."""

from __future__ import annotations

import contextlib
import time
import zlib
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from typing import Any

from ...base.event_loop.yield_fairly import fair_yield
from ...base.events import ReasoningDelta, ReplyEvent, TextDelta, ToolCallDelta
from .reply_filter import ReplyFilter

MOST_BYTES = 64_000_000
"""The limit of an event stream, decompressed. A token arrives in an event of about 250 bytes."""
MOST_BYTES_OF_AN_ANSWER = 8_000_000
"""The limit of everything else: lists of models, errors, whole completions."""
MOST_BYTES_OF_AN_EVENT = 2_000_000
MOST_LINES_OF_AN_EVENT = 5_000
"""The limit of lines, which the openai package joins one by one, blocking the event loop."""
MOST_CHARACTERS = 4_000_000
MOST_CALLS = 128
MOST_PIECES = 400_000
"""The limit of deltas of text and calls, which are kept while pages may read them."""
_PIECE = 65_536
_BLANK_LINES = (b"\n\n", b"\r\r", b"\r\n\r\n")
_FLOWING, _RECENTLY = 60, 60.0
"""The characters, without blanks, that a late reply must bring within the last so many seconds."""
_LONGEST_READING = 3_600.0
"""The seconds for which reported progress of reading keeps a reply alive."""
_UNPACKED = ("", "identity")
_PACKED = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""The window bits of `zlib` by `Content-Encoding`."""


class ReplyTooLarge(Exception):
    """The error that a reply exceeds what any model writes; the message completes "it sent …"."""


async def limit_body(response: Any) -> None:
    """Limit the body of an httpx response, which is decompressed here: httpx decompresses without a limit.

    This is an httpx event hook that runs before the body is read; every way of reading goes through `aiter_raw`
    (https://www.python-httpx.org/advanced/event-hooks/). Reading raises ReplyTooLarge beyond the limits.
    """
    encoding = response.headers.pop("content-encoding", "").strip().lower()
    is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
    most = MOST_BYTES if is_stream else MOST_BYTES_OF_AN_ANSWER
    raw = response.aiter_raw

    async def bounded(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
        size = 0
        event = _OpenEvent()
        turns = fair_yield()
        async with contextlib.aclosing(raw(chunk_size)) as pieces:
            async for piece in _decompress(pieces, encoding):
                size += len(piece)
                if size > most:
                    raise ReplyTooLarge(f"more than {most:,} bytes in one reply")
                if is_stream:
                    await turns.wait()
                    event.note(piece)
                yield piece

    response.aiter_raw = bounded


class _OpenEvent:
    """The size of an event whose blank line has not arrived yet."""

    def __init__(self) -> None:
        self._bytes = self._lines = 0
        self._tail = b""

    def note(self, piece: bytes) -> None:
        """Add a piece of the stream.

        Raises:
            ReplyTooLarge: the event has too many bytes or lines.
        """
        text = self._tail + piece
        ends = [text.rfind(blank) + len(blank) for blank in _BLANK_LINES if blank in text]
        if ends:
            rest = text[max(ends) :]
            self._bytes, self._lines = len(rest), _count_lines(rest)
        else:
            self._bytes += len(piece)
            self._lines += _count_lines(piece)
        self._tail = text[-3:]
        if self._bytes > MOST_BYTES_OF_AN_EVENT:
            raise ReplyTooLarge(f"more than {MOST_BYTES_OF_AN_EVENT:,} bytes in one event")
        if self._lines > MOST_LINES_OF_AN_EVENT:
            raise ReplyTooLarge(f"more than {MOST_LINES_OF_AN_EVENT:,} lines in one event")


class ReplySize(ReplyFilter):
    """The size of a reply so far.

    `seconds` is its time limit, which is extended as long as output arrives.
    """

    def __init__(self, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        began = clock()
        self._end, self._end_of_reading = began + seconds, began + _LONGEST_READING
        self._characters = self._pieces = self._flow = self._read = 0
        self._recent: deque[tuple[float, int]] = deque()

    @property
    def is_dragging(self) -> bool:
        """Whether the time is over and fewer than 60 characters arrived within the last minute."""
        now = self._clock()
        while self._recent and self._recent[0][0] < now - _RECENTLY:
            self._flow -= self._recent.popleft()[1]
        return now > self._end and self._flow < _FLOWING

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        """Add an event, and pass it on.

        Raises:
            ReplyTooLarge: the reply has too many characters or pieces.
        """
        if isinstance(event, (TextDelta, ReasoningDelta, ToolCallDelta)):
            self._characters += len(event.text)
            self._pieces += 1
            self._note_flow(len("".join(event.text.split())))
        if self._characters > MOST_CHARACTERS:
            raise ReplyTooLarge(f"more than {MOST_CHARACTERS:,} characters in one reply")
        if self._pieces > MOST_PIECES:
            raise ReplyTooLarge(f"more than {MOST_PIECES:,} pieces in one reply")
        return (event,)

    def note_reading(self, read: int) -> None:
        """Note how many tokens of the request the model has read; progress counts as output."""
        if read > self._read and self._clock() < self._end_of_reading:
            self._read = read
            self._note_flow(_FLOWING)

    def _note_flow(self, characters: int) -> None:
        self._flow += characters
        self._recent.append((self._clock(), characters))


def _count_lines(text: bytes) -> int:
    return max(text.count(b"\n"), text.count(b"\r"))


async def _decompress(pieces: AsyncIterator[bytes], encoding: str) -> AsyncIterator[bytes]:
    if encoding in _UNPACKED:
        async for piece in pieces:
            yield piece
        return
    if encoding not in _PACKED:
        raise ReplyTooLarge(f'a reply packed as "{encoding[:20]}", which was not asked for')
    unpacker = zlib.decompressobj(_PACKED[encoding])
    async for piece in pieces:
        rest = piece
        while rest:
            try:
                yield unpacker.decompress(rest, _PIECE)
            except zlib.error as error:
                raise ReplyTooLarge("a packed reply that cannot be unpacked") from error
            rest = unpacker.unconsumed_tail
