"""A chat at one process while another one, which shares the store, answers in it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from comfyui_assistant.engine.chat import shared_pages, turn_pages

from ..another_process import ADDS_A_NODE, SLOWLY, answers_in, follows, takes_over, tool_results
from ..talking import talking


async def test_what_another_process_writes_is_told_followed_and_read_when_it_is_over(tmp_path: Path) -> None:
    async with (
        talking(tmp_path, SLOWLY) as (one, provider),
        talking(tmp_path, provider=provider) as (other, _),
    ):
        await follows(one, other)


async def test_a_call_of_the_other_process_is_no_page_of_this_one_to_make(tmp_path: Path) -> None:
    async with talking(tmp_path, ADDS_A_NODE) as (one, _), talking(tmp_path) as (other, _):
        thread = await one.new_thread()
        running = asyncio.create_task(answers_in(one, thread))

        async def claim(page: str = "a page") -> dict[str, object]:
            return (await other.call("POST", f"/assistant/threads/{thread}/page", {"page": page})).json

        while "elsewhere" not in (state := await claim()):
            await asyncio.sleep(0.02)
        await running
        state = await claim()
        assert (state["isOver"], state["isMine"], state["elsewhere"]) == (False, False, True)
        await one.call("POST", "/chat", await tool_results(one, thread))
        assert await claim() == {"isOver": True, "isMine": False, "response": None, "begun": {}}

        said = await other.say("hello", thread=thread, message_id="u2")
        assert said.text == "Hello there."


async def test_a_page_goes_on_with_a_turn_of_the_other_process_when_the_page_there_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_pages, "_PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(shared_pages, "_LOOK_SECONDS", 0.05)
    async with (
        talking(tmp_path, ADDS_A_NODE) as (one, provider),
        talking(tmp_path, provider=provider) as (other, _),
    ):
        await takes_over(one, other)
