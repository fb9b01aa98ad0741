"""Failures of a model's endpoint, each with its own message and advice."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...base.caller import are_private_replies_shown
from ...base.errors import ProviderError
from ...base.network.base_url import is_local, is_on_network, without_secrets
from ...base.secret import Secret
from .overflow import ContextOverflow, read_overflow

_NO_TOOLS = re.compile(
    r"does not support (tools|function)|tools? (param|is|are) .{0,300}(not|requires)|--jinja|Unsupported param: tools",
    re.IGNORECASE,
)
_NO_ROUTE_FOR_TOOLS = re.compile(r"no endpoints found that support tool use", re.IGNORECASE)
_NO_ROUTE_BY_POLICY = re.compile(
    r"no endpoints (?:found|available) matching your .{0,60}data policy", re.IGNORECASE
)
_AFFORDABLE = re.compile(r"can only afford (\d+)", re.IGNORECASE)
_LEAST_AFFORDABLE = 256
_LOADING = re.compile(r"\bloading model\b|model is (?:still )?(?:loading|being loaded)\b", re.IGNORECASE)
_UNLOADED = re.compile(r"\bmodel (?:is |was |has been |got )?unloaded\b", re.IGNORECASE)
_NO_PARSER = re.compile(r"unable to generate parser for this template", re.IGNORECASE)
_NO_MEMORY = re.compile(
    r"requires more (?:system |GPU |video )?memory|out of memory|insufficient (?:system resources|memory)|"
    r"(?:failed|unable) to allocate|cudaMalloc failed|not enough (?:V?RAM|memory)",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|credit balance|billing", re.IGNORECASE)
_ABOUT_MODEL = re.compile(r"\b(models?|endpoints?)\b", re.IGNORECASE)
# A web server such as ComfyUI answers 405 for a path that it only serves with GET.
_NO_SUCH_ROUTE = (404, 405)
_PER_MINUTE = re.compile(r"per[ -]minute|try again in|rate limit|tokens per min|TPM|RPM")
_TAG = re.compile(r"<[^<>]*>")
_LONGEST_QUOTE = 300
_LONGEST_MESSAGE = 8_000
_RETRY_IN = re.compile(r"try again in (\d+(?:\.\d+)?)\s*(ms|s)")


def _is_near(base_url: str) -> bool:
    """Return whether the server is on this machine or in its network."""
    return is_local(base_url) or is_on_network(base_url)


def unreachable(base_url: str) -> ProviderError:
    return ProviderError(
        "provider_unreachable",
        f"Nothing answers at {base_url}.",
        hint="Start the model server, or correct the base URL."
        if _is_near(base_url)
        else "Check the internet connection of the machine that ComfyUI runs on, and the base URL.",
        retryable=True,
    )


def timed_out(base_url: str, seconds: float) -> ProviderError:
    return ProviderError(
        "provider_silent",
        f"{base_url} accepted the request but sent nothing for {seconds:.0f} seconds.",
        hint="The model may still be loading, or is too slow for this conversation. Retry, or choose a smaller model.",
        retryable=True,
    )


def dragging(base_url: str, seconds: float) -> ProviderError:
    return ProviderError(
        "provider_silent",
        f"{base_url} has been replying for more than {seconds / 60:.0f} minutes, and hardly anything comes any more.",
        hint="What came until then is kept. Retry, or choose a faster model.",
        retryable=True,
    )


def reply_too_large(base_url: str, size: str) -> ProviderError:
    """Return the failure for a reply beyond a limit; `size` completes "it sent …"."""
    return ProviderError(
        "reply_too_large",
        f"{base_url} sent {size}.",
        hint="What came until then is kept. If it happens again, look at the model server's own log.",
    )


def empty_reply(model: str, *, has_thought: bool = False) -> ProviderError:
    if has_thought:
        return ProviderError(
            "empty_reply",
            f"{model} ended its reply with its thoughts and without an answer, twice in a row.",
            hint="Retry. If it goes on, choose a lower reasoning effort for the provider, or update the model server: "
            "some take an answer for a thought.",
            retryable=True,
        )
    return ProviderError(
        "empty_reply",
        f"{model} ended its reply without a word, twice in a row.",
        hint="Retry. If it goes on, the server may have cut the prompt: raise its context size, or try another model.",
        retryable=True,
    )


def unknown_model(base_url: str, model: str, quotation: str = "") -> ProviderError:
    return ProviderError(
        "unknown_model",
        f'{base_url} does not know the model "{model}".{quotation}',
        hint="Choose another one by the model's name below the chat, and check that the base URL ends where the API "
        "begins.",
    )


def not_a_model_server(base_url: str) -> ProviderError:
    return _wrong_base_url(f"{base_url} answered with something that is no chat completion.")


def _wrong_base_url(message: str) -> ProviderError:
    return ProviderError(
        "not_a_model_server",
        message,
        hint="Check the base URL; most servers want it to end in /v1.",
    )


def moved(base_url: str, location: str) -> ProviderError:
    """Return the failure for a redirect, which is not followed: the conversation goes only to the entered address."""
    where = f" to {without_secrets(location)}" if location else ""
    return ProviderError(
        "not_a_model_server",
        f"{base_url} sends its requests on{where}. Conversations go only to the address that was entered.",
        hint="If you know the new address, enter it as the base URL.",
    )


def failure_of(status: int | None, body: Any, *, base_url: str, model: str, key: Secret) -> ProviderError:
    """Return the failure for an HTTP status and an error body.

    `body` is the parsed `error` of the reply, where it had one. An overflow is a `ContextOverflow` with the
    endpoint's numbers.
    """
    message = _provider_message(body, key)
    failure = _Answer(status, body, message, base_url, model).failure()
    failure.provider_message = message
    return failure


@dataclass(frozen=True)
class _Answer:
    """An endpoint's answer in place of a reply; `message` is the text of its body."""

    status: int | None
    body: Any
    message: str
    base_url: str
    model: str

    def failure(self) -> ProviderError:
        return (
            self._account_failure()
            or self._routing_failure()
            or self._address_failure()
            or self._model_failure()
            or self._length_failure()
            or self._server_failure()
            or self._other_failure()
        )

    @property
    def _quotation(self) -> str:
        if _is_near(self.base_url) and not are_private_replies_shown():
            return ""
        quote = _quote(self.message)
        return f" It said: {quote}{'' if quote.endswith(('.', '!', '?', '…')) else '.'}" if quote else ""

    def _account_failure(self) -> ProviderError | None:
        if self.status in (401, 403):
            return ProviderError(
                "key_refused",
                f"{self.base_url} refused the API key ({self.status}).{self._quotation}",
                hint="Enter a valid key for this endpoint.",
            )
        if self.status == 402 or (self.status == 429 and self._is_quota_used_up()):
            return ProviderError(
                "quota_exhausted",
                f"The account at {self.base_url} has no credit or quota left.{self._quotation}",
                hint="Add credit with the provider, or choose another model in Settings.",
            )
        if self.status == 429:
            return ProviderError(
                "rate_limited",
                f"{self.base_url} asks to slow down.{self._quotation}",
                hint="Wait a moment, then press Retry.",
                retryable=True,
            )
        return None

    def _is_quota_used_up(self) -> bool:
        code = (
            str(self.body.get("code") or self.body.get("type") or "") if isinstance(self.body, dict) else ""
        )
        return bool(_QUOTA.search(self.message + code)) and not _PER_MINUTE.search(self.message)

    def _routing_failure(self) -> ProviderError | None:
        """Return the failure where a gateway, such as OpenRouter, has no provider that may answer."""
        if _NO_ROUTE_FOR_TOOLS.search(self.message):
            return ProviderError(
                "no_tool_support",
                f'No provider of "{self.model}" at {self.base_url} can call tools.{self._quotation}',
                hint="Choose a model that is listed with tools, or allow more providers in the account's routing "
                "settings (openrouter.ai/settings/preferences).",
            )
        if _NO_ROUTE_BY_POLICY.search(self.message):
            return ProviderError(
                "provider_refused",
                f'The account\'s data policy allows no provider of "{self.model}".{self._quotation}',
                hint="Allow more in the account's privacy settings (openrouter.ai/settings/privacy), or choose another "
                "model.",
            )
        return None

    def _address_failure(self) -> ProviderError | None:
        quote = _quote(self.message)
        # A 404 may also have a whole page, and most pages have the word somewhere.
        if self.status == 404 and self.model and (self.model in quote or _ABOUT_MODEL.search(quote)):
            return unknown_model(self.base_url, self.model, self._quotation)
        if self.status in _NO_SUCH_ROUTE:
            where = f"{self.base_url} is not where a model server's API begins ({self.status})."
            return _wrong_base_url(f"{where}{self._quotation}")
        return None

    def _model_failure(self) -> ProviderError | None:
        if is_loading(self.status, self.message):
            return ProviderError(
                "provider_failed",
                f'{self.base_url} is still loading "{self.model}".',
                hint="Wait until the model server has loaded it, then press Retry.",
                retryable=True,
            )
        if was_unloaded(self.message):
            return ProviderError(
                "provider_refused",
                f'{self.base_url} has unloaded "{self.model}".{self._quotation}',
                hint="Load it in the model server and press Retry. LM Studio loads models by itself where Just-in-Time "
                "loading is on.",
                retryable=True,
            )
        if _NO_PARSER.search(self.message):
            return ProviderError(
                "provider_refused",
                f'{self.base_url} cannot use the chat template of "{self.model}" with tools.{self._quotation}',
                hint="Start llama.cpp with --jinja and a template that knows tools (--chat-template-file), or take "
                "another build of the model.",
            )
        if _NO_TOOLS.search(self.message):
            return ProviderError(
                "no_tool_support",
                f'"{self.model}" cannot call tools.{self._quotation}',
                hint="Choose a model that supports tool calling; without tools it can only chat.",
            )
        if _NO_MEMORY.search(self.message):
            return ProviderError(
                "model_out_of_memory",
                f'{self.base_url} has too little memory for "{self.model}".{self._quotation}',
                hint="Free graphics memory and press Retry, or choose a smaller model or window.",
                retryable=True,
            )
        return None

    def _length_failure(self) -> ProviderError | None:
        overflow = read_overflow(self.status, self.body)
        if overflow is None:
            return None
        return ContextOverflow(
            f'The conversation is longer than "{self.model}" can read.{self._quotation}',
            hint="Start a new chat, or raise the context size of the model server.",
            overflow=overflow,
        )

    def _server_failure(self) -> ProviderError | None:
        if self.status is None or self.status < 500:
            return None
        return ProviderError(
            "provider_failed",
            f"{self.base_url} failed with status {self.status}.{self._quotation}",
            hint="Press Retry. If it goes on, look at the model server's own log.",
            retryable=True,
        )

    def _other_failure(self) -> ProviderError:
        status = f" ({self.status})" if self.status else ""
        return ProviderError(
            "provider_refused",
            f"{self.base_url} refused the request{status}.{self._quotation}",
            hint="Press Retry, or choose another model in Settings.",
            retryable=True,
        )


