from __future__ import annotations

from comfyui_assistant.engine.context.results import ResultBudget
from comfyui_assistant.engine.tools.paging import page_from
from comfyui_assistant.engine.tools.tool import success


def _page(text: str, start: int, room: ResultBudget) -> str:
    page = page_from(text, start, room, lambda end: success("Read.", {"text": text[start:end]}))
    return page["data"]["text"]


def test_a_text_that_fits_is_one_page() -> None:
    assert _page("word " * 100, 5, ResultBudget()) == "word " * 99


def test_a_page_is_as_long_as_there_is_room_and_ends_with_a_word() -> None:
    text = "longword " * 2_000
    page = _page(text, 0, ResultBudget(500))
    assert page.endswith("longword ")
    assert 400 <= len(page) < 2_000


def test_a_page_goes_on_where_there_is_hardly_any_room() -> None:
    assert 200 < len(_page("longword " * 2_000, 0, ResultBudget(10))) <= 400
