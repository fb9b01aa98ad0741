from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.errors import DownloadError
from comfyui_assistant.engine.comfy.downloads.file_names import check_name, is_pickle


@pytest.mark.parametrize(
    "name", ["flux1-dev.safetensors", "Ünder a line (v2).gguf", "a.sft", "x.ONNX", "v1-5.ckpt"]
)
def test_a_plain_name_passes(name):
    assert check_name(name) == name


def test_letters_are_composed():
    assert check_name("u\u0308.gguf") == "\u00fc.gguf"


@pytest.mark.parametrize(
    "name",
    [
        *("", ".safetensors", "..safetensors", "a..safetensors", "../a.safetensors", "a/b.safetensors"),
        *("a\\b.safetensors", "C:a.safetensors", "a:b.safetensors", "a\x00.safetensors", "a\n.safetensors"),
        *("con.safetensors", "NUL.safetensors", "com1.x.safetensors", "a.safetensors ", " a.safetensors"),
        *("a.safetensors.", "a.py", "a.safetensors.py", "a", "a.pickle", "a" * 300 + ".safetensors"),
        *("a\u202esrotensefas.safetensors", "a\u200b.safetensors", "a\ud800.safetensors", "a*.safetensors"),
        "a\uff0f..\uff0fb.py",
    ],
)
def test_others_are_refused(name):
    with pytest.raises(DownloadError) as refused:
        check_name(name)

    assert refused.value.code == "invalid_request"


def test_pickles_are_known_by_their_ending():
    assert [
        name for name in ("a.ckpt", "a.PT", "a.pth", "a.bin", "a.gguf", "a.safetensors") if is_pickle(name)
    ] == [*("a.ckpt", "a.PT", "a.pth", "a.bin")]
