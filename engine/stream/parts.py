"""From the chunks of one step to the parts of a UIMessage: what a reader of the stream holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from .chunks import Chunk


class StepParts:
    """The parts of one step, in the form in which the panel holds them and the thread log keeps them.

    While a step runs, the text of a part is the list of its pieces, and a call whose input is still coming has its
    place but is no part yet. A call that is answered without having been ready to run keeps its input as it came.
    """

    def __init__(self) -> None:
        self._parts: list[dict[str, Any]] = []

    def read(self, chunks: Iterable[Chunk]) -> None:
        for chunk in chunks:
            self._read(cast("dict[str, Any]", chunk))

    def parts(self) -> list[dict[str, Any]]:
        complete = (part for part in self._parts if part.get("state") != "input-streaming")
        return [{"type": "step-start"}, *map(_settle, complete)]

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


def _settle(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] in ("text", "reasoning"):
        return {**part, "text": "".join(part["text"]), "state": "done"}
    return {**part, "rawInput": "".join(part["rawInput"])} if "rawInput" in part else dict(part)
