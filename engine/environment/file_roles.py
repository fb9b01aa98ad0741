"""What a model file is for, as far as its name tells: one half of a pair does not stand in for the other."""

from __future__ import annotations

import ntpath
import re
from collections.abc import Sequence

ROLES = """
high highnoise | low lownoise
base | refiner
encoder | decoder
t2v txt2vid | i2v img2vid | ti2v | s2v | v2v | flf2v
canny | depth | pose openpose dwpose | lineart | scribble | softedge hed | seg segmentation | normal normalbae | mlsd
"""
"""A line holds the roles that exclude one another, a role the words for it; as in `ui/src/graph/fileRoles.ts`."""

_GROUPS = [[frozenset(role.split()) for role in line.split("|")] for line in ROLES.strip().splitlines()]
_WORD = re.compile(r"[^\W_]+")


def has_other_role(name: str, other: str) -> bool:
    """`wan_high_noise` beside `wan_low_noise`; a name that tells no role has none that differs."""
    words, others = _words(name), _words(other)
    return any(
        (mine := _roles(words, group)) and (theirs := _roles(others, group)) and not mine & theirs
        for group in _GROUPS
    )


def _roles(words: frozenset[str], group: Sequence[frozenset[str]]) -> frozenset[frozenset[str]]:
    return frozenset(role for role in group if role & words)


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORD.findall(ntpath.basename(name).casefold()))
