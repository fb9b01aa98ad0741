"""The chunks of a reply as they arrive, and its end without `[DONE]`: some servers also keep its connection open."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from ..base.event_loop.timeout import each_with_timeout
from .endpoint import Endpoint, Patience
from .refusals.refusals import (
    Refusal,
    no_reply_in_time,
    refusal_in_reply,
    refusal_of,
    refusal_of_no_model_server,
)
from .replies.loose_types import as_list, as_object
from .replies.prompt_progress import is_reading
from .replies.reply_limits import ReplyTooLarge

if TYPE_CHECKING:
    from openai import AsyncStream


async def read_chunks(
    stream: AsyncStream[object], endpoint: Endpoint, first_event: float, patience: Patience
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield the chunks of a reply until it ends: by `[DONE]`, by a connection that breaks after some output, or by
    silence after a finish reason.
    """
    has_answered = False
    end = ReplyEnd()

    def patience_after(chunk: object) -> float:
        end.note(chunk)
        if is_reading(chunk):
            return first_event
        return patience.after_end if end.has_finish_reason else patience.next_event

    try:
        chunks = each_with_timeout(await _arriving(stream, endpoint), first=first_event, then=patience_after)
        async with contextlib.aclosing(chunks):
            async for chunk in chunks:
                has_answered = has_answered or not is_reading(chunk)
                if isinstance(chunk, dict):
                    yield chunk
    except Refusal:
        raise
    except (asyncio.TimeoutError, TimeoutError) as error:
        if end.has_finish_reason:
            return
        raise no_reply_in_time(endpoint, patience.next_event if has_answered else first_event) from error
    except Exception as error:
        refusal = refusal_of(error, endpoint)
        if not (has_answered and refusal.failure.code == "provider_unreachable"):
            raise refusal from error


async def _arriving(stream: AsyncStream[object], endpoint: Endpoint) -> AsyncIterator[object]:
    """Return the chunks of a stream, or the single completion that some servers send instead.

    Raises:
        Refusal: the response is neither.
    """
    kind = stream.response.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind == "application/json":
        try:
            body = await stream.response.aread()
            completion = await asyncio.to_thread(json.loads, body)
        except ReplyTooLarge as error:
            raise refusal_of(error, endpoint) from error
        except (ValueError, RecursionError):
            completion = None
        if isinstance(completion, dict) and completion.get("error"):
            raise refusal_in_reply(completion["error"], endpoint)
        if not isinstance(completion, dict) or not as_list(completion.get("choices")):
            raise refusal_of_no_model_server(endpoint)
        return _single(completion)
    if kind == "text/html":
        raise refusal_of_no_model_server(endpoint)
    return aiter(stream)


async def _single(value: object) -> AsyncIterator[object]:
    yield value


class ReplyEnd:
    """Follows the chunks of a reply; `has_finish_reason` while the newest chunk with a choice has a finish reason."""

    def __init__(self) -> None:
        self.has_finish_reason = False

    def note(self, chunk: object) -> None:
        """Read a chunk. Usage follows the end in a chunk without a choice; some gateways give a reason with every
        chunk.
        """
        choices = as_list(chunk.get("choices")) if isinstance(chunk, Mapping) else []
        if choices:
            self.has_finish_reason = any(as_object(choice).get("finish_reason") for choice in choices)
