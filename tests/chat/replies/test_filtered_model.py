from __future__ import annotations

from collections.abc import Iterable

import pytest
from comfyui_assistant.engine.base.events import Notice, ReplyEvent, ReplyFinished, TextDelta
from comfyui_assistant.engine.chat.replies.filtered_model import FilteredModel
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.replies.reply_filter import ReplyFilter

from tests.fake_model import FakeModel

DONE = ReplyFinished("stop", (), None)
ENDPOINT = Endpoint("http://127.0.0.1:1/v1", "a-model")


class Marked(ReplyFilter):
    """Adds its mark to each text, and notes what it is asked to do."""

    def __init__(self, mark: str, done: list[str], *, most: int = 99) -> None:
        self._mark, self._done, self._most = mark, done, most

    async def before(self) -> Iterable[ReplyEvent]:
        self._done.append(f"before {self._mark}")
        return (Notice("reading", self._mark),)

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        if not isinstance(event, TextDelta):
            return (event,)
        self._most -= 1
        passed = TextDelta(event.text + self._mark)
        return (passed,) if self._most else (passed, ReplyFinished("length", (), None))

    async def after(self) -> None:
        self._done.append(f"after {self._mark}")


async def test_each_filter_sees_what_the_one_before_it_passed_on() -> None:
    done: list[str] = []
    model = FilteredModel(FakeModel([TextDelta("x"), DONE]), lambda _: [Marked("1", done), Marked("2", done)])
    events = [event async for event in model.stream(ENDPOINT, [], [])]
    assert events == [Notice("reading", "1"), Notice("reading", "2"), TextDelta("x12"), DONE]
    assert done == ["before 1", "before 2", "after 1", "after 2"]


async def test_the_end_that_a_filter_makes_is_the_last_event_and_stops_the_model() -> None:
    fake = FakeModel([TextDelta("x"), TextDelta("y"), 60.0, DONE])
    model = FilteredModel(fake, lambda _: [Marked("1", [], most=2)])
    events = [event async for event in model.stream(ENDPOINT, [], [])]
    assert events[1:] == [TextDelta("x1"), TextDelta("y1"), ReplyFinished("length", (), None)]


async def test_what_has_to_be_done_after_a_reply_is_done_where_it_fails_too() -> None:
    done: list[str] = []
    model = FilteredModel(FakeModel([TextDelta("x"), ValueError("gone")]), lambda _: [Marked("1", done)])
    with pytest.raises(ValueError, match="gone"):
        async for _ in model.stream(ENDPOINT, [], []):
            pass
    assert done == ["before 1", "after 1"]
