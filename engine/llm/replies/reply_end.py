"""Whether a reply is over though its connection stays open: some servers send no `[DONE]`, and do not close either."""

from __future__ import annotations

from collections.abc import Mapping

from .loose_types import as_list, as_object


class ReplyEnd:
    """Looks at each chunk of a reply. `is_told` while the newest that holds any of the answer gives a reason to end."""

    def __init__(self) -> None:
        self.is_told = False

    def note(self, chunk: object) -> None:
        """What was used comes behind the end, in a chunk without an answer; some gateways give a reason with each."""
        choices = as_list(chunk.get("choices")) if isinstance(chunk, Mapping) else []
        if choices:
            self.is_told = any(as_object(choice).get("finish_reason") for choice in choices)
