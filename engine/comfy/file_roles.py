"""Roles of model files, as far as their names tell: one half of a pair does not replace the other."""

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
"""The roles that exclude one another, one group a line, each role with its words; `ui/src/graph/fileRoles.ts` has the
same.

In the first group, a file without a role is a whole model, which no half replaces.
"""
FAMILIES = "wan flux qwen hunyuanvideo hunyuanimage hunyuan ltxv ltx cosmos sd"
"""The model families whose versions are incompatible."""

_GROUPS = [[frozenset(role.split()) for role in line.split("|")] for line in ROLES.strip().splitlines()]
_WORD = re.compile(r"[^\W_]+")
_VERSION = re.compile(
    rf"(?:^|[^a-z])({FAMILIES.replace(' ', '|')}|^v)[-_. ]?(\d+(?![\da-z])(?:[-_.]\d(?![\da-z]))?)"
)


def has_other_role(name: str, other: str) -> bool:
    """Return whether the names tell of different roles or versions, as `wan_high_noise` and `wan_low_noise` do.

    A name that tells nothing never differs.
    """
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
