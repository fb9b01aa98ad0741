"""Addresses of model servers, as they are kept and as they may be shown."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_SECRETS = re.compile(r"[?#].*", re.DOTALL)
_USER = re.compile(r"//[^/]*@")


def normal_base_url(text: str) -> str:
    """A base URL without trailing slash or a pasted `/chat/completions`.

    Raises:
        ValueError: it is no http(s) URL with a host, or it carries what may be a secret: a user name, a password, a
            query or a fragment. Addresses stand in error texts.
    """
    url = text.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/")
    if not _is_address(url) or _SECRETS.search(url):
        raise ValueError("an address such as http://127.0.0.1:11434/v1, without user name, ? and #")
    return url


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    is_whole = parts.scheme in ("http", "https") and bool(parts.hostname)
    return is_whole and not parts.username and not parts.password


def without_secrets(address: str) -> str:
    """The beginning of what should be an address, as it may be shown."""
    return _USER.sub("//…@", _SECRETS.sub("…", address))[:80]
