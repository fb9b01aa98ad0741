"""The client that streams a model's reply through the `openai` package."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..base.errors import ProviderError
from ..base.event_loop.timeout import each_with_timeout, timeout
from ..base.events import Notice, ReplyEvent, ReplyFinished, ToolCallStarted
from ..base.messages import Message
from .clients import Clients
from .endpoint import Endpoint, Patience
from .learned import EndpointRuleStore
from .refusals.failures import not_a_model_server
from .refusals.refusals import (
    Refusal,
    drag,
    failed_reply,
    no_model_server,
    readable,
    refusal_in_reply,
    refusal_of,
    silence,
)
from .replies.call_ids import NewCallId, new_call_id
from .replies.inline_calls import InlineCalls
from .replies.loose_types import as_list
from .replies.normaliser import Normaliser
from .replies.prompt_progress import is_reading, prompt_progress
from .replies.reply_end import ReplyEnd
from .replies.reply_limits import ReplySize, ReplyTooLarge
from .requests.after_refusal import after_refusal
from .requests.request_body import EndpointRules, optional_parameters, request_body

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream

logger = logging.getLogger(__name__)

_FORMS = 6


class ChatClient:
    """A client for any number of endpoints; connections stay open and are shared between chats.

    `patience` applies to all endpoints, in place of the default of each kind.
    """

    def __init__(
        self,
        *,
        sleep: Callable[[float], Any] = asyncio.sleep,
        new_call_id: NewCallId = new_call_id,
        patience: Patience | None = None,
        rules: EndpointRuleStore | None = None,
    ) -> None:
        self._clients = Clients()
        self.rules = rules or EndpointRuleStore()
        self._sleep = sleep
        self._new_call_id = new_call_id
        self._patience = patience

    async def stream(
        self,
        endpoint: Endpoint,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        *,
        max_tokens: int | None = None,
    ) -> AsyncGenerator[ReplyEvent, None]:
        """Yield a reply as neutral events; the last one is `ReplyFinished`.

        A request without any output yet is retried up to twice where that can help. Closing the iterator closes the
        connection, which stops the model.

        Raises:
            ProviderError: with a code for each way in which an endpoint can fail.
        """
        retries = forms = 0
        while True:
            began = time.monotonic()
            has_answered = False
            try:
                async with (
                    self._clients.use(endpoint) as client,
                    contextlib.aclosing(
                        self._attempt(client, endpoint, messages, tools, max_tokens)
                    ) as events,
                ):
                    async for event in events:
                        has_answered = has_answered or not isinstance(event, Notice)
                        yield event
                return
            except Refusal as refusal:
                has_learned = await self._learn(endpoint, refusal.failure, messages, has_tools=bool(tools))
                if has_learned and not has_answered and forms < _FORMS:
                    forms += 1
                    continue
                wait = refusal.wait_before(retries + 1)
                if has_answered or wait is None:
                    raise refusal.failure from refusal.__cause__
                failure = refusal.failure
            retries += 1
            logger.info("retrying the model after %s (%.1f s)", failure.code, time.monotonic() - began)
            yield Notice("retrying", f"{failure.message} Trying again in {wait:.0f} s …")
            await self._sleep(wait)

    async def models(self, endpoint: Endpoint) -> list[str]:
        """Return the ids of the models that an endpoint lists.

        Raises:
            ProviderError: as `stream` does.
        """
        return [str(entry["id"]) for entry in await self.model_entries(endpoint)]

    async def model_entries(self, endpoint: Endpoint) -> list[dict[str, Any]]:
        """Return the entries of the models that an endpoint lists, with all their fields.

        Raises:
            ProviderError: as `stream` does.
        """
        async with self._clients.use(endpoint) as client:
            try:
                page = await client.get("/models", cast_to=object)
            except Exception as error:
                raise refusal_of(error, endpoint).failure from error
        data = page.get("data") if isinstance(page, dict) else None
        if not isinstance(data, list):
            raise not_a_model_server(endpoint.base_url)
        return [model for model in data if isinstance(model, dict) and model.get("id")]

    async def close(self) -> None:
        await self._clients.close()

    async def _attempt(
        self,
        client: AsyncOpenAI,
        endpoint: Endpoint,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        max_tokens: int | None,
    ) -> AsyncGenerator[ReplyEvent, None]:
        rules = await self.rules.of(endpoint.base_url, endpoint.model)
        parameters = optional_parameters(endpoint, messages, rules.refused_parameters)
        has_no_system_role = rules.has_no_system_role or endpoint.drops_system
        body = request_body(
            endpoint.model,
            messages,
            tools,
            replace(rules, has_no_system_role=has_no_system_role),
            max_tokens=max_tokens,
            parameters=parameters,
        )
        patience = self._patience or endpoint.patience
        first_event = (
            patience.first_event if body["stream"] else max(patience.first_event, endpoint.reply_seconds)
        )
        stream = await _open(client, endpoint, body, first_event)
        try:
            normaliser = Normaliser(self._new_call_id)
            written = InlineCalls(body.get("tools", ()) if not rules.sends_calls else (), self._new_call_id)
            makes_written = endpoint.is_near or rules.writes_calls
            size = ReplySize(endpoint.reply_seconds)
            async with contextlib.aclosing(_objects(stream, endpoint, first_event, patience)) as objects:
                async for chunk in objects:
                    if progress := prompt_progress(chunk):
                        size.note_reading(progress.read)
                        if notice := progress.notice:
                            yield notice
                    with readable(endpoint):
                        events = normaliser.feed(chunk)
                        for event in events:
                            size.note(event)
                    for event in events:
                        read = written.feed(event)
                        for each in read if makes_written else (event,):
                            yield each
                    if size.is_dragging:
                        raise drag(endpoint)
            with readable(endpoint):
                events = normaliser.finish()
            for event in events:
                if isinstance(event, ReplyFinished) and event.reason == "error":
                    raise failed_reply(endpoint)
                read = written.feed(event)
                if isinstance(event, ReplyFinished):
                    await self._note_calls(endpoint, rules, event, read)
                for each in read if makes_written else (event,):
                    yield each
        finally:
            await stream.response.aclose()

    async def _note_calls(
        self, endpoint: Endpoint, rules: EndpointRules, reply: ReplyFinished, read: Sequence[ReplyEvent]
    ) -> None:
        """Learn whether calls arrive as such or in the reply's text; `read` is the end of the reply with the calls in
        its text.
        """
        is_written = not reply.calls and any(isinstance(event, ToolCallStarted) for event in read)
        known = replace(
            rules,
            sends_calls=rules.sends_calls or bool(reply.calls),
            writes_calls=rules.writes_calls or is_written,
        )
        if known != rules:
            await self.rules.keep(endpoint.base_url, endpoint.model, known)

    async def _learn(
        self, endpoint: Endpoint, failure: ProviderError, messages: Sequence[Message], *, has_tools: bool
    ) -> bool:
        """Learn from a refusal; return whether the next request takes another form."""
        previous = await self.rules.of(endpoint.base_url, endpoint.model)
        parameters = optional_parameters(endpoint, messages, previous.refused_parameters)
        rules = after_refusal(previous, failure, messages, has_tools=has_tools, parameters=parameters)
        if rules == previous:
            return False
        await self.rules.keep(endpoint.base_url, endpoint.model, rules)
        return True


async def _open(
    client: AsyncOpenAI, endpoint: Endpoint, body: dict[str, Any], seconds: float
) -> AsyncStream[object]:
    from .replies.event_stream import EventStream

    opening = asyncio.ensure_future(
        client.post(
            "/chat/completions",
            body=body,
            cast_to=object,
            stream=True,
            stream_cls=EventStream[object],
        )
    )
    try:
        return await timeout(seconds, opening)
    except asyncio.CancelledError:
        if opening.done() and not opening.cancelled() and opening.exception() is None:
            await opening.result().response.aclose()
        raise
    except (asyncio.TimeoutError, TimeoutError) as error:
        raise silence(endpoint, seconds) from error
    except Exception as error:
        raise refusal_of(error, endpoint) from error


async def _objects(
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
        return patience.after_end if end.is_told else patience.next_event

    try:
        chunks = each_with_timeout(await _chunks(stream, endpoint), first=first_event, then=patience_after)
        async with contextlib.aclosing(chunks):
            async for chunk in chunks:
                has_answered = has_answered or not is_reading(chunk)
                if isinstance(chunk, dict):
                    yield chunk
    except Refusal:
        raise
    except (asyncio.TimeoutError, TimeoutError) as error:
        if end.is_told:
            return
        raise silence(endpoint, patience.next_event if has_answered else first_event) from error
    except Exception as error:
        refusal = refusal_of(error, endpoint)
        if not (has_answered and refusal.failure.code == "provider_unreachable"):
            raise refusal from error


async def _chunks(stream: AsyncStream[object], endpoint: Endpoint) -> AsyncIterator[object]:
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
            raise no_model_server(endpoint)
        return _single(completion)
    if kind == "text/html":
        raise no_model_server(endpoint)
    return aiter(stream)


async def _single(value: object) -> AsyncIterator[object]:
    yield value
