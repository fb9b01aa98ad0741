"""The extension's own metadata on a message or a part, under one key that other software leaves alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

METADATA_KEY = "comfyuiAssistant"


def extension_metadata(metadata: Any) -> Mapping[str, Any]:
    """Return the extension's part of a `metadata` value; empty where there is none."""
    own = metadata.get(METADATA_KEY) if isinstance(metadata, Mapping) else None
    return own if isinstance(own, Mapping) else {}
