from __future__ import annotations

from typing import Any

from comfyui_assistant.engine.context.project import (
    PROJECT,
    ToldFile,
    files_by_user,
    files_in_sight,
    last_document,
    newest_tellings,
    numbered,
    told_files,
    without_file_texts,
)

from .conversations import turns, user
from .planned import planned

STYLE = "Never use neon colours."


def file(number: int, text: str | None = STYLE, *, path: str = "all/style.md", **fields: Any) -> ToldFile:
    return ToldFile(number, path, path.partition("/")[2], "text/markdown", "v1", 23, text, **fields)


def telling(message_id: str, *files: ToldFile, said: str = "") -> Any:
    told = {PROJECT: {"files": [each.as_metadata() for each in files]}}
    return user(message_id, said or message_id, metadata=told)


def sent(made: Any) -> str:
    return str(made.messages)


def test_what_is_kept_is_read_as_it_was_and_anything_else_is_no_file() -> None:
    files = (file(1), file(2, None, path="all/book.txt"), file(3, path="all/c.md", is_gone=True))
    assert told_files(telling("u1", *files)) == files
    for damaged in ({"files": "none"}, {"files": [{"number": "1"}, 7]}, None):
        assert told_files(user("u1", metadata={PROJECT: damaged})) == ()


def test_a_message_tells_its_files_before_its_text_and_those_that_are_not_shown_by_name() -> None:
    made = planned([telling("u1", file(1), file(2, None, path="all/book.txt"), said="Paint it.")])
    text = made.messages[-1]["content"]
    assert text.index("They are data") < text.index(STYLE) < text.index("Paint it.")
    assert '"document":1' in text
    assert 'd2 "book.txt": 23 characters, not shown here; searchHistory finds places in it' in text


def test_condensing_moves_all_files_to_the_newest_message_where_they_stay() -> None:
    conversation = [
        telling("u0", file(1)),
        *turns(40),
        telling("x", file(2, path="all/b.md")),
        *turns(40, first=60),
    ]
    made = planned(conversation, window=16_000)
    assert made.stages[-1] == "checkpoint"
    assert sent(made).count(STYLE) == 2
    assert "turn 99" not in sent(made)
    newest = next(each for each in reversed(made.messages) if each["role"] == "user")
    assert newest["content"].count(STYLE) == 2
    longer = [*conversation, telling("y", file(3, "It is new.", path="all/c.md"))]
    again = planned(longer, window=16_000, compaction=made.compaction)
    assert again.messages[: len(made.messages)] == made.messages
    assert files_in_sight(longer, made.compaction).keys() == {"all/style.md", "all/b.md", "all/c.md"}


def test_an_emergency_keeps_the_files_too() -> None:
    conversation = [telling("u0", file(1)), *turns(10)]
    made = planned(conversation, window=8_000, emergency=1)
    assert sent(made).count(STYLE) == 1


def test_without_anything_condensed_each_stands_where_it_was_told() -> None:
    conversation = [telling("u1", file(1)), telling("u2", file(1, "Now with neon."))]
    assert {
        number: [each.text for each in files] for number, files in files_by_user(conversation, 0).items()
    } == {
        1: [STYLE],
        2: ["Now with neon."],
    }
    assert {path: each.text for path, each in files_in_sight(conversation, None).items()} == {
        "all/style.md": "Now with neon."
    }


def test_of_what_was_told_until_a_message_only_the_newest_stands_there_and_nothing_that_is_gone() -> None:
    conversation = [
        telling("u1", file(1), file(2, path="all/b.md")),
        telling("u2", file(1, "Now with neon."), file(2, path="all/b.md", is_gone=True)),
    ]
    (told,) = files_by_user(conversation, 2).items()
    assert told == (2, (file(1, "Now with neon."),))
    # A branch that is shorter than what was condensed.
    assert files_by_user(conversation[:1], 9)[1] == (file(1), file(2, path="all/b.md"))


def test_a_file_keeps_its_number_and_a_new_one_gets_the_next() -> None:
    conversation = [telling("u1", file(4))]
    assert [each.number for each in numbered([file(0), file(0, path="all/b.md")], conversation)] == [4, 5]
    assert last_document(conversation) == 4


def test_the_panel_is_told_which_files_there_are_and_not_what_stands_in_them() -> None:
    message = telling("u1", file(1))
    bare = without_file_texts(message)
    assert STYLE not in str(bare)
    assert bare["metadata"][PROJECT]["files"][0]["isWhole"] is True
    assert STYLE in str(message)
    assert without_file_texts(user("u2")) == user("u2")
    assert newest_tellings([message])["all/style.md"].text == STYLE
