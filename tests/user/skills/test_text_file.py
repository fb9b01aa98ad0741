from __future__ import annotations

import pytest
from comfyui_assistant.engine.user.skills.text_file import UnreadableFile, read_text_file


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(b"a\r\nb\rc\n", "a\nb\nc", id="foreign newlines"),
        pytest.param(b"\xef\xbb\xbfa", "a", id="a byte order mark"),
        pytest.param("a\n\u00e4".encode("utf-16"), "a\n\u00e4", id="UTF-16 of a Windows editor"),
        pytest.param("\U0001f600".encode(), "\U0001f600", id="four-byte characters"),
        pytest.param(b"a\n\n \n", "a", id="blank lines at the end"),
        pytest.param(b"", "", id="nothing"),
    ],
)
def test_the_same_words_give_the_same_text(tmp_path, data, text):
    (tmp_path / "file.md").write_bytes(data)

    assert read_text_file(tmp_path / "file.md", inside=tmp_path, label="file.md", max_bytes=1_000) == (
        text,
        [],
    )


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"caf\xe9", id="Latin-1"),
        pytest.param(b"a\xed\xa0\x80b", id="an encoded surrogate"),
        pytest.param(b"\xff\xfe\x00\xd8a\x00", id="an unpaired surrogate in UTF-16"),
        pytest.param(bytes(range(128, 256)), id="bytes of a picture"),
    ],
)
def test_bytes_that_are_no_text_are_replaced_and_reported(tmp_path, data):
    (tmp_path / "file.md").write_bytes(data)
    text, [diagnostic] = read_text_file(
        tmp_path / "file.md", inside=tmp_path, label="file.md", max_bytes=1_000
    )

    text.encode("utf-8")
    assert "\N{REPLACEMENT CHARACTER}" in text
    assert diagnostic.action == "Save the file as UTF-8."


def test_a_long_file_is_cut_at_a_line_with_what_is_missing(tmp_path):
    (tmp_path / "file.md").write_bytes(b"123456789\n" * 500_000)
    text, [diagnostic] = read_text_file(
        tmp_path / "file.md", inside=tmp_path, label="file.md", max_bytes=1_005
    )

    assert text.startswith("123456789\n" * 99 + "123456789\n\n[The file goes on")
    assert text.endswith("about 4,998,995 of its 5,000,000 bytes are not shown.]")
    assert diagnostic.problem == "It has 5,000,000 bytes; 1,005 are read."


def test_a_cut_never_halves_a_character(tmp_path):
    (tmp_path / "file.md").write_bytes("\U0001f600".encode() * 10)
    text, _ = read_text_file(tmp_path / "file.md", inside=tmp_path, label="file.md", max_bytes=6)

    assert text.startswith("\U0001f600\n\n[")


@pytest.mark.parametrize("make", ["nothing", "folder"])
def test_what_is_no_file_is_reported_without_its_place(tmp_path, make):
    if make == "folder":
        (tmp_path / "file.md").mkdir()
    with pytest.raises(UnreadableFile) as refused:
        read_text_file(tmp_path / "file.md", inside=tmp_path, label="file.md", max_bytes=10)

    assert refused.value.diagnostic.problem.startswith("It cannot be read (")
    assert str(tmp_path) not in str(refused.value)
