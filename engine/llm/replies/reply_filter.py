"""The filters of a reply: each reads its events while they stream and passes on what the next one reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...base.events import ReplyEvent


class ReplyFilter:
    """A filter of one reply. This base class passes everything on."""

    async def before(self) -> Iterable[ReplyEvent]:
        """Do the work that comes before the request; return what the user is to read of it."""
        return ()

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        """Return the events in place of this one. A `ReplyFinished` ends the reply and closes the connection."""
        return (event,)

    async def after(self) -> None:
        """Do the work that comes after the reply, whether it is complete, failed or stopped."""


def pass_through(filters: Iterable[ReplyFilter], event: ReplyEvent) -> Sequence[ReplyEvent]:
    """Return what comes of an event behind all filters, the first one first."""
    events: Sequence[ReplyEvent] = (event,)
    for each in filters:
        events = [passed for event in events for passed in each.feed(event)]
    return events
