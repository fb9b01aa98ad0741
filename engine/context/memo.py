"""What was written of a conversation before, so that a request pays only for what is new."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from ..base.messages import dump

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """What this request or the one before has looked up.

    Worker threads may share one: what is lost to another is made anew.
    """

    def __init__(self) -> None:
        self._now: dict[Key, Value] = {}
        self._previous: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        value = self._now.get(key)
        if value is None and (value := self._previous.get(key)) is not None:
            self._now[key] = value
        return value

    def keep(self, key: Key, value: Value) -> None:
        self._now[key] = value

    def begin_request(self) -> None:
        """Forget what the newest request had no use for."""
        self._previous, self._now = self._now, {}


class Memo(Generic[Value]):
    """The memory of one conversation, bounded by what two of its requests hold.

    Keys hold the identities of parts; the parts are kept alive beside them, and settled parts never change.
    """

    def __init__(self) -> None:
        self.call_keys: Recent[int, tuple[object, object, str]] = Recent()
        self._tools: Recent[int, tuple[object, Sequence[str]]] = Recent()
        self._renderings: Recent[Hashable, Value] = Recent()
        self._style: object = None
        self._counter = ""

    def begin_request(self) -> None:
        self.call_keys.begin_request()
        self._tools.begin_request()
        self._renderings.begin_request()

    def texts_of_tools(self, tools: Sequence[Mapping[str, Any]]) -> Sequence[str]:
        """The JSON of each; of a list that is the same object as before, what it was then."""
        entry = self._tools.get(id(tools))
        if entry is None or entry[0] is not tools:
            self._tools.keep(id(tools), entry := (tools, [*map(dump, tools)]))
        return entry[1]

    def for_style(self, style: object) -> Recent[Hashable, Value]:
        """What was written in this style. Another style begins anew; who still writes in the one before has its own."""
        if style != self._style:
            self._renderings, self._style = Recent(), style
        return self._renderings

    def for_counter(self, counter: str) -> Memo[Value]:
        """The same memory, emptied where its tokens were counted by another counter."""
        if counter != self._counter:
            self._renderings, self._counter = Recent(), counter
        return self
