"""Requests that models were sent, step by step, and the usage that the provider reported.

Requests of a thread share most of their messages, so each message and each tool list is stored once, by its SHA-256,
and a request is the list of its parts.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ..base.errors import RequestError
from ..base.events import Usage
from ..base.messages import Message
from ..context.rendering import Recent
from .database import Database
from .log.event_log import UNREADABLE
from .rows import batches, pack, read_json, require_thread, stored_json, unpack
from .thread_list import change_thread

if TYPE_CHECKING:
    from sqlalchemy import Connection

_LOST = Message(role="system", content=UNREADABLE)


@dataclass(frozen=True)
class StoredRequest:
    """A request without its messages. What the provider did not report is None.

    `stages` are those of the plan: what was reduced to make the request fit. `created_at` is in seconds since the
    epoch, `first_token_ms` in milliseconds from the request on.
    """

    id: str
    message_id: str
    step: int
    model: str
    created_at: float
    estimated_tokens: int
    stages: tuple[str, ...] = ()
    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    output_tokens: int | None = None
    first_token_ms: float | None = None

    def as_json(self) -> dict[str, Any]:
        usage = {
            "inputTokens": self.input_tokens,
            "cachedInputTokens": self.cached_input_tokens,
            "outputTokens": self.output_tokens,
            "firstTokenMs": self.first_token_ms,
        }
        return {
            "id": self.id,
            "messageId": self.message_id,
            "step": self.step,
            "model": self.model,
            "createdAt": self.created_at,
            "estimatedTokens": self.estimated_tokens,
            "stages": list(self.stages),
            **{name: value for name, value in usage.items() if value is not None},
        }


@dataclass(frozen=True)
class SentRequest:
    """A request with the messages and tools that were sent; a damaged message is replaced by a note."""

    request: StoredRequest
    messages: list[Message]
    tools: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        return {**self.request.as_json(), "messages": self.messages, "tools": self.tools}


class Requests:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._digests: Recent[int, tuple[Any, bytes]] = Recent()

    async def keep(
        self,
        thread_id: str,
        *,
        message_id: str,
        step: int,
        model: str,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        estimated_tokens: int,
        stages: Sequence[str] = (),
        origin: str = "",
    ) -> str:
        """Store a request that is about to be sent, and the `origin` that it goes to with its thread; return the
        request's id.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(
            self._keep,
            thread_id,
            messages,
            tools,
            origin,
            id=f"request_{secrets.token_hex(12)}",
            message_id=message_id,
            step=step,
            model=model,
            estimated_tokens=estimated_tokens,
            stages=stored_json(list(stages)),
        )

    async def finish(self, request_id: str, *, usage: Usage | None, first_token_ms: float | None) -> None:
        """Record what the provider reported, if anything; of a thread deleted meanwhile, nothing."""
        await self._database.run(_finish, request_id, usage, first_token_ms)

    async def list(self, thread_id: str) -> list[StoredRequest]:
        """Return the requests of a thread, oldest first.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(_read_requests, thread_id)

    async def read(self, thread_id: str, request_id: str) -> SentRequest:
        """Return a request with its messages and tools.

        Raises:
            RequestError: `not_found`.
        """
        return await self._database.run(_sent_request, thread_id, request_id)

    def _keep(
        self,
        connection: Connection,
        thread_id: str,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        origin: str,
        **values: Any,
    ) -> str:
        from .schema import request

        if require_thread(connection, thread_id).answers_from != origin and origin:
            change_thread(connection, thread_id, answers_from=origin)
        self._digests.begin_request()
        *message_blobs, tools_blob = self._keep_blobs(connection, thread_id, [*messages, tools])
        row = {
            **values,
            "thread_id": thread_id,
            "created_at": time.time(),
            "message_blobs": stored_json(message_blobs),
            "tools_blob": tools_blob,
        }
        connection.execute(request.insert(), row)
        return values["id"]

    def _keep_blobs(self, connection: Connection, thread_id: str, values: Sequence[Any]) -> list[int]:
        """Return the id of each value's blob, in order, and insert blobs that the thread lacks."""
        from sqlalchemy import select

        from .schema import blob

        hashes = [self._digest(value) for value in values]
        seqs: dict[bytes, int] = {}
        for batch in batches(hashes):
            rows = connection.execute(
                select(blob.c.sha256, blob.c.seq).where(
                    blob.c.thread_id == thread_id, blob.c.sha256.in_(batch)
                )
            )
            seqs |= {row.sha256: row.seq for row in rows}
        for value, digest in zip(values, hashes, strict=True):
            if digest not in seqs:
                data = pack(stored_json(value))
                row = {"thread_id": thread_id, "sha256": digest, "data": data}
                key = connection.execute(blob.insert(), row).inserted_primary_key
                assert key is not None
                seqs[digest] = key[0]
        return [seqs[digest] for digest in hashes]

    def _digest(self, value: Any) -> bytes:
        """Return the SHA-256 of a message or tool list, which are the same objects in each request of a turn."""
        entry = self._digests.get(id(value))
        if entry is None or entry[0] is not value:
            entry = (value, sha256(stored_json(value).encode()).digest())
            self._digests.keep(id(value), entry)
        return entry[1]


