"""Detection of requests that are longer than the model can read, reported or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...base.errors import ProviderError
from ...base.events import Notice
from ...context.tokens import Calibration


@dataclass(frozen=True)
class Overflow:
    """Token counts by the endpoint; None where it did not tell."""

    window: int | None = None
    requested: int | None = None


class ContextOverflow(ProviderError):
    """The failure `context_overflow`, with what can be learned of the window."""

    def __init__(self, message: str, *, hint: str, overflow: Overflow) -> None:
        super().__init__("context_overflow", message, hint=hint)
        self.overflow = overflow


def read_overflow(status: int | None, body: object) -> Overflow | None:
    """Read the overflow in an error; None where the error is about something else.

    `body` is the error as received: an object in any nesting, or text. Throttling is recognized before overflow,
    since some providers use nearly the same words for both.
    """
    if status in _NEVER:
        return None
    text = "\n".join(_texts(body))[:_LONGEST]
    if status == 413 and (too_large := _LARGER_THAN_A_MINUTE.search(text)):
        return Overflow(_integer(too_large["window"]), _integer(too_large["requested"]))
    if _OTHERWISE.search(text):
        return None
    match = next((hit for pattern in _WORDINGS if (hit := pattern.search(text))), None)
    if match is None:
        return Overflow() if status == 413 else None
    groups = match.groupdict()
    fields = dict(_numbers(body))
    window = _integer(groups.get("window")) or fields.get("n_ctx")
    requested = _integer(groups.get("requested")) or fields.get("n_prompt_tokens")
    # A number that fits was the input alone, where input and output together did not fit.
    is_whole = requested is not None and (window is None or requested > window)
    return Overflow(window, requested if is_whole else None)


def was_cut_silently(estimate: int, input_tokens: int, calibration: Calibration) -> bool:
    """Return whether a server read much less than it was sent, without an error.

    `estimate` is the count of the request before calibration, `input_tokens` the reply's usage. Other content takes
    up to a third fewer tokens than the model's ratio predicts, so only less than that is a cut, or a little less that
    equals a common small window.
    """
    if estimate < _SHORTEST_CUT or input_tokens <= 0:
        return False
    is_known = is_known_well(calibration)
    share = input_tokens / (estimate * calibration.ratio)
    if is_small_window(input_tokens):
        return share < (0.8 if is_known else 0.7)
    return share < (min(0.65, 1 - 4 * calibration.spread) if is_known else 0.5)


def is_small_window(input_tokens: int) -> bool:
    return any(abs(input_tokens - window) <= 0.02 * window for window in _SMALL_WINDOWS)


def is_known_well(calibration: Calibration) -> bool:
    return calibration.n >= _KNOWN_AFTER


def window_of_cut(input_tokens: int) -> int | None:
    """Return the window of a server that cut a request to so many tokens, if the number is one that a cut leaves.

    Some servers fill the window; Ollama keeps half of it and a few tokens more
    (https://github.com/ollama/ollama/issues/17427). Other numbers may be those of a server that counts only what it had
    not cached.
    """
    half = next((size for size in _SIZES if size < input_tokens <= size + _MOST_KEPT), None)
    if half is not None:
        return 2 * half
    return next((size for size in _SIZES[1:] if 0.98 * size <= input_tokens <= size), None)


def cut_silently(model: str, estimate: int, input_tokens: int, *, is_learned: bool) -> Notice:
    learned = " From now on it is sent what it can read." if is_learned else ""
    return Notice(
        "prompt-cut",
        f"The model server read only {input_tokens:,} of about {estimate:,} tokens: it cut the beginning of the "
        f'conversation without saying so.{learned} Give "{model}" a larger context: num_ctx or OLLAMA_CONTEXT_LENGTH '
        "in Ollama, the context length of the loaded model in LM Studio, --ctx-size in llama.cpp. If it shows its "
        "model no system messages, have the rules sent with the first message, in the settings of the provider.",
    )


_SHORTEST_CUT = 1_500
"""The estimate in tokens from which a cut is possible: no server has a smaller window."""

_NEVER = (401, 402, 403, 404, 408, 425, 429)
_LONGEST = 8_000
_DEEPEST = 6
_KNOWN_AFTER = 3
_SMALL_WINDOWS = (2_048, 4_096, 8_192)
_SIZES = (1_024, *_SMALL_WINDOWS, 16_384, 32_768)
_MOST_KEPT = 16
"""The limit of tokens that Ollama keeps of the beginning."""


def _pattern(text: str) -> re.Pattern[str]:
    """Compile a wording: `<window>` and `<requested>` are numbers, and every gap is bounded, so that searches stay
    fast.
    """
    number = r"(?P<{}>\d[\d,_]{{0,14}})"
    for name in ("window", "requested"):
        text = text.replace(f"<{name}>", number.format(name))
    return re.compile(text, re.IGNORECASE | re.DOTALL)


_LARGER_THAN_A_MINUTE = _pattern(r"tokens per min.{0,40}limit:? <window>,.{0,40}requested:? <requested>")
_OTHERWISE = _pattern(
    # throttling and quota
    r"please wait|too many requests|rate[ _-]?limit|tokens per (min|day)|per[ -]minute|throttl|quota|"
    r"token limit (for|per|of your)|credit balance|billing|overloaded|"
    # limits other than the window
    r"image (exceeds|dimensions|size)|max_tokens`? (must|is too large.{0,40}supports)|completion tokens.{0,20}supports|"
    r"(unknown|unrecognized|unsupported|invalid) (request )?(parameter|argument|field)\b|string too long"
)
_WORDINGS = tuple(
    _pattern(wording)
    for wording in (
        # Anthropic: prompt is too long: 213462 tokens > 200000 maximum. Fireworks: …: 40000, … length: 32767
        r"prompt is too long: <requested> tokens > <window>",
        r"prompt is too long: <requested>, model maximum context length: <window>",
        r"prompt is too long",
        r"exceed context limit: \d+ \+ \d+ > <window>",
        # OpenAI, vLLM, DeepSeek, OpenRouter, and many behind them
        r"maximum context length (?:is|of) <window>.{0,80}"
        r"(?:requested|resulted in|contains?|has)(?: about| a total of)? <requested>",
        r"maximum context length (?:is|of) <window>",
        r"exceeds the context window",
        r"passed <requested> input tokens.{0,80}context length is only <window>",
        r"prompt \(length <requested>\) is longer than the maximum model length of <window>",
        r"input length \(<requested>\) exceeds model's maximum context length \(<window>\)",
        # SGLang
        r"input \(<requested> tokens\) is longer than the model's context length \(<window> tokens\)",
        r"requested token count exceeds the model's maximum context length",
        # Google
        r"input token count \(?<requested>\)? exceeds the maximum number of tokens allowed \(?<window>",
        r"input token count.{0,20}exceeds the maximum number of tokens allowed \(?<window>",
        r"token count.{0,20}exceeds the maximum",
        # xAI
        r"maximum prompt length is <window> but the request contains <requested>",
        # GitHub Copilot
        r"prompt token count of <requested> exceeds the limit of <window>",
        # Kimi
        r"exceeded model token limit: <window>(?: \(requested: <requested>\))?",
        # Mistral
        r"prompt contains <requested> tokens.{0,60}too large for model with <window> maximum context length",
        # Poolside
        r"input length <requested> exceeds the maximum (?:allowed input|context) length(?: of)? <window>",
        # llama.cpp, now and before
        r"request \(<requested> tokens\) exceeds the available context size \(<window> tokens\)",
        r"exceeds the available context size|context size has been exceeded|exceed_context_size_error",
        # LM Studio
        r"first <requested> tokens when context the overflows.{0,120}context length of only <window>",
        r"n_keep:? ?\(?<requested>\)? ?>= ?n_ctx:? ?\(?<window>",
        r"n_keep ?>= ?n_ctx|tokens to keep from the initial prompt is greater than the context length",
        r"reached context length of <window> tokens",
        # Ollama; the second where it cut the user's message off
        r"(?:prompt|input).{0,20}(?:exceeds?|exceeded) (?:the )?(?:max(?:imum)? )?context length",
        r"no user query found in messages",
        # MiniMax
        r"context window exceeds limit",
        # Bedrock
        r"input is too long for (?:the )?requested model",
        # Groq, Cerebras
        r"reduce the length of the messages.{0,40}current length is <requested> while limit is <window>",
        r"reduce the length of the messages",
        # Z.ai, DashScope, text-generation-inference, Cohere
        r"prompt exceeds max(?:imum)? length",
        r"range of input length should be \[\d+, ?<window>\]",
        r"max_new_tokens`? must be <= <window>\. given: <requested> `?inputs",
        r"tokens in the prompt cannot exceed <window>",
        # codes and common wordings
        r"context_length_exceeded|context_window_exceeded|model_max_prompt_tokens_exceeded",
        r"(?:exceed(?:s|ed|ing)?|longer than|larger than|too (?:long|large) for) (?:the )?(?:model'?s? )?"
        r"(?:max(?:imum)? |available )?context[ _](?:length|size|window|limit)",
        r"maximum context (?:length|size|window)",
        r"context[ _](?:length|size|window|limit) (?:was |has been |is )?exceeded",
    )
)


def _integer(text: str | None) -> int | None:
    return int(re.sub(r"[,_]", "", text)) or None if text else None


def _texts(value: object, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner, depth + 1)
    elif depth < _DEEPEST and isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner, depth + 1)


def _numbers(value: object, depth: int = 0) -> Iterator[tuple[str, int]]:
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for name, inner in value.items():
            if isinstance(inner, int) and inner > 0:
                yield str(name), inner
            else:
                yield from _numbers(inner, depth + 1)
