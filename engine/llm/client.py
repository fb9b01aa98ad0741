"""The client that streams a model's reply through the `openai` package."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..base.errors import ProviderError
from ..base.event_loop.timeout import timeout
from ..base.events import Notice, ReplyEvent, ReplyFinished
from ..base.messages import Message
from ..base.network.outgoing import outgoing_to_model
from ..base.secret import Secret
from .chunks import read_chunks
from .endpoint import Endpoint, Patience
from .learned import EndpointRuleStore
from .refusals.failures import affordable_tokens, not_a_model_server
from .refusals.refusals import (
    Refusal,
    failed_reply,
    no_reply_in_time,
    refusal_of,
    refuse_unreadable,
    reply_too_slow,
)
from .replies.inline_calls import InlineCalls
from .replies.loose_types import as_text
from .replies.normalizer import ReplyNormalizer
from .replies.prompt_progress import prompt_progress
from .replies.reply_filter import pass_through
from .replies.reply_limits import ReplySize, limit_body
from .replies.thoughts import Thoughts
from .replies.tool_calls import NewCallId, new_call_id
from .requests.after_refusal import after_refusal
from .requests.request_body import EndpointRules, optional_parameters, request_body

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream

logger = logging.getLogger(__name__)

_MOST_CHANGED_FORMS = 6
_LOADING_POLL_SECONDS = 2.0
_LONGEST_LOADING_SECONDS = 600.0
_MOST_IDLE_CLIENTS = 4


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
        self._substitutes: set[tuple[str, str, str]] = set()

    async def stream(
        self,
        endpoint: Endpoint,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        *,
        max_tokens: int | None = None,
    ) -> AsyncGenerator[ReplyEvent, None]:
        """Yield a reply as neutral events; the last one is `ReplyFinished`.

        A request without any output yet is retried up to twice where that can help, and for ten minutes while the
        server loads the model. Closing the iterator closes the connection, which stops the model.

        Raises:
            ProviderError: with a code for each way in which an endpoint can fail.
        """
        retries = forms = 0
        loading = 0.0
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
                if has_answered:
                    raise refusal.failure from refusal.__cause__
                if has_learned and forms < _MOST_CHANGED_FORMS:
                    forms += 1
                    continue
                if refusal.is_loading and loading < _LONGEST_LOADING_SECONDS:
                    yield Notice(
                        "loading", f"The server is loading {endpoint.model}: {loading:.0f} s so far …"
                    )
                    loading += _LOADING_POLL_SECONDS
                    await self._sleep(_LOADING_POLL_SECONDS)
                    continue
                affordable = affordable_tokens(refusal.failure)
                if affordable and (max_tokens is None or affordable < max_tokens):
                    max_tokens = affordable
                    continue
                wait = refusal.wait_before(retries + 1)
                if wait is None:
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
            normalizer = ReplyNormalizer(self._new_call_id)
            reads_all = (endpoint.is_near or rules.writes_calls) and not rules.sends_calls
            size = ReplySize(endpoint.reply_seconds)
            filters = (
                size,
                Thoughts(),
                InlineCalls(body.get("tools", ()), self._new_call_id, certain_only=not reads_all),
            )
            answering = ""
            async with contextlib.aclosing(read_chunks(stream, endpoint, first_event, patience)) as chunks:
                async for chunk in chunks:
                    answering = answering or as_text(chunk.get("model"))
                    if progress := prompt_progress(chunk):
                        size.note_reading(progress.read)
                        if notice := progress.notice:
                            yield notice
                    with refuse_unreadable(endpoint):
                        events = [
                            passed
                            for event in normalizer.feed(chunk)
                            for passed in pass_through(filters, event)
                        ]
                    for event in events:
                        yield event
                    if size.is_dragging:
                        raise reply_too_slow(endpoint)
            if notice := await self._substitute_notice(endpoint, answering):
                yield notice
            with refuse_unreadable(endpoint):
                events = normalizer.finish()
            for event in events:
                if isinstance(event, ReplyFinished) and event.reason == "error":
                    raise failed_reply(endpoint)
                with refuse_unreadable(endpoint):
                    events_read = pass_through(filters, event)
                for passed in events_read:
                    if isinstance(event, ReplyFinished) and isinstance(passed, ReplyFinished):
                        await self._note_calls(endpoint, rules, sent=event, read=passed)
                    yield passed
        finally:
            await stream.response.aclose()

    async def _substitute_notice(self, endpoint: Endpoint, answering: str) -> Notice | None:
        """Return the notice, once, that another of the server's models replied than was asked: LM Studio replies with
        the one that is loaded.
        """
        substitute = (endpoint.base_url, endpoint.model, answering)
        if not (endpoint.is_near and is_another_model(endpoint.model, answering)):
            return None
        if substitute in self._substitutes:
            return None
        self._substitutes.add(substitute)
        try:
            listed = await self.models(endpoint)
        except ProviderError:
            return None
        if answering not in listed:
            return None
        return Notice(
            "other-model",
            f"{answering} replied in place of {endpoint.model}: the model server has that one loaded. Load "
            f"{endpoint.model} there, or choose {answering}.",
        )

    async def _note_calls(
        self, endpoint: Endpoint, rules: EndpointRules, *, sent: ReplyFinished, read: ReplyFinished
    ) -> None:
        """Learn whether calls arrive as such or in the reply's text, where only the filters `read` them."""
        is_written = not sent.calls and bool(read.calls)
        # Ollama has lost calls while it streamed them.
        is_lost = sent.reason == "tool-calls" and not read.calls
        known = replace(
            rules,
            sends_calls=rules.sends_calls or bool(sent.calls),
            writes_calls=rules.writes_calls or is_written,
            streams_no_tools=rules.streams_no_tools or is_lost,
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


def is_another_model(asked: str, answering: str) -> bool:
    """Return whether two ids name different models, and not one by its path, its file or a tag."""
    names = [re.sub(r"(:latest|\.gguf)$", "", name.lower()) for name in (asked, answering)]
    return all(names) and not (names[0] in names[1] or names[1] in names[0])


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
        raise no_reply_in_time(endpoint, seconds) from error
    except Exception as error:
        raise refusal_of(error, endpoint) from error


class Clients:
    """A pool of clients by address and key. Those in use stay open, and the four that were used last."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, Secret], _OpenClient] = {}

    def __len__(self) -> int:
        return len(self._open)

    @asynccontextmanager
    async def use(self, endpoint: Endpoint) -> AsyncIterator[AsyncOpenAI]:
        key = (endpoint.base_url, endpoint.api_key)
        client = self._open.pop(key, None)
        if client is None or client.has_failed:
            client = _OpenClient(endpoint)
        self._open[key] = client
        client.users += 1
        try:
            yield await client.ready()
        finally:
            client.users -= 1
            await self._close_idle(keep=_MOST_IDLE_CLIENTS)

    async def close(self) -> None:
        """Close all clients, also those in use."""
        for client in self._open.values():
            client.users = 0
        await self._close_idle(keep=0)

    async def _close_idle(self, *, keep: int) -> None:
        idle = [key for key, client in self._open.items() if not client.users]
        surplus = [self._open.pop(key) for key in idle[: max(0, len(self._open) - keep)]]
        for client in surplus:
            await client.close()


class _OpenClient:
    def __init__(self, endpoint: Endpoint) -> None:
        self.users = 0
        # Importing the package and loading the certificates take tens of milliseconds each.
        self._client = asyncio.create_task(
            asyncio.to_thread(outgoing_to_model, endpoint.base_url, endpoint.api_key, on_response=limit_body)
        )

    async def ready(self) -> AsyncOpenAI:
        """Wait for the client, which all waiters share; a waiter that is cancelled does not cancel it."""
        return await asyncio.shield(self._client)

    @property
    def has_failed(self) -> bool:
        return self._client.done() and (self._client.cancelled() or self._client.exception() is not None)

    async def close(self) -> None:
        await asyncio.wait([self._client])
        if not self.has_failed:
            await self._client.result().close()
