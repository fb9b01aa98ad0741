"""Our metadata on message parts, under one key of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

METADATA_KEY = "comfyuiAssistant"


class FlatCall(NamedTuple):
    """A call of a flat tool as the model wrote it, which another tool carries out."""

    name: str
    input: Any


@dataclass(frozen=True)
class CallMetadata:
    """What a tool part keeps of its call.

    `provider_id` and `extra_content` go back to the provider verbatim. `room` is the result's, in tokens; `untrusted`
    are the places of the texts by others that the model had read when it called.
    """

    provider_id: str = ""
    extra_content: dict[str, Any] | None = None
    asked: FlatCall | None = None
    room: int | None = None
    untrusted: tuple[str, ...] = ()

    @classmethod
    def of(cls, part: Mapping[str, Any]) -> CallMetadata:
        """Read a part; what has another form is as if it were not there."""
        own = _own(part.get("callProviderMetadata"))
        if not own:
            return _NO_CALL_METADATA
        provider_id, extra, room = own.get("callId"), own.get("extraContent"), own.get("room")
        places = own.get("outside")
        return cls(
            provider_id if isinstance(provider_id, str) else "",
            extra if isinstance(extra, dict) else None,
            _flat_call(own.get("asked")),
            room if isinstance(room, int) and not isinstance(room, bool) and room > 0 else None,
            tuple(place for place in places if isinstance(place, str)) if isinstance(places, list) else (),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the part's metadata; {} where there is nothing to keep."""
        own: dict[str, Any] = {"callId": self.provider_id} if self.provider_id else {}
        if self.extra_content:
            own["extraContent"] = self.extra_content
        if self.asked:
            own["asked"] = self.asked._asdict()
        if self.room is not None:
            own["room"] = self.room
        if self.untrusted:
            own["outside"] = list(self.untrusted)
        return {METADATA_KEY: own} if own else {}


_NO_CALL_METADATA = CallMetadata()


def _flat_call(kept: Any) -> FlatCall | None:
    match kept:
        case {"name": str(name), "input": arguments}:
            return FlatCall(name, arguments)
        case _:
            return None


@dataclass(frozen=True)
class FileMetadata:
    """What a file part keeps: its number as a `document` of the thread, 0 for none, and what is told `about` a picture
    once it is no longer shown.
    """

    document: int = 0
    about: str = ""

    @classmethod
    def of(cls, part: Mapping[str, Any]) -> FileMetadata:
        """Read a part; what has another form is as if it were not there."""
        own = _own(part.get("providerMetadata"))
        document, about = own.get("document"), own.get("about")
        return cls(document if isinstance(document, int) else 0, about if isinstance(about, str) else "")

    def as_json(self) -> dict[str, Any]:
        """Return the part's metadata; {} where there is nothing to keep."""
        own: dict[str, Any] = {"document": self.document} if self.document else {}
        if self.about:
            own["about"] = self.about
        return {METADATA_KEY: own} if own else {}


def _own(metadata: Any) -> Mapping[str, Any]:
    own = metadata.get(METADATA_KEY) if isinstance(metadata, Mapping) else None
    return own if isinstance(own, Mapping) else {}
