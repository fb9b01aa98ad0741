from __future__ import annotations

from comfyui_assistant.engine.context.outline import Heading, headings, outline

from tests.growth import grows_in_proportion

BOOK = "# Lenses\n\nWide.\n\n## Glass ##\n\n#no heading\n\n[Page 2]\nMore.\n\n# Light\n"


def test_headings_and_pages_are_found_with_their_places() -> None:
    found = headings(BOOK)
    assert found == [
        Heading(0, 1, "Lenses"),
        Heading(17, 2, "Glass"),
        Heading(43, 7, "Page 2"),
        Heading(59, 1, "Light"),
    ]
    assert all(BOOK[each.start :].startswith(("#", "[Page")) for each in found)


def test_an_outline_has_the_upper_levels_first_and_counts_the_others() -> None:
    found = headings(BOOK)
    assert outline(found, 1_000) == "0: Lenses\n17: Glass\n43: Page 2\n59: Light"
    assert outline(found, 60) == "0: Lenses\n59: Light\nand 2 more headings between them"
    assert outline([], 1_000) == ""
    assert outline(found, 10) == ""


def test_of_too_many_of_one_level_every_so_many_are_shown() -> None:
    pages = [Heading(number * 900, 7, f"Page {number}") for number in range(1, 401)]
    written = outline(pages, 500)
    assert len(written) <= 500
    assert written.startswith("900: Page 1\n")
    shown = written.count(": Page")
    assert shown > 15
    assert written.endswith(f"and {400 - shown} more headings between them")


def test_a_long_text_is_looked_at_in_a_moment() -> None:
    def look(size: int) -> None:
        headings("# A heading\n" + "word " * 40 * size + "\n#" * size)

    assert grows_in_proportion(look, 1_250)
