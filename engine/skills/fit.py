"""Texts cut to the room that there is: whole sections first, single texts only with a marker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .library import Skill

SEPARATOR = "\n\n"

_SHORTEST_BEGINNING = 24


def fit_sections(
    sections: Sequence[Skill],
    *,
    max_chars: int | None = None,
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] = len,
) -> tuple[str, list[Skill]]:
    """The text of the sections that fit, in their own order, and the sections that are not shown whole.

    Room is given by priority, whole section by whole section. Only the most important one is shortened where
    it alone is too long: a lesser one never takes its place.
    """

    def fits(text: str) -> bool:
        return (max_chars is None or len(text) <= max_chars) and (
            max_tokens is None or count_tokens(text) <= max_tokens
        )

    by_priority = sorted(sections, key=lambda section: section.priority)
    selection: list[Skill] = []
    for section in by_priority:
        if fits(_join(sections, [*selection, section])):
            selection.append(section)
        elif not selection:
            return _beginning(section, fits), list(sections)
    return _join(sections, selection), [section for section in sections if section not in selection]


def shorten(text: str, room: int, *, how: str = "") -> str:
    """The text, or its beginning up to a word's end with a marker that says what is missing.

    `how` tells how the rest is read. The marker stands alone where the beginning would be a few letters, and
    nothing at all where there is no room for the marker.
    """
    if len(text) <= room:
        return text
    size = f"{len(text):,} characters in all"
    marker = f"[{size}, {how}]" if how else f"[{size}]"
    beginning = text[: max(0, room - len(marker) - 3)]
    beginning = beginning[: max(beginning.rfind(" "), beginning.rfind("\n"), len(beginning) - 40)].rstrip()
    if len(beginning) >= _SHORTEST_BEGINNING:
        return f"{beginning} … {marker}"
    return marker if len(marker) <= room else ""


def _join(sections: Sequence[Skill], selection: Sequence[Skill]) -> str:
    return SEPARATOR.join(section.content for section in sections if section in selection)


def _beginning(section: Skill, fits: Callable[[str], bool]) -> str:
    room = len(section.content)
    while room > 0:
        room = room * 7 // 8
        text = shorten(section.content, room, how=f'read them with getSystemSkill "{section.slug}"')
        if fits(text):
            return text
    return ""
