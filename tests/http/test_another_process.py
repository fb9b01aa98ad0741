"""A chat at one process while another one, which shares the store, answers in it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from comfyui_assistant.engine.chat import turn_tabs
from comfyui_assistant.engine.store import turn_leases

from ..another_process import (
    ADDS_A_NODE,
    LEASE_SECONDS,
    NEVER_ENDS,
    SLOWLY,
    answers_in,
    follows,
    stops_what_a_page_does,
    stops_what_streams,
    takes_over,
    tool_results,
)
from ..assistant_process import assistant_process
from ..talking import talking

if TYPE_CHECKING:
    from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy

CALLS_TWICE = {**ADDS_A_NODE, "steps": ADDS_A_NODE["steps"][:1], "after": "repeat"}


@pytest.fixture(autouse=True)
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_leases, "LEASE_SECONDS", LEASE_SECONDS)


@pytest.mark.slow
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


@pytest.mark.slow
async def test_a_page_goes_on_with_a_turn_of_the_other_process_when_the_page_there_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_tabs, "_PATIENCE_SECONDS", 0.2)
    async with (
        talking(tmp_path, ADDS_A_NODE) as (one, provider),
        talking(tmp_path, provider=provider) as (other, _),
    ):
        await takes_over(one, other)


@pytest.mark.slow
async def test_a_stop_ends_the_turn_that_runs_in_another_process(tmp_path: Path) -> None:
    async with (
        talking(tmp_path, NEVER_ENDS) as (other, provider),
        assistant_process(tmp_path, provider.base_url) as (one, _),
    ):
        await stops_what_streams(one, other)


@pytest.mark.slow
async def test_a_stop_ends_what_a_page_of_another_process_does(tmp_path: Path) -> None:
    async with (
        talking(tmp_path, CALLS_TWICE) as (other, provider),
        assistant_process(tmp_path, provider.base_url) as (one, _),
    ):
        await stops_what_a_page_does(one, other)


@pytest.mark.slow
async def test_a_stop_frees_the_thread_of_a_process_that_was_killed(tmp_path: Path) -> None:
    async with (
        talking(tmp_path, NEVER_ENDS) as (other, provider),
        assistant_process(tmp_path, provider.base_url) as (one, process),
    ):
        thread = await one.new_thread()
        message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "go"}]}
        body = {"id": thread, "messages": [message], "page": "its page"}
        running = await one.session.post(one.server.make_url("/api/chat"), json=body)
        await running.content.readuntil(b"Half")
        process.kill()
        process.wait()
        path = f"/assistant/threads/{thread}"
        assert (await other.call("POST", f"{path}/stop", {})).json == {"stopped": True}
        assert (await other.call("POST", f"{path}/page", {"page": "a page"})).json["isOver"] is True


@pytest.mark.slow
async def test_an_answer_whose_process_was_killed_says_that_it_broke_off(tmp_path: Path) -> None:
    async with (
        talking(tmp_path, NEVER_ENDS) as (other, provider),
        assistant_process(tmp_path, provider.base_url) as (one, process),
    ):
        thread = await one.new_thread()
        path = f"/assistant/threads/{thread}"

        async def last_part() -> dict[str, Any]:
            messages = (await other.call("GET", f"{path}?live=true")).json["messages"]
            return messages[-1]["parts"][-1]

        message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "go"}]}
        running = await one.session.post(
            one.server.make_url("/api/chat"), json={"id": thread, "messages": [message]}
        )
        await running.content.readuntil(b"Half")
        while "Half" not in str(await last_part()):
            await asyncio.sleep(0.05)
        assert "cut-off" not in str(await last_part())
        process.kill()
        process.wait()
        begun = time.monotonic()
        while "cut-off" not in str(await last_part()):
            await asyncio.sleep(0.1)
            assert time.monotonic() - begun < LEASE_SECONDS + 2

        provider.play(SLOWLY)
        await other.say("and now?", thread=thread, message_id="u2")
        broken = (await other.messages(thread))[1]
        assert [part["type"] for part in broken["parts"][-2:]] == ["text", "data-notice"]
        assert "cut-off" not in str(await last_part())


async def test_the_calls_of_the_next_turn_are_made_where_it_is_answered(tmp_path: Path) -> None:
    """However soon after the one before, whose page is still open at the other process."""
    calls_at_once = {"about": "A test.", "steps": [{"reply": ADDS_A_NODE["steps"][0]["reply"][-1:]}]}
    async with talking(tmp_path) as (one, _), talking(tmp_path, calls_at_once) as (other, _):
        cast("FakeComfy", one.assistant.host).open_pages.add("its page")
        thread = await one.new_thread()
        await answers_in(one, thread)
        await other.say("add one", thread=thread, message_id="u2", page="a page")
        state = (await other.call("POST", f"/assistant/threads/{thread}/page", {"page": "a page"})).json
        assert (state["isMine"], state["begun"]) == (True, {}), state
