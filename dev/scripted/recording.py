"""What the scripted provider was asked, and how each answer went."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

_SECRET_HEADERS = {"authorization", "api-key", "x-api-key", "cookie", "proxy-authorization"}


@dataclass
class RecordedRequest:
    """One request. Times are seconds since the provider started; None means it did not come to that."""

    number: int
    method: str
    path: str
    headers: dict[str, str]
    key: str
    """Which key came: its name in the provider's `keys`, "none", or "other-" and the start of its SHA-256."""
    received: float
    body: Any = None
    scenario: str | None = None
    step: int | None = None
    attempt: int | None = None
    status: int | None = None
    refusal: str | None = None
    """Why the request was answered with 400: it was malformed, or the scenario has no reply for it."""
    first_byte: float | None = None
    finished: float | None = None
    writes: int = 0
    closed_early: bool = False
    """The client left before the last byte was written."""

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]

    @property
    def is_open(self) -> bool:
        return self.finished is None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class RequestLog:
    """All requests in the order in which they came, and who wants to know of each change."""

    requests: list[RecordedRequest] = field(default_factory=list)
    listeners: list[Callable[[], None]] = field(default_factory=list)
    peak_open: int = 0

    def add(
        self, *, method: str, path: str, headers: Mapping[str, str], key: str, at: float
    ) -> RecordedRequest:
        safe = {
            name: "<redacted>" if name.lower() in _SECRET_HEADERS else value
            for name, value in headers.items()
        }
        record = RecordedRequest(len(self.requests), method, path, safe, key, at)
        self.requests.append(record)
        self.peak_open = max(self.peak_open, self.open_count)
        return record

    @property
    def open_count(self) -> int:
        return sum(record.is_open for record in self.requests)

    def changed(self) -> None:
        for listener in list(self.listeners):
            listener()

    def clear(self) -> None:
        """Forget the answered requests. An open one keeps its record, which is no longer in the list."""
        self.requests.clear()
        self.peak_open = 0
        self.changed()


def key_name(headers: Mapping[str, str], keys: Mapping[str, str]) -> str:
    sent = headers.get("Authorization", "").removeprefix("Bearer ").strip() or headers.get("api-key", "")
    if not sent:
        return "none"
    for name, key in keys.items():
        if key == sent:
            return name
    return f"other-{hashlib.sha256(sent.encode()).hexdigest()[:8]}"
