"""Names that Windows reserves for devices: no file or folder there may have one, with any extension.

Source: learn.microsoft.com, "Naming Files, Paths, and Namespaces".
"""

from __future__ import annotations

import re

_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[\d¹²³]) *(\..*)?", re.IGNORECASE | re.DOTALL)


def is_device_name(name: str) -> bool:
    """Return whether one part of a path is reserved: `con`, `AUX.md`, `com1.safetensors`."""
    return _DEVICE.fullmatch(name) is not None
