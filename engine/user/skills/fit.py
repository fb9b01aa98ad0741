"""Fits texts into a limited space: whole sections first, and a single text shortened with a marker."""

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
    """Return the text of the sections that fit, in their own order, and the sections that are not shown whole.

    Space is given by priority to whole sections. Only the most important one is shortened if it alone is too long: a
    lesser one never takes its place.
    """

    def fits(characters: int, tokens: int) -> bool:
        return (max_chars is None or characters <= max_chars) and (max_tokens is None or tokens <= max_tokens)

    def text_fits(text: str) -> bool:
        return fits(len(text), count_tokens(text))

    by_priority = sorted(range(len(sections)), key=lambda index: sections[index].priority)
    selection: set[int] = set()
    characters = tokens = 0
    for index in by_priority:
        content = sections[index].content
        more_characters = characters + len(content) + (len(SEPARATOR) if selection else 0)
        more_tokens = tokens + count_tokens(content + SEPARATOR)
        if fits(more_characters, more_tokens):
            selection.add(index)
            characters, tokens = more_characters, more_tokens
        elif not selection:
            return _beginning(sections[index], text_fits), list(sections)
    text = SEPARATOR.join(sections[index].content for index in sorted(selection))
    return text, [section for index, section in enumerate(sections) if index not in selection]


def shorten(text: str, room: int, *, how: str = "") -> str:
    """Return the text, or its beginning up to a word's end with a marker for the missing rest.

    `how` says how to read the rest. The marker stands alone if the beginning would be a few letters; "" is returned
    if there is no room for the marker.
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


def _beginning(section: Skill, fits: Callable[[str], bool]) -> str:
    room = len(section.content)
    while room > 0:
        room = room * 7 // 8
        text = shorten(section.content, room, how=f'read them with getSystemSkill "{section.slug}"')
        if fits(text):
            return text
    return ""
