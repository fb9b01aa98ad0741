"""What is told of an attached picture once it is no longer shown."""

from __future__ import annotations

from ..base.extension_metadata import FileMetadata
from ..base.messages import Part, UIMessage
from ..base.text.clip import quoted_name
from .images import image_size


def about_picture(part: Part) -> str:
    """What is kept of an attached picture for when it is no longer shown, at least the size that was shown; or ""."""
    if about := FileMetadata.of(part).about:
        return about
    size = image_size(part["url"])
    return f"{size[0]}x{size[1]}" if size else ""


def attached_pictures(message: UIMessage) -> list[str]:
    """A line for each of which something is known."""
    return [
        f"{quoted_name(str(part.get('filename') or 'unnamed'))}: {about}"
        for part in message["parts"]
        if part["type"] == "file" and (about := about_picture(part))
    ]
