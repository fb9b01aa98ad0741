"""Descriptions of attached pictures for when they are no longer shown."""

from __future__ import annotations

from ..base.extension_metadata import FileMetadata
from ..base.messages import Part, UIMessage
from ..base.text.clip import quoted_name
from .images import image_size


def describe_picture(part: Part) -> str:
    """Return the description of an attached picture, or at least its size; "" if neither is known."""
    if about := FileMetadata.of(part).about:
        return about
    size = image_size(part["url"])
    return f"{size[0]}x{size[1]}" if size else ""


def picture_descriptions(message: UIMessage) -> list[str]:
    """Return a line for each picture that has a description."""
    return [
        f"{quoted_name(str(part.get('filename') or 'unnamed'))}: {about}"
        for part in message["parts"]
        if part["type"] == "file" and (about := describe_picture(part))
    ]
