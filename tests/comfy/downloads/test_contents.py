from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.downloads.contents import fault_of_beginning, fault_of_whole

from .stand_in_host import safetensors

PICKLE = b"\x80\x04\x95" + bytes(20)


@pytest.mark.parametrize(
    ("name", "first", "is_good"),
    [
        ("a.safetensors", safetensors()[:16], True),
        ("a.SFT", safetensors()[:16], True),
        ("a.safetensors", PICKLE, False),
        ("a.safetensors", b"\xff" * 16, False),
        ("a.gguf", b"GGUF" + bytes(12), True),
        ("a.gguf", PICKLE, False),
        ("a.onnx", b"\x08\x07\x12" + bytes(13), True),
        ("a.onnx", PICKLE, False),
        ("a.ckpt", PICKLE, True),
    ],
)
def test_a_file_is_known_by_its_first_bytes(name, first, is_good):
    assert (fault_of_beginning(name, first, None) is None) is is_good


def test_a_whole_file_has_a_header_that_fits_its_size(tmp_path):
    path = tmp_path / "a"
    for content, is_good in (
        (safetensors(), True),
        (safetensors()[:-1], False),
        (safetensors() + b"x", False),
    ):
        path.write_bytes(content)
        assert (fault_of_whole("a.safetensors", path) is None) is is_good
