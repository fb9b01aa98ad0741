from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.context.images import image_size, image_tokens

from .pictures import data_url, png


def jpeg(width: int, height: int, preview: int = 0) -> str:
    segment = b"\xff\xe1" + (preview + 2).to_bytes(2, "big") + bytes(preview) if preview else b""
    frame = (
        b"\xff\xc2" + (17).to_bytes(2, "big") + b"\x08" + height.to_bytes(2, "big") + width.to_bytes(2, "big")
    )
    return data_url(b"\xff\xd8" + segment + frame + bytes(40), "jpeg")


def gif(width: int, height: int) -> str:
    return data_url(b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little") + bytes(20), "gif")


def webp(kind: bytes, body: bytes) -> str:
    return data_url(b"RIFF" + bytes(4) + b"WEBP" + kind + bytes(4) + body + bytes(20), "webp")


WEBP_LOSSY = webp(
    b"VP8 ", bytes(3) + b"\x9d\x01\x2a" + (640).to_bytes(2, "little") + (480).to_bytes(2, "little")
)


WEBP_LOSSLESS = webp(b"VP8L", b"\x2f" + (639 | 479 << 14).to_bytes(4, "little"))


WEBP_EXTENDED = webp(b"VP8X", bytes(4) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little"))


@pytest.mark.parametrize(
    ("url", "size"),
    [
        pytest.param(png(832, 1216), (832, 1216), id="PNG"),
        pytest.param(jpeg(640, 480), (640, 480), id="progressive JPEG"),
        pytest.param(jpeg(640, 480, preview=60_000), (640, 480), id="JPEG behind an embedded preview"),
        pytest.param(gif(320, 200), (320, 200), id="GIF"),
        pytest.param(WEBP_LOSSY, (640, 480), id="lossy WebP"),
        pytest.param(WEBP_LOSSLESS, (640, 480), id="lossless WebP"),
        pytest.param(WEBP_EXTENDED, (640, 480), id="extended WebP"),
        pytest.param("https://example.test/a.png", None, id="an address"),
        pytest.param("data:image/png;base64,????", None, id="no base64"),
        pytest.param("data:image/png;base64,é", None, id="no ASCII"),
        pytest.param(png(0, 0), None, id="no size"),
        pytest.param(data_url(b"\xff\xd8" + b"\xff" * 9_000, "jpeg"), None, id="a JPEG of markers only"),
        pytest.param(data_url(b"\x89PNG\r\n\x1a\n"), None, id="cut off"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_the_size_of_an_image_is_read_from_its_first_bytes(url: str, size: Any) -> None:
    assert image_size(url) == size


@pytest.mark.parametrize(
    ("width", "height", "tokens"),
    [
        (512, 512, 85 + 170),
        (1, 1, 85 + 170),
        (1_024, 1_024, 85 + 170 * 4),
        (2_048, 4_096, 85 + 170 * 6),
        (8_192, 1, 85 + 170 * 4),
    ],
)
def test_an_image_costs_by_its_tiles(width: int, height: int, tokens: int) -> None:
    assert image_tokens(png(width, height)) == tokens
