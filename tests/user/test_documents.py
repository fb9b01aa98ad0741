from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.user.documents import DocumentPlace


@pytest.fixture
def place(tmp_path: Path) -> DocumentPlace:
    given = tmp_path / "package" / "SOUL.md"
    given.parent.mkdir()
    given.write_text("Given.\n", "utf-8")
    return DocumentPlace(tmp_path / "mine", "SOUL.md", given)


def test_what_is_given_holds_until_the_person_writes_their_own(place: DocumentPlace) -> None:
    assert (place.read().text, place.read().is_own) == ("Given.", False)
    assert place.write("Mine.", "Given.").is_own
    assert place.write(" ", "Mine.").text == "Given."
    assert place.given.read_text("utf-8") == "Given.\n"
    assert not (place.folder / "SOUL.md").exists()


def test_a_text_that_was_changed_meanwhile_is_not_written_over(place: DocumentPlace) -> None:
    place.write("Mine.", "Given.")
    with pytest.raises(RequestError) as raised:
        place.write("Other.", "Given.")
    assert (raised.value.code, place.read().text) == ("changed_meanwhile", "Mine.")
    assert place.write("Mine.", "Given.").text == "Mine."


def test_of_two_who_write_over_the_same_text_at_once_one_is_told(place: DocumentPlace) -> None:
    def write(text: str) -> str:
        try:
            return place.write(text, "Given.").text
        except RequestError as error:
            return error.code

    with ThreadPoolExecutor(8) as writers:
        told = list(writers.map(write, (f"Writer {number}." for number in range(8))))
    assert sorted(told)[1:] == ["changed_meanwhile"] * 7
    assert place.read().text == min(told)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"a\xff\xfe\xfab", "Some of it is not UTF-8 text."), (b"word \n" * 20_000, "65,536 are read")],
)
def test_a_file_that_cannot_be_read_whole_is_left_as_it_is(
    place: DocumentPlace, content: bytes, problem: str
) -> None:
    place.folder.mkdir()
    (place.folder / "SOUL.md").write_bytes(content)
    assert problem in place.read().problem
    with pytest.raises(RequestError, match=problem.replace(".", "")):
        place.write("New.", place.read().text)
    assert (place.folder / "SOUL.md").read_bytes() == content


def test_a_link_to_a_place_outside_is_neither_read_nor_written(place: DocumentPlace, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret", "utf-8")
    place.folder.mkdir()
    (place.folder / "SOUL.md").symlink_to(secret)
    document = place.read()
    assert (document.text, document.is_own) == ("", True)
    with pytest.raises(RequestError):
        place.write("New.", "")
    assert secret.read_text("utf-8") == "secret"


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("a file", "utf-8")
    place = DocumentPlace(tmp_path / "mine", "goals.md", tmp_path / "none.md")
    with pytest.raises(Exception, match="could not be saved"):
        place.write("New.", "")
