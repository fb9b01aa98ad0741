from __future__ import annotations

import json
import time
from typing import Any

import pytest
from comfyui_assistant.engine.context.tokens import Calibration
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.refusals.overflow import (
    ContextOverflow,
    Overflow,
    cut_silently,
    read_overflow,
    was_cut_silently,
    window_of_cut,
)

from dev.scripted.provider import ScriptedProvider

LLAMA_CPP = {
    "code": 400,
    "message": "request (20021 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "type": "exceed_context_size_error",
    "n_prompt_tokens": 20021,
    "n_ctx": 8192,
}
OPENROUTER = {
    "message": "Provider returned error",
    "code": 400,
    "metadata": {
        "provider_name": "Anthropic",
        "raw": json.dumps({"error": {"message": "prompt is too long: 213462 tokens > 200000 maximum"}}),
    },
}


@pytest.mark.parametrize(
    ("status", "body", "window", "requested"),
    [
        pytest.param(
            400, "prompt is too long: 213462 tokens > 200000 maximum", 200_000, 213_462, id="Anthropic"
        ),
        pytest.param(
            400,
            "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or "
            "`max_tokens` and try again",
            200_000,
            None,
            id="Anthropic, with the reply",
        ),
        pytest.param(
            400,
            {
                "message": "This model's maximum context length is 128000 tokens. However, your messages resulted in "
                "130017 tokens. Please reduce the length of the messages.",
                "code": "context_length_exceeded",
            },
            128_000,
            130_017,
            id="OpenAI",
        ),
        pytest.param(
            400,
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            None,
            None,
            id="OpenAI, newer models",
        ),
        pytest.param(
            400, {"code": "context_length_exceeded", "message": ""}, None, None, id="the code alone"
        ),
        pytest.param(
            400,
            "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
            1_048_575,
            1_196_265,
            id="Google",
        ),
        pytest.param(
            400,
            "The input token count exceeds the maximum number of tokens allowed 1048576.",
            1_048_576,
            None,
            id="Google, without the count",
        ),
        pytest.param(
            400,
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            131_072,
            537_812,
            id="xAI",
        ),
        pytest.param(400, "Please reduce the length of the messages or completion.", None, None, id="Groq"),
        pytest.param(
            413,
            {
                "message": "Request too large for model `llama-3.1-8b-instant` in organization `o` on tokens per "
                "minute (TPM): Limit 6000, Requested 7213, please reduce your message size and try again.",
                "code": "rate_limit_exceeded",
            },
            6_000,
            7_213,
            id="Groq, larger than a minute allows",
        ),
        pytest.param(
            400,
            "This endpoint's maximum context length is 32768 tokens. However, you requested about 40112 tokens "
            "(38000 of text input, 2112 of tool input). Please reduce the length of either one.",
            32_768,
            40_112,
            id="OpenRouter",
        ),
        pytest.param(400, OPENROUTER, 200_000, 213_462, id="OpenRouter, another provider's words inside"),
        pytest.param(400, LLAMA_CPP, 8_192, 20_021, id="llama.cpp"),
        pytest.param(
            400,
            {"type": "exceed_context_size_error", "n_ctx": 4_096, "n_prompt_tokens": 5_000, "message": ""},
            4_096,
            5_000,
            id="llama.cpp, the fields alone",
        ),
        pytest.param(500, "Context size has been exceeded.", None, None, id="llama.cpp, formerly a 500"),
        pytest.param(
            400,
            "the request exceeds the available context size. try increasing the context size or enable context shift",
            None,
            None,
            id="llama.cpp, older",
        ),
        pytest.param(
            None,
            "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the "
            "model with a larger context length, or provide a shorter input",
            None,
            None,
            id="LM Studio, with status 200",
        ),
        pytest.param(
            None,
            "Trying to keep the first 12044 tokens when context the overflows. However, the model is loaded with "
            "context length of only 4096 tokens, which is not enough.",
            4_096,
            12_044,
            id="LM Studio, with numbers",
        ),
        pytest.param(
            400,
            "Cannot truncate prompt with n_keep (9000) >= n_ctx (4096)",
            4_096,
            9_000,
            id="LM Studio, n_keep",
        ),
        pytest.param(
            400,
            {
                "message": "prompt token count of 140211 exceeds the limit of 128000",
                "code": "model_max_prompt_tokens_exceeded",
            },
            128_000,
            140_211,
            id="GitHub Copilot",
        ),
        pytest.param(400, "invalid params, context window exceeds limit (2013)", None, None, id="MiniMax"),
        pytest.param(
            400,
            "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)",
            262_144,
            291_351,
            id="Kimi",
        ),
        pytest.param(
            400,
            {
                "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum "
                "context length",
                "code": "3051",
            },
            32_768,
            40_000,
            id="Mistral",
        ),
        pytest.param(400, "Input is too long for requested model.", None, None, id="Bedrock"),
        pytest.param(
            400, "prompt too long; exceeded max context length by 1523 tokens", None, None, id="Ollama"
        ),
        pytest.param(
            500,
            "template: :108: error calling raise_exception: No user query found in messages.",
            None,
            None,
            id="Ollama, the person's message cut away",
        ),
        pytest.param(
            400,
            "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens (39488 in the "
            "messages, 512 in the completion). Please reduce the length of the messages or completion.",
            32_768,
            40_000,
            id="vLLM",
        ),
        pytest.param(
            400,
            "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 "
            "tokens and your request has 300 input tokens (8192 > 8192 - 300).",
            8_192,
            None,
            id="vLLM, with the reply",
        ),
        pytest.param(
            400,
            "You passed 9000 input tokens and requested 1000 output tokens. However, the model's context length is "
            "only 8192 tokens, resulting in a maximum input length of 7192 tokens.",
            8_192,
            9_000,
            id="vLLM, newer",
        ),
        pytest.param(
            400,
            "The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that "
            "`max_model_len` is no smaller than the number of text tokens",
            8_192,
            9_000,
            id="vLLM, the engine",
        ),
        pytest.param(
            400,
            "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
            32_768,
            40_000,
            id="SGLang",
        ),
        pytest.param(
            400,
            "Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total "
            "of 40000 tokens: 39000 tokens from the input messages and 1000 tokens for the completion.",
            32_768,
            40_000,
            id="SGLang, with the reply",
        ),
        pytest.param(
            400,
            "Input length 140000 exceeds the maximum allowed input length of 131072 tokens.",
            131_072,
            140_000,
            id="Poolside",
        ),
        pytest.param(
            400,
            "This model's maximum context length is 131072 tokens. However, you requested 158217 tokens (150025 in "
            "the messages, 8192 in the completion).",
            131_072,
            158_217,
            id="DeepSeek",
        ),
        pytest.param(
            400,
            "Please reduce the length of the messages or completion. Current length is 9012 while limit is 8192",
            8_192,
            9_012,
            id="Cerebras",
        ),
        pytest.param(400, "Prompt exceeds max length", None, None, id="Z.ai"),
        pytest.param(400, "Range of input length should be [1, 129024]", 129_024, None, id="DashScope"),
        pytest.param(
            422,
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` "
            "tokens and 512 `max_new_tokens`",
            8_193,
            9_000,
            id="text-generation-inference",
        ),
        pytest.param(
            400,
            "The prompt is too long: 40000, model maximum context length: 32767",
            32_767,
            40_000,
            id="Fireworks",
        ),
        pytest.param(
            400,
            "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.",
            4_081,
            None,
            id="Cohere",
        ),
        pytest.param(
            400, "The request is longer than the model's context window.", None, None, id="in other words"
        ),
        pytest.param(413, "<html><h1>413 Request Entity Too Large</h1></html>", None, None, id="413 alone"),
    ],
)
def test_an_overflow_is_recognised_in_each_providers_words(
    status: int | None, body: Any, window: int | None, requested: int | None
) -> None:
    assert read_overflow(status, body) == Overflow(window, requested)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, "Too many tokens, please wait before trying again."),
        (None, "ThrottlingException: Too many tokens, please wait before trying again."),
        (
            429,
            "Request too large for gpt-4o in organization o on tokens per min (TPM): Limit 30000, Requested 45000. "
            "The input or output tokens must be reduced in order to run successfully.",
        ),
        (429, "This model's maximum context length is 8192 tokens"),
        (None, "Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000."),
        (400, "You exceeded your current quota, please check your plan and billing details."),
        (400, "You have exceeded the token limit for today."),
        (400, "max_tokens must be less than or equal to 8192"),
        (400, "`max_tokens` must be greater than `thinking.budget_tokens`"),
        (
            400,
            "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you "
            "provided 100000.",
        ),
        (
            400,
            "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
        ),
        (400, "At least one of the image dimensions exceed max allowed size: 8000 pixels"),
        (400, "Unknown parameter: 'context_length'."),
        (400, "Unrecognized request argument supplied: context_window"),
        (
            400,
            "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but "
            "got a string with length 64 instead.",
        ),
        (400, "Invalid 'tools': array too long. Expected an array with maximum length 128."),
        (404, "The model `x` with maximum context length 8192 does not exist"),
        (401, "Incorrect API key provided"),
        (500, "tools param requires --jinja flag"),
        (503, "The server is overloaded: the maximum context of waiting requests is reached"),
        (400, "Missing tool result for call c1 in messages"),
        (400, {"error": {"message": "bad temperature", "code": 400}}),
        (None, ""),
        (None, None),
    ],
)
def test_other_refusals_are_no_overflow(status: int | None, body: Any) -> None:
    assert read_overflow(status, body) is None


@pytest.mark.parametrize(
    "text",
    [
        "maximum context length is 8 " * 60_000,
        "first " + "1" * 500_000,
        "n_keep" + " " * 500_000,
        "tokens per min" * 60_000,
        "prompt contains 1 tokens" * 40_000,
        "reduce the length of the messages" * 40_000,
        "input " * 100_000,
    ],
)
def test_no_error_text_takes_long_to_read(text: str) -> None:
    def seconds(message: str) -> float:
        began = time.thread_time()
        read_overflow(413, {"message": message})
        return time.thread_time() - began

    assert seconds(text) < 0.02 + 8 * seconds(text[: len(text) // 4])


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"status": 400, "body": {"error": LLAMA_CPP}}, id="as an error status"),
        pytest.param({"reply": [{"frame": {"error": LLAMA_CPP}}]}, id="as a frame of the stream"),
        pytest.param({"reply": [{"frame": {"error": LLAMA_CPP["message"]}}]}, id="as text in the stream"),
        pytest.param(
            {"reply": [{"say": ["Half "]}, {"frame": {"error": {**LLAMA_CPP, "code": "400"}}}]},
            id="in the middle",
        ),
        pytest.param({"status": 200, "body": {"error": LLAMA_CPP}}, id="with status 200"),
        pytest.param({"status": 200, "body": {"error": LLAMA_CPP["message"]}}, id="as text with status 200"),
    ],
)
async def test_the_numbers_reach_the_caller_however_the_error_comes(answer: Any) -> None:
    scenario = {"about": "A test.", "pace": 0, "steps": [{"attempts": [answer]}]}
    async with ScriptedProvider(scenario) as provider:
        client = ChatClient()
        endpoint = Endpoint(provider.base_url, "scripted")
        with pytest.raises(ContextOverflow) as caught:
            async for _ in client.stream(endpoint, [{"role": "user", "content": "hi"}], ()):
                pass
        await client.close()
        assert len(provider.requests) == 1
    assert caught.value.code == "context_overflow"
    assert caught.value.overflow == Overflow(8_192, 20_021)


KNOWN = Calibration(ratio=1.2, n=6, spread=0.01)


@pytest.mark.parametrize(
    ("estimated", "reported", "calibration", "expected"),
    [
        pytest.param(21_000, 2_051, Calibration(), True, id="Ollama cut to half of its window"),
        pytest.param(10_000, 8_000, Calibration(), False, id="an estimate that is too high"),
        pytest.param(6_000, 4_090, Calibration(), True, id="just a small window"),
        pytest.param(6_000, 4_300, Calibration(), False, id="not just a small window"),
        pytest.param(10_000, 7_000, KNOWN, True, id="less than the model's own ratio"),
        pytest.param(10_000, 9_000, KNOWN, False, id="content of another kind"),
        pytest.param(9_000, 8_190, KNOWN, True, id="just the window, of a known model"),
        pytest.param(10_000, 10_500, KNOWN, False, id="within the model's own ratio"),
        pytest.param(
            10_000, 9_000, Calibration(ratio=1.2, n=6, spread=0.1), False, id="requests that differ"
        ),
        pytest.param(10_000, 0, KNOWN, False, id="nothing reported"),
        pytest.param(0, 10, KNOWN, False, id="nothing sent"),
    ],
)
def test_a_prompt_that_was_cut_silently_is_told_from_a_wrong_estimate(
    estimated: int, reported: int, calibration: Calibration, expected: bool
) -> None:
    assert was_cut_silently(estimated, reported, calibration) is expected


def test_the_notice_of_a_silent_cut_has_the_numbers_and_what_to_do() -> None:
    notice = cut_silently("qwen3:8b", 21_000, 2_051, is_learned=True)
    assert notice.code == "prompt-cut"
    for word in ("2,051", "21,000", "qwen3:8b", "num_ctx"):
        assert word in notice.message


@pytest.mark.parametrize(
    ("read", "window"),
    [
        pytest.param(4_090, 4_096, id="almost all of a window"),
        pytest.param(16_384, 16_384, id="all of it"),
        pytest.param(2_051, 4_096, id="Ollama's half of a window"),
        pytest.param(1_026, 2_048, id="and of the smallest"),
        pytest.param(16_386, 32_768, id="and of a large one"),
        pytest.param(90, None, id="what was not cached"),
        pytest.param(3_000, None, id="any other number"),
    ],
)
def test_only_a_number_that_a_cut_leaves_tells_a_window(read: int, window: int | None) -> None:
    assert window_of_cut(read) == window
