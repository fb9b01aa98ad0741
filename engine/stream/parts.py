"""The parts of a UIMessage from the chunks of one step, and the news since they were last stored."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any, NamedTuple, TypedDict, cast

from .chunks import Chunk

_STEP_START = {"type": "step-start"}


class StepDelta(TypedDict):
    """A change of a step: its first `keep` parts stay, the text of the last of them grows by `grow`, `parts` follow.

    `number` counts from 0, which keeps nothing.
    """

    number: int
    keep: int
    grow: str
    parts: list[dict[str, Any]]


def join_deltas(news: Iterable[StepDelta]) -> tuple[list[dict[str, Any]], str]:
    """Join the parts as far as no piece is missing; return them with the problem of the rest, or ""."""
    parts: list[dict[str, Any]] = []
    due = 0
    for each in news:
        if each["number"] == 0:
            parts, due = [], 0
        if each["number"] != due or each["keep"] > len(parts):
            return parts, f"what follows on piece {due} of it is lost"
        parts = parts[: each["keep"]]
        if each["grow"]:
            if not parts or not isinstance(parts[-1].get("text"), str):
                return parts, f"piece {due} of it goes on with a text that is not there"
            parts[-1] = {**parts[-1], "text": parts[-1]["text"] + each["grow"]}
        parts += each["parts"]
        due += 1
    return parts, ""


class _Snapshot(NamedTuple):
    """A part as of the last news, with the number of pieces of a text."""

    part: dict[str, Any]
    state: str | None
    pieces: int


class StepParts:
    """The parts of one step, in the form of the panel and the thread log.

    While a step runs, the text of a part is a list of pieces, and a call whose input is still coming has a place but is
    no part yet. A call that is answered before it was ready to run keeps its raw input.
    """

    def __init__(self) -> None:
        self._parts: list[dict[str, Any]] = []
        self._last: list[_Snapshot] = []
        self._news = 0

    def read(self, chunks: Iterable[Chunk]) -> None:
        for chunk in chunks:
            self._read(cast("dict[str, Any]", chunk))

    def parts(self) -> list[dict[str, Any]]:
        return [dict(_STEP_START), *map(_settle, self._complete())]

    def news(self) -> StepDelta | None:
        """Return the news since the last call; None if there are none. A growing text is never repeated."""
        last, complete = self._last, self._complete()
        self._last = [_Snapshot(part, part.get("state"), len(part.get("text", ()))) for part in complete]
        same = sum(1 for _ in takewhile(_is_same, zip(last, self._last, strict=False)))
        if self._news and same == len(last) == len(complete):
            return None
        begun = same < min(len(last), len(complete)) and last[same].part is complete[same]
        grow = ""
        if begun and "text" in complete[same]:
            grow = "".join(complete[same]["text"][last[same].pieces :])
            same += 1
        parts = [*([] if self._news else [dict(_STEP_START)]), *map(_settle, complete[same:])]
        news = StepDelta(number=self._news, keep=same + 1 if self._news else 0, grow=grow, parts=parts)
        self._news += 1
        return news

    def _complete(self) -> list[dict[str, Any]]:
        return [part for part in self._parts if part.get("state") != "input-streaming"]

    def _read(self, chunk: dict[str, Any]) -> None:
        kind = chunk["type"]
        if kind in ("text-delta", "reasoning-delta"):
            self._parts[-1]["text"].append(chunk["delta"])
        elif kind in ("text-start", "reasoning-start"):
            self._parts.append({"type": kind.removesuffix("-start"), "text": []})
        elif kind == "reset-step":
            self._parts.clear()
        elif kind == "tool-input-delta":
            self._call(chunk)["rawInput"].append(chunk["inputTextDelta"])
        elif kind == "tool-input-start":
            self._call(chunk, state="input-streaming", rawInput=[])
        elif kind == "tool-input-available":
            self._call(chunk, state="input-available", input=chunk["input"]).pop("rawInput", None)
        elif kind == "tool-output-available":
            self._call(chunk, state="output-available", output=chunk["output"])
        elif kind.startswith("data-") and not chunk.get("transient"):
            self._parts.append({"type": kind, "data": chunk["data"]})

    def _call(self, chunk: dict[str, Any], **changes: Any) -> dict[str, Any]:
        part = next((part for part in self._parts if part.get("toolCallId") == chunk["toolCallId"]), None)
        if part is None:
            part = {"type": f"tool-{chunk['toolName']}", "toolCallId": chunk["toolCallId"]}
            self._parts.append(part)
        part.update(changes)
        if "providerExecuted" in chunk:
            part["providerExecuted"] = chunk["providerExecuted"]
        if "providerMetadata" in chunk:
            part["callProviderMetadata"] = chunk["providerMetadata"]
        return part


def _is_same(pair: tuple[_Snapshot, _Snapshot]) -> bool:
    before, now = pair
    return before.part is now.part and before[1:] == now[1:]


def _settle(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] in ("text", "reasoning"):
        return {**part, "text": "".join(part["text"]), "state": "done"}
    return {**part, "rawInput": "".join(part["rawInput"])} if "rawInput" in part else dict(part)
