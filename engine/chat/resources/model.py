"""The model that a turn asks, as the chat needs it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any, Protocol

from ...events import ReplyEvent
from ...llm.endpoint import Endpoint
from ...messages import Message


class Model(Protocol):
    def stream(
        self, endpoint: Endpoint, messages: Sequence[Message], tools: Sequence[dict[str, Any]]
    ) -> AsyncGenerator[ReplyEvent, None]: ...
