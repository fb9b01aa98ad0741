"""Where a model is reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..base.network.base_url import is_local, is_on_network
from ..base.secret import Secret
from ..settings.settings import LONGEST_REPLY


@dataclass(frozen=True)
class Patience:
    """Seconds that a reply may keep us waiting: for its first event, between two of them, and once it has said that it
    is over, for what was used."""

    first_event: float
    next_event: float
    after_end: float = 10


REMOTE, LOADING_FROM_DISK = Patience(120, 60), Patience(300, 180)


@dataclass(frozen=True)
class Endpoint:
    """Where a model is reached. One that `is_local` is on this machine.

    A reply may take `reply_seconds`, and longer for as long as it brings something. `price` is in dollars for a million
    tokens of the input, its cached part and the output, where somebody told it. `effort` and `temperature` go with
    each request, where somebody chose them. One that `drops_system` takes a system message and does not show it to the
    model. One that `tells_progress` can be asked to tell how far the model has read a request.
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
        """With what its address tells."""
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
        """Here or in the network around: such a server runs its models itself, and may load them from disk first."""
        return self.is_local or self.is_on_network

    @property
    def patience(self) -> Patience:
        return LOADING_FROM_DISK if self.is_near else REMOTE
