from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from comfyui_assistant.engine.chat.tab_claims import Claim, TabClaims
from comfyui_assistant.engine.chat.turn_tabs import MeantWorkflow, TurnTabs

CALL = {
    "type": "tool-getWorkflowInfo",
    "toolCallId": "c1",
    "state": "input-available",
    "input": {},
}
WAITS = [{"id": "u1", "role": "user", "parts": []}, {"id": "a1", "role": "assistant", "parts": [CALL]}]
LIVE: Any = object()


@dataclass
class Sides:
    """What is so in this process and in the other one."""

    messages: list[Any] = field(default_factory=lambda: [*WAITS])
    workflow: str = "workflows/sky.json"
    live: Any = None
    has_turn_elsewhere: bool = False
    open_pages: set[str] = field(default_factory=lambda: {"one", "two"})

    async def read(self, _: str) -> Sides:
        return self

    def running(self, _: str) -> Any:
        return self.live


@dataclass
class Running:
    sides: Sides

    async def is_elsewhere(self, _: str) -> bool:
        return self.sides.has_turn_elsewhere

    async def hold_for_tab(self, _: str) -> bool:
        return not self.sides.has_turn_elsewhere


@dataclass
class Claims:
    sides: Sides
    tabs: TurnTabs
    claims: TabClaims

    async def claim(self, page: str) -> Claim:
        return await self.claims.claim("t1", page)


@pytest.fixture
def two() -> Claims:
    sides: Any = Sides()
    tabs = TurnTabs(lambda page: page in sides.open_pages)
    running: Any = Running(sides)
    return Claims(sides, tabs, TabClaims(sides, sides, tabs, running))


async def test_the_first_page_to_come_makes_the_calls_that_wait(two: Claims) -> None:
    assert await two.claim("one") == Claim(is_mine=True)
    assert await two.claim("two") == Claim()
    assert await two.claim("one") == Claim(is_mine=True)


async def test_a_turn_without_a_response_or_calls_is_over(two: Claims) -> None:
    two.sides.messages = [WAITS[0]]
    assert await two.claim("one") == Claim(is_over=True)
    two.sides.messages = []
    assert await two.claim("one") == Claim(is_over=True)
    two.sides.live = LIVE
    assert await two.claim("one") == Claim(LIVE, is_mine=True)


async def test_nobody_makes_the_calls_of_a_stopped_turn(two: Claims) -> None:
    assert (await two.claim("one")).is_mine
    two.tabs.stop("t1")
    assert await two.claim("one") == Claim(is_over=True)


async def test_a_turn_that_another_process_answers_is_no_page_of_ours(two: Claims) -> None:
    two.sides.messages, two.sides.has_turn_elsewhere = [WAITS[0]], True
    assert await two.claim("one") == Claim(is_elsewhere=True)
    assert two.tabs.is_elsewhere("t1")


async def test_a_page_takes_over_what_was_of_another_process(two: Claims) -> None:
    two.sides.has_turn_elsewhere = True
    assert await two.claim("one") == Claim(is_elsewhere=True)
    two.sides.has_turn_elsewhere = False
    assert await two.claim("one") == Claim(is_mine=True)
    assert two.tabs.workflow("t1") == MeantWorkflow("sky", "workflows/sky.json")
    assert two.tabs.begun("t1") == {"c1": None}


async def test_a_page_whose_turn_another_process_has_just_taken_lets_it_go(two: Claims) -> None:
    two.sides.live = LIVE
    assert (await two.claim("one")).is_mine
    two.sides.has_turn_elsewhere = True
    assert await two.claim("one") == Claim(LIVE)
    assert two.tabs.is_elsewhere("t1")
