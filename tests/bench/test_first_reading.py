from __future__ import annotations

import pytest
from comfyui_assistant.engine.context.tokens import count_text

from bench.first_reading import Node, list_nodes, reading_room, shown_of

WHOLE = """\
3 KSampler "a <b c=d" bypassed model<4 "my input"<5.LATENT seed=7 text="a \\"b\\" c"
4 Loader file=x.safetensors(missing) strength=0.30000000000000004
5 MarkdownNote text="For people"
group "A": 3 4
subgraph S1 "Upscale" at 7 in(image) out(IMAGE<9)
4 Blur image<input
end"""


def test_a_listing_is_read_as_its_nodes_with_their_sources_and_values() -> None:
    assert list_nodes(WHOLE) == {
        ("", "3"): Node({"model": "4", '"my input"': "5"}, {"seed": "7", "text": '"a \\"b\\" c"'}),
        ("", "4"): Node({}, {"file": "x.safetensors(missing)", "strength": "0.30000000000000004"}),
        ("S1", "4"): Node({"image": "input"}),
    }


def test_a_value_may_hold_what_ends_a_line_elsewhere() -> None:
    assert list_nodes('3 Note2 text="first\u2028second\x85third"') == {
        ("", "3"): Node({}, {"text": '"first\u2028second\x85third"'})
    }


def test_a_node_that_is_told_as_a_copy_is_read_with_all_that_its_twin_has() -> None:
    copy = """\
# In S2, Blur =4 makes 8 a copy of S1's 4.
subgraph S2 "Upscale 2" at 8 in(image) out(IMAGE<9) like S1
8 Blur =4 radius=2
6 Sharpen =5 "other"
end"""
    first = WHOLE.replace(
        "4 Blur image<input", '4 Blur image<input radius=1 sigma=0.5\n5 Sharpen "one" image<4.IMAGE by=3'
    )

    found = list_nodes(f"{first}\n{copy}")

    assert found["S2", "8"] == Node({"image": "input"}, {"radius": "2", "sigma": "0.5"})
    assert found["S2", "6"] == Node({"image": "8"}, {"by": "3"})
    assert ("", "#") not in found


def test_a_copy_in_an_outline_is_linked_to_the_copies() -> None:
    block = '4 Loader\n3 KSampler "first" <4 6\n6 Encode <4\nend'
    copy = '14 Loader =4\n13 KSampler =3 "second"\n16 Encode =6 <13\nend'

    found = list_nodes(
        f'subgraph S1 "A" at 1 in() out()\n{block}\nsubgraph S2 "B" at 2 in() out() like S1\n{copy}'
    )

    assert found["S2", "13"].sources == {"14", "16"}
    assert found["S2", "16"].sources == {"13"}


@pytest.mark.parametrize(
    ("shown", "lacks"),
    [
        pytest.param(WHOLE, (0, 0, 0, 0), id="all"),
        pytest.param(
            WHOLE.replace("0.30000000000000004", "0.3"), (0, 0, 0, 0), id="a number, written shorter"
        ),
        pytest.param(WHOLE.replace('"a \\"b\\" c"', '"a \\""…+4'), (0, 0, 0, 1), id="a value cut"),
        pytest.param(
            '3 KSampler <4 5\n4 Loader\nsubgraph S1 "U"\n4 Blur <input\nend', (0, 0, 4, 0), id="an outline"
        ),
        pytest.param("3 KSampler <4", (2, 2, 4, 0), id="a beginning"),
        pytest.param(WHOLE.replace("seed=7", "seed=8"), (0, 0, 1, 0), id="another value"),
    ],
)
def test_what_a_listing_lacks_is_counted(shown: str, lacks: tuple[int, int, int, int]) -> None:
    found = shown_of(WHOLE, shown)
    assert (found.lacks_nodes, found.lacks_links, found.lacks_values, found.cut) == lacks


@pytest.mark.parametrize(("window", "tokens"), [(16_000, 2_700), (32_000, 11_000), (128_000, 30_000)])
def test_a_first_reading_has_room_for_a_whole_workflow(window: int, tokens: int) -> None:
    assert reading_room(window, count_text).tokens >= tokens
