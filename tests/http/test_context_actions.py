"""What a person does with the context of a thread: condense it now, or begin afresh."""

from __future__ import annotations

import threading
from pathlib import Path

from comfyui_assistant.engine.llm.tokenizer import Tokenizer

from ..test_context_over_http import talking


class WatchedTokenizer(Tokenizer):
    """Remembers on which threads it was made to count."""

    def __init__(self) -> None:
        super().__init__()
        self.counted_on: set[threading.Thread] = set()

    def count(self, text: str) -> int:
        self.counted_on.add(threading.current_thread())
        return super().count(text)


async def test_condensing_by_hand_is_planned_away_from_the_event_loop(tmp_path: Path) -> None:
    tokenizer = WatchedTokenizer()
    async with talking(tmp_path, tokenizer=tokenizer) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("hello", thread=thread)
        tokenizer.counted_on.clear()
        await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "compact"})
    assert tokenizer.counted_on
    assert threading.main_thread() not in tokenizer.counted_on


async def test_a_window_that_is_too_small_is_named_and_clearing_works_in_it(tmp_path: Path) -> None:
    tiny = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "2048", "COMFYUI_ASSISTANT_PROFILE": "full"}
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("hello", thread=thread)
    path = f"/assistant/threads/{thread}/context"
    async with talking(tmp_path, environ=tiny) as (assistant, _):
        for action in ("compact", "clear"):
            answer = await assistant.call("POST", path, {"action": action})
            assert (answer.status, answer.error_code) == (502, "context_too_small"), action
    async with talking(tmp_path) as (assistant, _):
        report = (await assistant.call("GET", path)).json
        assert [each["source"] for each in report["history"]] == ["clear"]
