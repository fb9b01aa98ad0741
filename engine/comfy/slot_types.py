"""Which outputs fit which inputs: a slot may name several types, `IMAGE,MASK`, or take all, `*`."""

from __future__ import annotations

ANY = "*"


def types_of(slot: str) -> frozenset[str]:
    return frozenset(one.strip().upper() for one in slot.split(","))


def shares_type(one: str, other: str) -> bool:
    """Whether both name a type in so many words."""
    return one == other or not types_of(one).isdisjoint(types_of(other))


def fits(one: str, other: str) -> bool:
    return shares_type(one, other) or ANY in types_of(one) | types_of(other)
