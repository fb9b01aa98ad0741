"""Programs read fields and codes: no code searches our own sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from .sentences_read_back import sentences_read_back

ROOT = Path(__file__).parents[1]
OTHERS_WORDS = {
    "engine/llm/refusals/failures.py": "providers",
    "engine/store/sqlite_file.py": "SQLite",
}
"""The authors of sentences that a module may search, since they come without a code."""


@pytest.mark.slow
def test_only_sentences_of_others_are_searched() -> None:
    places = {
        path.relative_to(ROOT).as_posix(): lines
        for path in [*ROOT.glob("*.py"), *(ROOT / "engine").rglob("*.py")]
        if (lines := sentences_read_back(path.read_text("utf-8")))
    }
    assert {place: lines for place, lines in places.items() if place not in OTHERS_WORDS} == {}
    assert set(OTHERS_WORDS) <= set(places), "a module that searches nothing needs no entry"


@pytest.mark.parametrize(
    "source",
    [
        'refusal.message.startswith("The user")',
        '"stream_options" in refusal.message',
        '"locked" not in str(failure.message).lower()',
        're.search("Not run", result["error"])',
        'PATTERN.match(part.get("errorText") or "")',
        'text = result["summary"]\ntext.partition(": ")',
        'error == "Stopped by the user."',
        'if (why := part["errorText"]):\n    why.startswith("Not run")',
    ],
)
def test_a_sentence_that_is_searched_is_found(source: str) -> None:
    assert len(sentences_read_back(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        'error.code == "key_refused"',
        'result["code"] in CODES',
        '" ".join(result["error"].split())',
        'said = f"{refusal.message} {refusal.hint}"',
        '"error" in result',
        'message["role"] == "user"',
    ],
)
def test_fields_codes_and_sentences_that_are_only_told_are_let_be(source: str) -> None:
    assert sentences_read_back(source) == []
