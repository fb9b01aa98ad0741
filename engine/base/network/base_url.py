"""Base URLs of model servers, normalized, and without secrets where they are shown."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

_SECRETS = re.compile(r"[?#].*", re.DOTALL)
_USER = re.compile(r"//[^/]*@")
_WITHOUT_SCHEME = re.compile(r"^(?=(localhost|\d+(\.\d+){3})(:\d+)?(/|$))", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x20\x7f\\]")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.IGNORECASE)
_NUMBER = re.compile(r"(0x[0-9a-f]*|[0-9]+)", re.IGNORECASE)
_LONGEST_HOST = 253
_OF_NETWORKS = (".local", ".lan", ".home", ".home.arpa", ".internal", ".ts.net")


def normal_base_url(text: str) -> str:
    """Normalize a base URL: no trailing slash, no pasted `/chat/completions`, the host as it is dialed.

    The host is a name (RFC 1123, plus the underscore of container names; other alphabets are encoded by IDNA), an
    IPv4 address of four decimal numbers, or an IPv6 address in brackets. Other spellings that resolvers accept as an
    address (`127.1`, `0x7f.1`, `010.0.0.5`) mean different hosts to different programs and are refused. Text that
    begins with an IPv4 address or `localhost` is taken as http; any other text without a scheme may be a key in the
    wrong field.

    Raises:
        ValueError: it is no http(s) URL with a host, or it carries what may be a secret: a user name, a password, a
            query or a fragment. URLs are quoted in error texts. The message completes "expected …".
    """
    pasted = _WITHOUT_SCHEME.sub("http://", text.strip())
    url = pasted.rstrip("/").removesuffix("/chat/completions").rstrip("/")
    if "://" not in pasted:
        raise ValueError("one that begins with http:// or https://, such as http://127.0.0.1:11434/v1")
    parts = _parts(url)
    if parts is None or _SECRETS.search(url) or _CONTROL.search(url):
        raise ValueError("an address such as http://127.0.0.1:11434/v1, without user name, ? and #")
    host = normal_host(parts.hostname or "", is_bracketed="[" in parts.netloc)
    port = f":{parts.port}" if parts.port is not None else ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{parts.path}"


def normal_host(host: str, *, is_bracketed: bool = False) -> str:
    """Return a host name or an IP address in the one spelling that all programs read alike.

    Raises:
        ValueError: there is no such host; the message completes "expected …".
    """
    if is_bracketed or ":" in host:
        try:
            return IPv6Address(host.replace("%", "/")).compressed
        except AddressValueError:
            raise ValueError("an IPv6 address such as [::1], without a zone, between its brackets") from None
    name = host if host.isascii() else _in_ascii(host)
    labels = name.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        if not host.isascii():
            raise ValueError("an IP address in plain digits")
        try:
            return str(IPv4Address(name))
        except AddressValueError:
            raise ValueError(
                "an IP address of four numbers from 0 to 255 such as 192.168.1.30, without leading zeros"
            ) from None
    if len(name) > _LONGEST_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError("a host name such as my-server.local: letters, digits and hyphens between dots")
    return name.lower()


def is_local(base_url: str) -> bool:
    """Return whether the URL's host is this machine."""
    host = (urlsplit(base_url).hostname or "").lower()
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_on_network(base_url: str) -> bool:
    """Return whether the URL's host is in the local network, by its address or by a name that no public server has."""
    host = urlsplit(base_url).hostname or ""
    try:
        return not ip_address(host).is_global and not is_local(base_url)
    except ValueError:
        return not is_local(base_url) and ("." not in host or host.endswith(_OF_NETWORKS))


def without_secrets(address: str) -> str:
    """Return the first 80 characters of an address with user name, query and fragment masked."""
    return _USER.sub("//…@", _SECRETS.sub("…", address))[:80]


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    is_whole = parts.scheme in ("http", "https") and bool(parts.hostname)
    return parts if is_whole and not parts.username and not parts.password else None


def _in_ascii(host: str) -> str:
    """Encode a host name of another alphabet for the Domain Name System (UTS 46, by aiohttp's `idna` package)."""
    import idna

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        raise ValueError("a host name that the Domain Name System can hold") from None
