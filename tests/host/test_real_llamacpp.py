"""llama.cpp's own server, with a model of 135 million parameters: what it tells, answers and keeps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from comfyui_assistant.engine.comfy.host import GraphicsMemory

from dev.demonstration_model.models import DEMONSTRATION_MODELS
from tests.host.served_model import SECONDS_TO_ANSWER, serving
from tests.running_assistant import RunningAssistant, running_assistant

MODEL = DEMONSTRATION_MODELS["small"]
CROWDED = GraphicsMemory(total=12_000, others=8_000, own=8_000)
WORDS = 24

pytestmark = pytest.mark.any_frontend
Result = TypeVar("Result")


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("llama.cpp") / "model.log"
    with serving("small", "--longest-reply", str(WORDS), log=log) as port:
        yield f"http://127.0.0.1:{port}/v1"


def in_own_loop(work: Coroutine[Any, Any, Result]) -> Result:
    """The browser tests of the same session keep their loop in this thread."""
    with ThreadPoolExecutor(1) as worker:
        return worker.submit(asyncio.run, work).result(2 * SECONDS_TO_ANSWER)


def settings(base_url: str) -> dict[str, str]:
    """Of the model nothing is said but its name: the rest has to come from its server."""
    return {"COMFYUI_ASSISTANT_BASE_URL": base_url, "COMFYUI_ASSISTANT_MODEL": MODEL.id}


@pytest.mark.slow
def test_its_window_is_known_its_answers_are_counted_and_a_stop_frees_its_slot(base_url: str, tmp_path: Path):
    async def talk() -> None:
        async with running_assistant(tmp_path, settings(base_url)) as assistant:
            status = (await assistant.call("GET", "/assistant/status")).json["model"]
            assert (status["window"], status["windowSource"]) == (MODEL.window, "endpoint")
            assert status["local"]

            thread = await assistant.new_thread()
            answer = await assistant.say("Say hello.", thread=thread)
            assert answer.text.strip()
            usage = answer.one("finish")["messageMetadata"]["custom"]["usage"]
            assert usage["inputTokens"] > 100
            assert 0 < usage["outputTokens"] <= WORDS

            await stop_the_next(assistant, thread)
            again = await assistant.say("And again.", thread=thread, message_id="u3")
            assert again.text.strip()

    in_own_loop(talk())


@pytest.mark.slow
def test_how_far_it_has_read_a_long_message_is_told(base_url: str, tmp_path: Path):
    async def talk() -> None:
        async with running_assistant(tmp_path, settings(base_url)) as assistant:
            thread = await assistant.new_thread()
            answer = await assistant.say("A red house by the sea. " * 150, thread=thread)
            notices = [chunk["data"] for chunk in answer.chunks if chunk["type"] == "data-notice"]
            assert [notice["code"] for notice in notices if notice["code"] == "reading"]
            assert answer.text.strip()

    in_own_loop(talk())


async def stop_the_next(assistant: RunningAssistant, thread: str) -> None:
    message = {"id": "u2", "role": "user", "parts": [{"type": "text", "text": "Tell a long story."}]}
    url = assistant.server.make_url("/api/chat")
    async with assistant.session.post(url, json={"id": thread, "messages": [message]}) as running:
        stop = await assistant.call("POST", f"/assistant/threads/{thread}/stop", {})
        assert stop.json == {"stopped": True}
        events = (await running.content.read()).decode().split("\n\n")
    codes = [
        json.loads(event[6:]).get("data", {}).get("code") for event in events if event.startswith("data: {")
    ]
    assert "interrupted" in codes


def test_a_server_of_one_model_keeps_it_before_a_run_and_nothing_is_offered(base_url: str, tmp_path: Path):
    async def ask() -> None:
        async with running_assistant(tmp_path, settings(base_url), graphics=CROWDED) as assistant:
            made = await assistant.call("POST", "/assistant/renders/call_1", {})
            assert made.json == {"model": None, "reason": "not-held"}
            assert (await assistant.call("DELETE", "/assistant/renders/call_1")).status in (200, 204)
            answer = await assistant.say("Say hello.", thread=await assistant.new_thread())
            assert answer.text.strip()
            assert "renders-hold-memory" not in answer.body.decode()

    in_own_loop(ask())
