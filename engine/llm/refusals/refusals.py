"""Exceptions of the `openai` package as failures of ours, and whether a retry may help."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Iterator
from typing import Any

from ...base.errors import ProviderError
from ..endpoint import Endpoint
from ..replies.reply_limits import ReplyTooLarge
from . import failures

logger = logging.getLogger(__name__)

_RETRIES = 2
_PASSING = (408, 409, 425, 429)
_LONGEST_WAIT = 60.0


class Refusal(Exception):
    """The error that an endpoint did not reply as expected; `failure` is what the user reads in the end.

    While it `is_loading`, the endpoint has not failed: it replies once it has loaded the model.
    """

    def __init__(
        self,
        failure: ProviderError,
        *,
        may_retry: bool = True,
        retry_after: float | None = None,
        is_loading: bool = False,
    ) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.is_loading = is_loading
        self._may_retry = may_retry
        self._retry_after = retry_after

    def wait_before(self, retry: int) -> float | None:
        """Return the seconds to wait before a retry, counted from 1; None where it would not help or take too long."""
        if retry > _RETRIES or not self._may_retry or not self.failure.retryable:
            return None
        if self.failure.code == "provider_unreachable":
            return None
        wait = self._retry_after if self._retry_after is not None else 0.25 * 2**retry
        return wait if wait <= _LONGEST_WAIT else None


def refusal_of(error: BaseException, endpoint: Endpoint) -> Refusal:
    """Return the refusal for an exception of the `openai` package or of its connection."""
    import openai

    if isinstance(error, openai.APIStatusError) and 300 <= error.status_code < 400:
        location = str(error.response.headers.get("location") or "")
        return Refusal(failures.moved(endpoint.base_url, location), may_retry=False)
    if isinstance(error, openai.APIStatusError):
        body = error.body if error.body is not None else error.message
        wait = failures.retry_after(error.response.headers, str(body))
        failure = failures.failure_of(error.status_code, body, **_failure_context(endpoint))
        # Groq reports a malformed tool call of the model, which may do better the next time; LM Studio loads a model
        # that it has unloaded with the next request.
        may_retry = (
            error.status_code in _PASSING
            or error.status_code >= 500
            or "tool_use_failed" in str(body)
            or failures.was_unloaded(failure.provider_message)
        )
        is_loading = failures.is_loading(error.status_code, failure.provider_message)
        return Refusal(failure, may_retry=may_retry, retry_after=wait, is_loading=is_loading)
    if (limit := _find_limit(error)) is not None:
        return Refusal(failures.reply_too_large(endpoint.base_url, str(limit)), may_retry=False)
    if isinstance(error, openai.APIConnectionError):
        return Refusal(failures.unreachable(endpoint.base_url))
    if isinstance(error, openai.APIError):
        return refusal_in_reply(error.body or error.message, endpoint)
    if isinstance(error, (ValueError, RecursionError)):
        return refusal_of_no_model_server(endpoint)
    logger.debug("the model's stream broke", exc_info=error)
    return Refusal(failures.unreachable(endpoint.base_url))


def _find_limit(error: BaseException | None) -> ReplyTooLarge | None:
    """Return the ReplyTooLarge among the causes of an error, which the package wraps."""
    while error is not None and not isinstance(error, ReplyTooLarge):
        error = error.__cause__
    return error


def refusal_in_reply(error: object, endpoint: Endpoint) -> Refusal:
    """Return the refusal for an error within a reply of status 200, by the status in its own code, if any."""
    code = error.get("code") if isinstance(error, dict) else None
    status = int(code) if isinstance(code, (int, str)) and re.fullmatch("[45][0-9][0-9]", str(code)) else None
    return Refusal(failures.failure_of(status, error, **_failure_context(endpoint)))


def failed_reply(endpoint: Endpoint) -> Refusal:
    """Return the refusal for a reply that ended in an error without naming it."""
    return Refusal(failures.failure_of(500, "", **_failure_context(endpoint)))


def no_reply_in_time(endpoint: Endpoint, seconds: float) -> Refusal:
    return Refusal(failures.timed_out(endpoint.base_url, seconds), may_retry=False)


def reply_too_slow(endpoint: Endpoint) -> Refusal:
    return Refusal(failures.dragging(endpoint.base_url, endpoint.reply_seconds), may_retry=False)


def refusal_of_no_model_server(endpoint: Endpoint) -> Refusal:
    return Refusal(failures.not_a_model_server(endpoint.base_url), may_retry=False)


@contextlib.contextmanager
def refuse_unreadable(endpoint: Endpoint) -> Iterator[None]:
    """Turn any exception of the block into a refusal: a reply that cannot be read is the server's fault, not the
    turn's.
    """
    try:
        yield
    except ReplyTooLarge as error:
        raise refusal_of(error, endpoint) from error
    except Exception as error:
        logger.warning("a reply of the model could not be read (%s: %s)", type(error).__name__, error)
        raise refusal_of_no_model_server(endpoint) from error


def _failure_context(endpoint: Endpoint) -> dict[str, Any]:
    return {"base_url": endpoint.base_url, "model": endpoint.model, "key": endpoint.api_key}