def _finish(
    connection: Connection, request_id: str, usage: Usage | None, first_token_ms: float | None
) -> None:
    from .schema import request

    connection.execute(
        request.update()
        .where(request.c.id == request_id)
        .values(
            input_tokens=usage.input_tokens if usage else None,
            cached_input_tokens=usage.cached_tokens if usage else None,
            output_tokens=usage.output_tokens if usage else None,
            first_token_ms=first_token_ms,
        )
    )


def _read_requests(connection: Connection, thread_id: str) -> list[StoredRequest]:
    from .schema import request

    require_thread(connection, thread_id)
    rows = connection.execute(
        request.select().where(request.c.thread_id == thread_id).order_by(request.c.seq)
    )
    return [_stored_request(row) for row in rows]


def _sent_request(connection: Connection, thread_id: str, request_id: str) -> SentRequest:
    from .schema import request

    require_thread(connection, thread_id)
    row = connection.execute(
        request.select().where(request.c.thread_id == thread_id, request.c.id == request_id)
    ).first()
    if row is None:
        raise RequestError(
            "not_found",
            f'The thread has no request "{request_id[:64]}".',
            hint="GET /api/assistant/threads/{id}/requests lists those that it has.",
            status=404,
        )
    message_blobs = [blob_id for blob_id in read_json(row.message_blobs, []) if isinstance(blob_id, int)]
    texts = _read_blobs(connection, {*message_blobs, row.tools_blob})
    messages = [read_json(texts.get(blob_id), _LOST) for blob_id in message_blobs]
    return SentRequest(_stored_request(row), messages, read_json(texts.get(row.tools_blob), []))


def _read_blobs(connection: Connection, ids: set[int]) -> dict[int, str | None]:
    from sqlalchemy import select

    from .schema import blob

    texts: dict[int, str | None] = {}
    for batch in batches(sorted(ids)):
        rows = connection.execute(select(blob.c.seq, blob.c.data).where(blob.c.seq.in_(batch)))
        texts |= {row.seq: unpack(row.data) for row in rows}
    return texts


def _stored_request(row: Any) -> StoredRequest:
    return StoredRequest(
        id=row.id,
        message_id=row.message_id,
        step=row.step,
        model=row.model,
        created_at=row.created_at,
        estimated_tokens=row.estimated_tokens,
        stages=tuple(read_json(row.stages, [])),
        input_tokens=row.input_tokens,
        cached_input_tokens=row.cached_input_tokens,
        output_tokens=row.output_tokens,
        first_token_ms=row.first_token_ms,
    )
