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
"""A line holds the roles that exclude one another, a role the words for it; as in `ui/src/graph/fileRoles.ts`.

Of the first, a file that tells none is a whole, for which no half stands in.
"""
FAMILIES = "wan flux qwen hunyuanvideo hunyuanimage hunyuan ltxv ltx cosmos sd"
"""Those whose versions do not go together."""

_GROUPS = [[frozenset(role.split()) for role in line.split("|")] for line in ROLES.strip().splitlines()]
_WORD = re.compile(r"[^\W_]+")
_VERSION = re.compile(
    rf"(?:^|[^a-z])({FAMILIES.replace(' ', '|')}|^v)[-_. ]?(\d+(?![\da-z])(?:[-_.]\d(?![\da-z]))?)"
)


def has_other_role(name: str, other: str) -> bool:
    """`wan_high_noise` beside `wan_low_noise`, `wan2.1` beside `wan2.2`; what a name does not tell never differs."""
    if (version := _version(name)) and (others := _version(other)) and _differ(version, others):
        return True
    words, other_words = _words(name), _words(other)
    return any(
        mine != theirs if group is _GROUPS[0] else mine and theirs and not mine & theirs
        for group in _GROUPS
        for mine, theirs in [(_roles(words, group), _roles(other_words, group))]
    )


def _version(name: str) -> tuple[str, str] | None:
    match = _VERSION.search(ntpath.basename(name).casefold())
    return match and (match[1], re.sub(r"\D", "", match[2]))


def _differ(one: tuple[str, str], other: tuple[str, str]) -> bool:
    return one[0] == other[0] and one[1] != other[1]


def _roles(words: frozenset[str], group: Sequence[frozenset[str]]) -> frozenset[frozenset[str]]:
    return frozenset(role for role in group if role & words)


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORD.findall(ntpath.basename(name).casefold()))
