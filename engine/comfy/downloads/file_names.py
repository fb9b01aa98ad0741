"""Names for downloaded files: one plain name, of a kind that ComfyUI loads."""

from __future__ import annotations

import os
import re
import unicodedata

from ...base.errors import DownloadError
from ...base.files.device_names import is_device_name

PLAIN_ENDINGS = (".safetensors", ".sft", ".gguf", ".onnx")
PICKLE_ENDINGS = (".ckpt", ".pt", ".pth", ".bin")
_MAX_BYTES = 200
_FORBIDDEN = re.compile(r'[/\\:<>"|?*]')


def check_name(name: str) -> str:
    """Return the name in Unicode NFC, if a file can have it on every system.

    Raises:
        DownloadError: `invalid_request`, with what is wrong.
    """
    plain = unicodedata.normalize("NFC", name)
    if fault := _fault(plain):
        raise DownloadError(
            "invalid_request",
            f"{name[:120]!r} cannot be the name of a model file: {fault}.",
            hint="Give a plain file name, without folders, such as flux1-dev.safetensors.",
            status=400,
        )
    return plain


def is_pickle(name: str) -> bool:
    """Return whether the name is of a file type that can run code when it is loaded."""
    return _ending(name) in PICKLE_ENDINGS


def _fault(name: str) -> str | None:
    if _FORBIDDEN.search(name) or ".." in name:
        return "it has a sign that leads to another place"
    if any(unicodedata.category(character)[0] == "C" for character in name):
        return "it has signs that cannot be seen"
    if not name or name != name.strip() or name.startswith(".") or name.endswith("."):
        return "it begins or ends with a dot or a blank"
    if len(name.encode()) > _MAX_BYTES:
        return f"it is longer than {_MAX_BYTES} bytes"
    if is_device_name(name):
        return "Windows has a device of that name"
    if _ending(name) not in (*PLAIN_ENDINGS, *PICKLE_ENDINGS):
        return f"it ends with none of {', '.join((*PLAIN_ENDINGS, *PICKLE_ENDINGS))}"
    return None


def _ending(name: str) -> str:
    return os.path.splitext(name)[1].lower()
