"""What the requests of long conversations hold and cost, as the context engine plans them."""

from .report import measure

__all__ = ["measure"]
