from __future__ import annotations

from collections.abc import Iterable

from comfyui_assistant.engine.base.events import ReplyEvent, ReplyFinished, TextDelta
from comfyui_assistant.engine.llm.replies.reply_filter import ReplyFilter, pass_through

END = ReplyFinished("stop", (), None)


class Doubled(ReplyFilter):
    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        return (event, event) if isinstance(event, TextDelta) else (event,)


class Numbered(ReplyFilter):
    seen = 0

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        self.seen += 1
        return (TextDelta(str(self.seen)),) if isinstance(event, TextDelta) else (event,)


def test_a_filter_is_given_each_event_that_the_one_before_it_passed_on() -> None:
    filters = [Doubled(), Numbered(), ReplyFilter()]
    assert list(pass_through(filters, TextDelta("x"))) == [TextDelta("1"), TextDelta("2")]
    assert list(pass_through(filters, END)) == [END]
