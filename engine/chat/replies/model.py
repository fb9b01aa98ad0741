"""The model that a turn asks, as the chat needs it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any, Protocol

from ...base.events import ReplyEvent
from ...base.messages import Message
from ...llm.endpoint import Endpoint


class Model(Protocol):
    def stream(
        self, endpoint: Endpoint, messages: Sequence[Message], tools: Sequence[dict[str, Any]]
    ) -> AsyncGenerator[ReplyEvent, None]: ...
