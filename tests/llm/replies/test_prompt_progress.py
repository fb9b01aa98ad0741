from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import ProviderError
from comfyui_assistant.engine.base.events import Notice, TextDelta
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint, Patience
from comfyui_assistant.engine.llm.replies.prompt_progress import PromptProgress, is_reading, prompt_progress

from dev.scripted.provider import ScriptedProvider

HELLO: list[Any] = [{"role": "user", "content": "hello"}]


def chunk(**progress: Any) -> dict[str, Any]:
    return {"choices": [], "prompt_progress": progress}


def test_a_chunk_tells_what_is_read_and_what_was_known() -> None:
    told = chunk(total=4_096, cache=96, processed=2_096, time_ms=20_000)
    assert prompt_progress(told) == PromptProgress(4_096, known=96, read=2_096, seconds=20)
    assert prompt_progress({"choices": []}) is None
    assert (is_reading(told), is_reading({"choices": []}), is_reading("text")) == (True, False, False)


@pytest.mark.parametrize(
    "progress",
    [
        pytest.param({"total": 10, "processed": 11, "time_ms": 1}, id="more than there is"),
        pytest.param({"total": "10", "processed": 1, "time_ms": 1}, id="a text"),
        pytest.param({"total": 10, "processed": 1, "time_ms": -1}, id="a time before"),
        pytest.param({"total": 2**80, "processed": 1, "time_ms": 1}, id="beyond any window"),
        pytest.param({}, id="nothing"),
    ],
)
def test_what_cannot_be_is_no_progress(progress: Any) -> None:
    assert prompt_progress(chunk(**progress)) is None
    assert prompt_progress({"prompt_progress": [progress]}) is None


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        pytest.param(PromptProgress(4_096, 96, 2_096, 20), "51 %, about 20 s more", id="as it went so far"),
        pytest.param(PromptProgress(40_096, 96, 2_096, 20), "5 %, about 6 min more", id="minutes"),
        pytest.param(
            PromptProgress(4_000, 3_000, 3_500, 5), "87 %, about 5 s more", id="known ones cost nothing"
        ),
    ],
)
def test_the_person_is_told_how_long_it_takes(progress: PromptProgress, words: str) -> None:
    assert progress.notice == Notice("reading", f"The model reads the request: {words}.")


@pytest.mark.parametrize(
    "progress",
    [
        pytest.param(PromptProgress(4_096, 96, 96, 0), id="nobody can tell yet"),
        pytest.param(PromptProgress(4_096, 0, 4_000, 2), id="nearly done"),
        pytest.param(PromptProgress(4_096, 0, 4_096, 40), id="done"),
        pytest.param(PromptProgress(0, 0, 0, 0), id="of nothing"),
        pytest.param(PromptProgress(10, 10, 5, 1), id="more known than read"),
    ],
)
def test_nothing_is_said_where_it_takes_no_time_or_nobody_can_tell(progress: PromptProgress) -> None:
    assert progress.notice is None


async def test_a_server_that_can_is_asked_for_it_and_the_answer_is_the_same() -> None:
    async with ScriptedProvider("dialects/q56-prompt-progress", pace=0) as provider:
        client = ChatClient()
        endpoint = Endpoint(provider.base_url, "m", is_local=True, tells_progress=True)
        events = [event async for event in client.stream(endpoint, HELLO, [])]
        await client.close()
    assert [event.message for event in events if isinstance(event, Notice)] == [
        "The model reads the request: 51 %, about 20 s more."
    ]
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Hello there."
    # The scripted server refuses what OpenAI's API does not know, and is asked again without it.
    assert [request.body.get("return_progress") for request in provider.requests] == [True, None]


READING = {"frame": chunk(total=10, cache=0, processed=5, time_ms=1)}


async def test_a_server_that_is_reading_has_the_patience_of_one_that_has_not_begun() -> None:
    scenario: Any = {
        "about": "Reads for long.",
        "pace": 0,
        "steps": [{"reply": [READING, {"wait": 0.4}, {"say": "Hello."}]}],
    }
    async with ScriptedProvider(scenario) as provider:
        client = ChatClient(patience=Patience(60, 0.1))
        events = [event async for event in client.stream(Endpoint(provider.base_url, "m"), HELLO, [])]
        await client.close()
    assert any(isinstance(event, TextDelta) for event in events)


async def test_a_server_that_breaks_off_while_it_reads_has_not_answered() -> None:
    slow = {"frame": chunk(total=4_096, cache=0, processed=1_024, time_ms=10_000)}
    step = {"reply": [slow], "finish": "none", "usage": "none", "end": "cut"}
    scenario: Any = {"about": "Dies while it reads.", "pace": 0, "steps": [step]}
    async with ScriptedProvider(scenario) as provider:
        client = ChatClient()
        events = client.stream(Endpoint(provider.base_url, "m"), HELLO, [])
        assert isinstance(await anext(events), Notice)
        with pytest.raises(ProviderError, match="Nothing answers"):
            await anext(events)
        await client.close()
