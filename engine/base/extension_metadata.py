"""Where a part or a message carries what is ours: under one name in metadata that others leave alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

METADATA_KEY = "comfyuiAssistant"


def extension_metadata(metadata: Any) -> Mapping[str, Any]:
    own = metadata.get(METADATA_KEY) if isinstance(metadata, Mapping) else None
    return own if isinstance(own, Mapping) else {}
