"""Compatibility of outputs and inputs: a slot may name several types, `IMAGE,MASK`, or accept all, `*`."""

from __future__ import annotations

ANY = "*"


def types_of(slot: str) -> frozenset[str]:
    """Return the types that a slot names, in upper case."""
    return frozenset(one.strip().upper() for one in slot.split(","))


def shares_type(one: str, other: str) -> bool:
    """Return whether both slots name a common type, without regard to `*`."""
    return one == other or not types_of(one).isdisjoint(types_of(other))


def fits(one: str, other: str) -> bool:
    """Return whether an output fits an input: a common type, or `*` on either side."""
    return shares_type(one, other) or ANY in types_of(one) | types_of(other)
