from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.comfy.pictures.picture_file import read_picture_file
from comfyui_assistant.engine.context.images import size_in

from ...pictures_of_comfyui import png, webp

TEXTS = {"prompt": '{"1": "ein Füchslein"}', "workflow": "{}"}


@pytest.mark.parametrize("make", [png, webp])
def test_size_and_texts_of_what_comfyui_saved_are_read(tmp_path: Path, make) -> None:
    (tmp_path / "fox").write_bytes(make(TEXTS))
    head, texts = read_picture_file(tmp_path / "fox")
    assert (size_in(head), texts) == ((832, 1216), TEXTS)


@pytest.mark.parametrize("make", [png, webp])
def test_a_file_cut_off_anywhere_is_read_as_far_as_it_goes(tmp_path: Path, make) -> None:
    whole = make(TEXTS)
    for length in range(len(whole)):
        (tmp_path / "fox").write_bytes(whole[:length])
        _, texts = read_picture_file(tmp_path / "fox")
        assert texts.items() <= TEXTS.items()


@pytest.mark.parametrize("make", [png, webp])
def test_a_byte_that_is_wrong_does_no_harm(tmp_path: Path, make) -> None:
    whole = make(TEXTS)
    for place in range(len(whole)):
        (tmp_path / "fox").write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        read_picture_file(tmp_path / "fox")


def test_a_text_of_another_kind_of_chunk_is_read_and_a_packed_one_left_out(tmp_path: Path) -> None:
    international = png({"a": "", "b": ""}).replace(b"tEXt", b"iTXt")
    plain = international.replace(
        b"\x00\x00\x00\x02iTXta\x00", b"\x00\x00\x00\x0aiTXta\x00\x00\x00de\x00\x00hi"
    )
    (tmp_path / "fox").write_bytes(plain)
    assert read_picture_file(tmp_path / "fox")[1] == {"a": "hi"}


def test_other_files_have_none(tmp_path: Path) -> None:
    (tmp_path / "fox").write_bytes(b"GIF89a" + bytes(20))
    assert read_picture_file(tmp_path / "fox")[1] == {}
    with pytest.raises(FileNotFoundError):
        read_picture_file(tmp_path / "none")
