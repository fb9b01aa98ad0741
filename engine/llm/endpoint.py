"""Endpoints of models."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..base.network.base_url import is_local, is_on_network
from ..base.secret import Secret
from ..settings.settings import LONGEST_REPLY


@dataclass(frozen=True)
class Patience:
    """Limits in seconds: for the first event of a reply, between two events, and for the usage after the finish
    reason.
    """

    first_event: float
    next_event: float
    after_end: float = 10


REMOTE, LOADING_FROM_DISK = Patience(120, 60), Patience(300, 180)


@dataclass(frozen=True)
class Endpoint:
    """The address of a model. One that `is_local` is on this machine.

    A reply may take `reply_seconds`, and longer as long as output arrives. `price` is in dollars per million tokens
    of input, cached input and output, where it is known. `effort` and `temperature` go with each request, where the
    user chose them. One that `drops_system` accepts a system message and hides it from the model. One that
    `tells_progress` can report how much of a request the model has read.
    """

    base_url: str
    model: str
    api_key: Secret = field(default=Secret(""))
    is_local: bool = False
    reply_seconds: int = LONGEST_REPLY
    price: tuple[float, float, float] | None = None
    is_on_network: bool = False
    effort: str = ""
    temperature: float | None = None
    drops_system: bool = False
    tells_progress: bool = False

    @classmethod
    def at(
        cls, base_url: str, model: str, api_key: Secret, *, reply_seconds: int = LONGEST_REPLY
    ) -> Endpoint:
        """Create an endpoint, deriving from the address whether it is local."""
        return cls(
            base_url,
            model,
            api_key,
            is_local(base_url),
            reply_seconds,
            is_on_network=is_on_network(base_url),
        )

    @property
    def is_near(self) -> bool:
        """Whether the server is local or in the network around: it may have to load the model from disk first."""
        return self.is_local or self.is_on_network

    @property
    def patience(self) -> Patience:
        return LOADING_FROM_DISK if self.is_near else REMOTE
