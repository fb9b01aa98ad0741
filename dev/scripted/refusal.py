"""A request refused, in the words and the shape that OpenAI's API has for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Refusal:
    """The first thing that is wrong with a request, as the server words it."""

    message: str
    param: str | None = None
    code: str | None = None
    status: int = 400

    def body(self) -> dict[str, Any]:
        kind = "invalid_request_error"
        return {"error": {"message": self.message, "type": kind, "param": self.param, "code": self.code}}


Body = dict[str, Any]
Rule = Callable[[Body], Iterator[Refusal]]
