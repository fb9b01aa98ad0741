"""Private addresses in every spelling that some program reads."""

from __future__ import annotations

from ipaddress import IPv4Address

NOT_PUBLIC = [
    *("127.0.0.1", "127.0.0.2", "127.255.255.254", "0.0.0.0", "10.0.0.5", "10.255.255.255", "172.16.0.1"),
    *("172.31.255.254", "192.168.0.1", "192.168.1.30", "169.254.169.254", "169.254.0.1", "100.64.0.1"),
    *(
        "100.100.100.200",
        "198.18.0.1",
        "192.0.2.1",
        "203.0.113.9",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
    ),
]
IPV6_NOT_PUBLIC = [
    *("::1", "::", "fe80::1", "fd00::1", "fc00::5", "ff02::1", "2001::1", "64:ff9b:1::1", "2001:db8::1"),
    *("fec0::1", "0:0:0:0:0:0:0:1", "fd12:3456:789a::1"),
]


def wrapped(address: str) -> list[str]:
    """Return the address within IPv6 ones."""
    number = int(IPv4Address(address))
    high, low = f"{number >> 16:x}", f"{number & 0xFFFF:x}"
    return [f"::ffff:{address}", f"::ffff:{high}:{low}", f"64:ff9b::{high}:{low}", f"2002:{high}:{low}::1"]


def misspelled(address: str) -> list[str]:
    """Return spellings that only some programs read as this address."""
    number, parts = int(IPv4Address(address)), [int(part) for part in address.split(".")]
    return [
        str(number),
        hex(number),
        "0" + oct(number)[2:],
        ".".join(f"0{part:o}" for part in parts),
        ".".join(hex(part) for part in parts),
        ".".join(f"{part:03}" for part in parts),
        f"{parts[0]}.{number & 0xFFFFFF}",
        f"{parts[0]}.{parts[1]}.{number & 0xFFFF}",
        f"{hex(parts[0])}.{parts[1]}.{parts[2]}.{parts[3]}",
        address.translate(str.maketrans("0123456789", "０１２３４５６７８９")),
        address.replace(".", "。"),
        address.replace(".", "%2e"),
        f"{address}.",
        f"user@{address}",
        f"example.org@{address}",
        f"example.org\\@{address}",
    ]


def every_spelling() -> list[str]:
    """Return all spellings as hosts of an address, in brackets if they need them."""
    plain = [*NOT_PUBLIC, *(each for address in NOT_PUBLIC for each in misspelled(address))]
    bracketed = [*IPV6_NOT_PUBLIC, *(each for address in NOT_PUBLIC for each in wrapped(address))]
    return [*plain, *(f"[{address}]" for address in bracketed)]
