from __future__ import annotations

import base64
import time
from typing import Any

import pytest
from comfyui_assistant.engine.context.images import UNKNOWN_IMAGE_TOKENS, image_size, image_tokens
from comfyui_assistant.engine.context.tokens import (
    count_message_tokens,
    count_messages_tokens,
    count_text,
    count_tools_tokens,
)
from hypothesis import given
from hypothesis import strategies as st


def data_url(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def png(width: int, height: int, body: int = 0) -> str:
    header = b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + b"IHDR"
    return data_url(header + width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes(9 + body))


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


def user(content: Any) -> Any:
    return {"role": "user", "content": content}


def test_the_bytes_of_an_image_are_not_counted_as_text() -> None:
    picture = {"type": "image_url", "image_url": {"url": png(512, 512, body=3_000_000)}}
    unknown = {"type": "image_url", "image_url": {"url": "https://example.test/a.png"}}
    sound = {"type": "input_audio", "input_audio": {"data": "A" * 3_000_000, "format": "wav"}}
    empty = count_message_tokens(user(""))
    assert count_message_tokens(user([picture])) - empty == 255
    assert count_message_tokens(user([unknown])) - empty == UNKNOWN_IMAGE_TOKENS
    assert 1_500 <= count_message_tokens(user([sound])) - empty <= 1_600


def call(call_id: str, name: str, arguments: str) -> Any:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize(
    "longer",
    [
        pytest.param([call("c1-and-much-more", "look", "{}")], id="the id"),
        pytest.param([call("c1", "look-and-much-more", "{}")], id="the name"),
        pytest.param([call("c1", "look", '{"and": "much more"}')], id="the arguments"),
        pytest.param([call("c1", "look", "{}"), call("c2", "look", "{}")], id="a second call"),
    ],
)
def test_everything_of_a_call_counts(longer: Any) -> None:
    def size(calls: Any) -> int:
        return count_message_tokens({"role": "assistant", "content": None, "tool_calls": calls})

    assert size(longer) > size([call("c1", "look", "{}")])


def test_a_tools_schema_and_a_results_id_count() -> None:
    tool = {"type": "function", "function": {"name": "look", "description": "Look around.", "parameters": {}}}
    assert count_tools_tokens([tool, tool]) == 2 * count_tools_tokens([tool]) > 2 * count_text("Look around.")
    result: Any = {"role": "tool", "tool_call_id": "call-of-this", "content": ""}
    assert count_message_tokens(result) - count_message_tokens(user("")) == count_text("call-of-this")


@given(
    st.one_of(
        st.text(),
        st.text(st.characters(categories=["Cs", "So", "Lo", "Cc"])),
        st.none(),
        st.lists(
            st.dictionaries(
                st.sampled_from(["type", "text", "image_url", "url", "data"]),
                st.one_of(
                    st.sampled_from(["text", "image_url", "file"]),
                    st.text(),
                    st.integers(),
                    st.dictionaries(st.just("url"), st.text() | st.just("data:image/png;base64,AAAA")),
                ),
            )
        ),
    )
)
def test_counting_takes_any_content(content: Any) -> None:
    size = count_message_tokens(user(content))
    assert size >= count_message_tokens(user(""))
    if isinstance(content, str):
        assert size - count_message_tokens(user("")) >= len(content) * 0.3


@pytest.mark.parametrize("text", ["\ud83d" * 3, "漢字" * 1_250_000, "😀" * 1_000_000, "a" * 5_000_000])
def test_millions_of_characters_are_counted_in_a_moment(text: str) -> None:
    began = time.perf_counter()
    assert count_text(text) >= len(text) * 0.3
    assert time.perf_counter() - began < 0.1


def turn(number: int, rounds: int, size: int = 20) -> list[Any]:
    made = [user(f"ask {number}")]
    for step in range(rounds):
        ids = [f"{number}-{step}-{side}" for side in "ab"]
        made.append(
            {"role": "assistant", "content": None, "tool_calls": [call(i, "look", "{}") for i in ids]}
        )
        made += [{"role": "tool", "tool_call_id": i, "content": "x" * size} for i in ids]
    return [*made, {"role": "assistant", "content": f"answer {number}"}]


def test_a_thousand_messages_are_counted_within_ten_milliseconds_once_their_texts_are_known() -> None:
    known: dict[str, int] = {}

    def remembered(text: str) -> int:
        if text not in known:
            known[text] = count_text(text)
        return known[text]

    messages = [message for number in range(150) for message in turn(number, rounds=2, size=1_000)][:1_000]
    count_messages_tokens(messages, remembered)
    took = []
    for _ in range(5):
        began = time.perf_counter()
        count_messages_tokens(messages, remembered)
        took.append(time.perf_counter() - began)
    assert min(took) < 0.010
