"""Calls that small models write as the text of a reply: the text is taken back, and the call is made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...base.events import ReplyEvent, ReplyFinished, StepReset, TextDelta
from ...llm.replies.reply_filter import ReplyFilter
from ..calls.calls import ToolForm


class TextCall(ReplyFilter):
    """Replaces the text of a reply by the call that it spells, if the form of the tools knows such calls."""

    def __init__(self, tool_form: ToolForm) -> None:
        self._tool_form = tool_form
        self._text = ""

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        if isinstance(event, TextDelta):
            self._text += event.text
        elif isinstance(event, StepReset):
            self._text = ""
        elif isinstance(event, ReplyFinished) and not event.calls and event.reason == "stop":
            call = self._tool_form.parse_call(self._text)
            if call is not None:
                return (StepReset(), replace(event, calls=(call,), reason="tool-calls"))
        return (event,)
