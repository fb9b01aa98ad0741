"""Detection of the end of a reply without `[DONE]`: some servers also keep its connection open."""

from __future__ import annotations

from collections.abc import Mapping

from .loose_types import as_list, as_object


class ReplyEnd:
    """Follows the chunks of a reply; `is_told` while the newest chunk with a choice has a finish reason."""

    def __init__(self) -> None:
        self.is_told = False

    def note(self, chunk: object) -> None:
        """Read a chunk. Usage follows the end in a chunk without a choice; some gateways give a reason with every
        chunk.
        """
        choices = as_list(chunk.get("choices")) if isinstance(chunk, Mapping) else []
        if choices:
            self.is_told = any(as_object(choice).get("finish_reason") for choice in choices)
