"""Where a model is reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..secret import Secret


@dataclass(frozen=True)
class Patience:
    """Seconds that a reply may keep us waiting: for its first event, and between two of them."""

    first_event: float
    next_event: float


LONGEST_REPLY = 600
REMOTE, LOADING_FROM_DISK = Patience(120, 60), Patience(300, 180)


@dataclass(frozen=True)
class Endpoint:
    """Where a model is reached. One that `is_local` may have to load its model from disk first.

    A reply may take `reply_seconds`, and longer for as long as it brings something.
    """

    base_url: str
    model: str
    api_key: Secret = field(default=Secret(""))
    is_local: bool = False
    reply_seconds: int = LONGEST_REPLY

    @property
    def patience(self) -> Patience:
        return LOADING_FROM_DISK if self.is_local else REMOTE
