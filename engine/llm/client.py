"""Streams one reply of a model through the `openai` package."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import ProviderError
from ..events import Notice, ReplyEvent, ReplyFinished
from ..messages import Message
from ..settings import Secret
from . import failures
from .call_ids import CallIds, new_call_id
from .clients import Clients
from .loose_types import as_list
from .normaliser import Normaliser
from .outbound import OutboundRules, after_refusal, outbound, rules_for

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream

logger = logging.getLogger(__name__)

_RETRIES = 2
_FORMS = 4
_PASSING = (408, 409, 425, 429)
_LONGEST_WAIT = 60.0


@dataclass(frozen=True)
class Endpoint:
    """Where a model is reached. `is_local` grants the patience that loading a model from disk needs."""

    base_url: str
    model: str
    api_key: Secret = field(default=Secret(""))
    is_local: bool = False

    @property
    def first_event_seconds(self) -> float:
        return 300.0 if self.is_local else 120.0

    @property
    def idle_seconds(self) -> float:
        return 180.0 if self.is_local else 60.0


@dataclass
class _Learned:
    """What an endpoint refused once and is not sent again."""

    rules: OutboundRules
    refuses_stream_options: bool = False
    refuses_tools: bool = False
    wants_max_completion_tokens: bool = False


class ChatClient:
    """Talks to any number of endpoints; connections are kept and shared between chats."""

    def __init__(
        self, *, sleep: Callable[[float], Any] = asyncio.sleep, new_call_id: CallIds = new_call_id
    ) -> None:
        self._clients = Clients()
        self._learned: dict[tuple[str, str], _Learned] = {}
        self._sleep = sleep
        self._new_call_id = new_call_id

    async def stream(
        self,
        endpoint: Endpoint,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        *,
        max_tokens: int | None = None,
    ) -> AsyncGenerator[ReplyEvent, None]:
        """One reply as neutral events; the last one is `ReplyFinished`.

        A request that brought nothing yet is tried again up to twice where that can help. Closing the iterator
        closes the connection, which is what stops the model.

        Raises:
            ProviderError: with a code for each way in which an endpoint can fail.
        """
        attempt = forms = 0
        while True:
            began = time.monotonic()
            has_answered = False
            try:
                async with (
                    self._clients.using(endpoint) as client,
                    contextlib.aclosing(
                        self._attempt(client, endpoint, messages, tools, max_tokens)
                    ) as events,
                ):
                    async for event in events:
                        has_answered = True
                        yield event
                return
            except _Refusal as refusal:
                if forms < _FORMS and self._learn(endpoint, refusal.failure, messages, bool(tools)):
                    forms += 1
                    continue
                wait = self._wait(refusal, attempt)
                if has_answered or wait is None:
                    raise refusal.failure from refusal.__cause__
                failure = refusal.failure
            attempt += 1
            logger.info("retrying the model after %s (%.1f s)", failure.code, time.monotonic() - began)
            yield Notice("retrying", f"{failure.message} Trying again in {wait:.0f} s …")
            await self._sleep(wait)

    async def models(self, endpoint: Endpoint) -> list[str]:
        """The models that an endpoint lists.

        Raises:
            ProviderError: as `stream` does.
        """
        async with self._clients.using(endpoint) as client:
            try:
                page = await client.get("/models", cast_to=object)
            except Exception as error:
                raise _refusal(error, endpoint).failure from error
        data = page.get("data") if isinstance(page, dict) else None
        if not isinstance(data, list):
            raise failures.not_a_model_server(endpoint.base_url)
        return [str(model["id"]) for model in data if isinstance(model, dict) and model.get("id")]

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
        body = self._body(endpoint, messages, tools, max_tokens)
        normaliser = Normaliser(self._new_call_id)
        stream = await _open(client, endpoint, body)
        try:
            chunks = await _chunks(stream, endpoint)
            has_answered = False
            limit = endpoint.first_event_seconds
            while True:
                try:
                    chunk = await asyncio.wait_for(anext(chunks), limit)
                except StopAsyncIteration:
                    break
                except (asyncio.TimeoutError, TimeoutError) as error:
                    raise _Refusal(failures.timed_out(endpoint.base_url, limit), may_retry=False) from error
                except Exception as error:
                    refusal = _refusal(error, endpoint)
                    if has_answered and refusal.failure.code == "provider_unreachable":
                        break
                    raise refusal from error
                limit = endpoint.idle_seconds
                has_answered = True
                if isinstance(chunk, dict):
                    with _readable(endpoint):
                        events = normaliser.feed(chunk)
                    for event in events:
                        yield event
            with _readable(endpoint):
                events = normaliser.finish()
            for event in events:
                if isinstance(event, ReplyFinished) and event.reason == "error":
                    raise _Refusal(failures.refused(500, "", **_about(endpoint)))
                yield event
        finally:
            await stream.response.aclose()

    def _body(
        self,
        endpoint: Endpoint,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        max_tokens: int | None,
    ) -> dict[str, Any]:
        learned = self._learned_of(endpoint)
        sent = outbound(messages, learned.rules)
        body: dict[str, Any] = {"model": endpoint.model, "messages": sent, "stream": True}
        if tools and not learned.refuses_tools:
            body["tools"] = list(tools)
        if not learned.refuses_stream_options:
            body["stream_options"] = {"include_usage": True}
        if max_tokens is not None:
            body["max_completion_tokens" if learned.wants_max_completion_tokens else "max_tokens"] = (
                max_tokens
            )
        return body

    def _learn(
        self, endpoint: Endpoint, failure: ProviderError, messages: Sequence[Message], has_tools: bool
    ) -> bool:
        """Whether the request is worth sending again in another form, which is then remembered."""
        learned = self._learned_of(endpoint)
        if "stream_options" in failure.message and not learned.refuses_stream_options:
            learned.refuses_stream_options = True
            return True
        rules = after_refusal(learned.rules, failure.message, messages)
        if rules != learned.rules:
            learned.rules = rules
            return True
        if "max_completion_tokens" in failure.message and not learned.wants_max_completion_tokens:
            learned.wants_max_completion_tokens = True
            return True
        if failure.code == "no_tool_support" and has_tools and not learned.refuses_tools:
            learned.refuses_tools = True
            return True
        return False

    def refuses_tools(self, endpoint: Endpoint) -> bool:
        return self._learned_of(endpoint).refuses_tools

    def _learned_of(self, endpoint: Endpoint) -> _Learned:
        key = (endpoint.base_url, endpoint.model)
        if key not in self._learned:
            self._learned[key] = _Learned(rules_for(*key))
        return self._learned[key]

    @staticmethod
    def _wait(refusal: _Refusal, attempt: int) -> float | None:
        if attempt >= _RETRIES or not refusal.may_retry or not refusal.failure.retryable:
            return None
        if refusal.failure.code == "provider_unreachable":
            return None
        wait = refusal.retry_after if refusal.retry_after is not None else 0.5 * 2**attempt
        return wait if wait <= _LONGEST_WAIT else None


class _Refusal(Exception):
    def __init__(
        self, failure: ProviderError, *, may_retry: bool = True, retry_after: float | None = None
    ) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.may_retry = may_retry
        self.retry_after = retry_after


def _about(endpoint: Endpoint) -> dict[str, Any]:
    return {"base_url": endpoint.base_url, "model": endpoint.model, "key": endpoint.api_key}


def _refusal(error: BaseException, endpoint: Endpoint) -> _Refusal:
    """Translate what the `openai` package raises."""
    import openai

    if isinstance(error, openai.APIStatusError):
        body = error.body if error.body is not None else error.message
        failure = failures.refused(error.status_code, body, **_about(endpoint))
        # A model that called a tool wrongly, as Groq tells it, may do better the next time.
        may_retry = (
            error.status_code in _PASSING or error.status_code >= 500 or "tool_use_failed" in str(body)
        )
        wait = failures.retry_after(error.response.headers, str(body))
        return _Refusal(failure, may_retry=may_retry, retry_after=wait)
    if isinstance(error, openai.APIConnectionError):
        return _Refusal(failures.unreachable(endpoint.base_url))
    if isinstance(error, openai.APIError):
        return _Refusal(_refused_in_reply(error.body or error.message, endpoint))
    if isinstance(error, (ValueError, RecursionError)):
        return _Refusal(failures.not_a_model_server(endpoint.base_url), may_retry=False)
    logger.debug("the model's stream broke", exc_info=error)
    return _Refusal(failures.unreachable(endpoint.base_url))


@contextlib.contextmanager
def _readable(endpoint: Endpoint) -> Iterator[None]:
    """Whatever cannot be made sense of is the server's fault, not the turn's."""
    try:
        yield
    except Exception as error:
        logger.warning("a reply of the model could not be read (%s: %s)", type(error).__name__, error)
        raise _Refusal(failures.not_a_model_server(endpoint.base_url), may_retry=False) from error


def _refused_in_reply(error: object, endpoint: Endpoint) -> ProviderError:
    """What an error means that came with status 200: the status that counts is the one in its own code, if any."""
    code = error.get("code") if isinstance(error, dict) else None
    status = int(code) if isinstance(code, (int, str)) and re.fullmatch("[45][0-9][0-9]", str(code)) else None
    return failures.refused(status, error, **_about(endpoint))


async def _open(client: AsyncOpenAI, endpoint: Endpoint, body: dict[str, Any]) -> AsyncStream[object]:
    from openai import AsyncStream

    try:
        return await asyncio.wait_for(
            client.post(
                "/chat/completions",
                body=body,
                cast_to=object,
                stream=True,
                stream_cls=AsyncStream[object],
            ),
            endpoint.first_event_seconds,
        )
    except (asyncio.TimeoutError, TimeoutError) as error:
        failure = failures.timed_out(endpoint.base_url, endpoint.first_event_seconds)
        raise _Refusal(failure, may_retry=False) from error
    except Exception as error:
        raise _refusal(error, endpoint) from error


async def _chunks(stream: AsyncStream[object], endpoint: Endpoint) -> AsyncIterator[object]:
    """Let a server through that answers a stream request with one whole completion; refuse what is neither."""
    kind = stream.response.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind == "application/json":
        body = await stream.response.aread()
        try:
            completion = json.loads(body)
        except (ValueError, RecursionError):
            completion = None
        if isinstance(completion, dict) and completion.get("error"):
            raise _Refusal(_refused_in_reply(completion["error"], endpoint))
        if not isinstance(completion, dict) or not as_list(completion.get("choices")):
            raise _Refusal(failures.not_a_model_server(endpoint.base_url), may_retry=False)
        return _single(completion)
    if kind == "text/html":
        raise _Refusal(failures.not_a_model_server(endpoint.base_url), may_retry=False)
    return aiter(stream)


async def _single(value: object) -> AsyncIterator[object]:
    yield value
