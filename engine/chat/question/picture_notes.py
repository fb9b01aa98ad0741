"""What is told of a picture later, kept beside it in the log: its file may be another one by then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ...base.extension_metadata import FileMetadata
from ...base.messages import Part
from ...comfy.pictures.picture_facts import PictureFacts
from ...store.log.event_log import LogEvent

_MOST_OF_A_RESULT = 16


class PictureNotes:
    """Notes of what each picture is, beside it in the log."""

    def __init__(self, facts: PictureFacts) -> None:
        self._facts = facts

    async def with_facts(self, events: Sequence[LogEvent]) -> list[LogEvent]:
        """New messages with pictures, and results that show some."""
        return [await self._event(event) for event in events]

    async def _event(self, event: LogEvent) -> LogEvent:
        if event.kind == "user":
            parts = [await self._attached(part) for part in event.payload["parts"]]
            return replace(event, payload={**event.payload, "parts": parts})
        if event.kind == "result":
            return replace(event, payload=await self._result(event.payload))
        return event

    async def _attached(self, part: Part) -> Part:
        if part["type"] != "file" or not part["mediaType"].startswith("image/"):
            return part
        about = await self._facts.describe(str(part.get("filename") or ""))
        own = {"providerMetadata": FileMetadata(about=about).as_json()} if about else {}
        return {**{name: part[name] for name in part if name != "providerMetadata"}, **own}

    async def _result(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        output = payload.get("output")
        data = output.get("data") if isinstance(output, dict) else None
        images = data.get("images") if isinstance(data, dict) else None
        if not (isinstance(output, dict) and isinstance(data, dict) and isinstance(images, list)):
            return {**payload}
        told = [await self._shown(image) for image in images[:_MOST_OF_A_RESULT]]
        data = {**data, "images": [*told, *images[_MOST_OF_A_RESULT:]]}
        return {**payload, "output": {**output, "data": data}}

    async def _shown(self, image: Any) -> Any:
        if not isinstance(image, dict) or not isinstance(image.get("source"), str):
            return image
        about = await self._facts.describe(_name(image["source"]))
        return {**image, "about": about} if about else image


def _name(source: str) -> str:
    """`output/fox.png` of an address of ComfyUI's `/view`; "" for any other."""
    try:
        query = {name: values[-1] for name, values in parse_qs(urlsplit(source).query).items()}
    except ValueError:
        return ""
    place = (query.get("type", "output"), query.get("subfolder", ""), query.get("filename", ""))
    return "/".join(filter(None, place)) if place[-1] else ""