def is_loading(status: int | None, message: str) -> bool:
    """Return whether a server says that it is still loading the model (llama.cpp)."""
    return status == 503 and bool(_LOADING.search(message))


def was_unloaded(message: str) -> bool:
    """Return whether a server says that it has unloaded the model (LM Studio)."""
    return bool(_UNLOADED.search(message))


def affordable_tokens(failure: ProviderError) -> int | None:
    """Return the tokens of a reply that the account can still pay for, by OpenRouter's text; None where it tells none
    or hardly any.
    """
    match = _AFFORDABLE.search(failure.provider_message) if failure.code == "quota_exhausted" else None
    return int(match[1]) if match and int(match[1]) >= _LEAST_AFFORDABLE else None


def retry_after(headers: Any, message: str) -> float | None:
    """Return the wait in seconds of a rate limit, from its headers or, for Groq, its text; None without one."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            value = float(headers.get(name, "")) * scale
        except (AttributeError, TypeError, ValueError):
            continue
        return max(0.0, value)
    match = _RETRY_IN.search(message)
    return float(match[1]) * (0.001 if match[2] == "ms" else 1.0) if match else None


def _provider_message(body: Any, key: Secret) -> str:
    if isinstance(body, dict):
        inner = body.get("error", body)
        text = _text_of(inner) if isinstance(inner, dict) else inner
    else:
        text = body
    words = " ".join(_TAG.sub(" ", str(text or "")).split())
    return key.mask(words[: 2 * _LONGEST_MESSAGE])[:_LONGEST_MESSAGE]


def _text_of(error: dict[str, Any]) -> Any:
    """Return the text of an error; OpenRouter has that of the provider behind it in `metadata.raw`."""
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    return f"{error.get('message')}: {raw}" if isinstance(raw, str) and raw.strip() else error.get("message")


def _quote(message: str) -> str:
    return message[:_LONGEST_QUOTE] + ("…" if len(message) > _LONGEST_QUOTE else "")


def window_too_small(tokens: int, room: int) -> ProviderError:
    return ProviderError(
        "context_too_small",
        f"Rules, tools and the newest message need {tokens:,} tokens; the model's window leaves {room:,} for them.",
        hint="Give the model a larger context, or choose another model or its short form in Settings.",
    )


def window_is_smaller(model: str, window: int) -> ProviderError:
    """Return the failure after a refusal that shows a small window, which later requests will respect."""
    return ProviderError(
        "context_too_small",
        f'"{model}" reads only about {window:,} tokens at once, too few for all rules and tools and this conversation.',
        hint="Press Retry: what reads so little gets a short set of tools, unless Settings say otherwise. For whole "
        "workflows give its server a larger context, 16,000 tokens or more.",
        retryable=True,
    )
