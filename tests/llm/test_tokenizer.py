from __future__ import annotations

import json
import os
import random
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.context.tokens import Calibration, count_messages_tokens, count_text
from comfyui_assistant.engine.llm.tokenizer import Tokenizer
from hypothesis import given
from hypothesis import strategies as st

from ..growth import takes_about_as_long

ROOT = Path(__file__).parents[2]
with_vocabulary = pytest.mark.skipif(
    not os.environ.get("TIKTOKEN_CACHE_DIR"), reason="TIKTOKEN_CACHE_DIR names no vocabulary"
)


@pytest.fixture
async def tokenizer() -> Tokenizer:
    loaded = Tokenizer()
    await loaded.load()
    assert loaded.name == "o200k_base"
    return loaded


async def test_without_a_vocabulary_the_estimate_stays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # What an earlier test has loaded stays in tiktoken's own memory.
    monkeypatch.setattr("tiktoken.registry.ENCODINGS", {})
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    tokenizer = Tokenizer()
    before = (tokenizer.count("hello there"), tokenizer.name)
    await tokenizer.load()
    assert (
        before == (tokenizer.count("hello there"), tokenizer.name) == (count_text("hello there"), "estimate")
    )


@with_vocabulary
async def test_with_it_the_tokens_are_exact_and_special_ones_are_text(tokenizer: Tokenizer) -> None:
    assert tokenizer.count("hello there") == 2
    assert tokenizer.count("<|endoftext|>") > 1


@with_vocabulary
@given(st.text() | st.text(st.characters(categories=["Cs", "So", "Lo"])))
async def test_any_text_is_counted(tokenizer: Tokenizer, text: str) -> None:
    assert 0 <= tokenizer.count(text) <= 4 * len(text)


TEXTS = {
    "prose": "The sampler removes noise step by step, guided by the prompt. ",
    "Chinese": "采样器在提示词的引导下逐步去除噪声。",
    "emoji": "Done 🎉 – the 🖼️ is ready 👩‍🎨! ",
    "one letter": "a",
    "spaces": " ",
    "digits": "1234567890",
}


@with_vocabulary
@pytest.mark.parametrize("kind", TEXTS)
async def test_a_text_of_millions_of_characters_is_sampled_about_as_fast_as_it_is_dumped(
    tokenizer: Tokenizer, kind: str
) -> None:
    text = TEXTS[kind] * (2_000_000 // len(TEXTS[kind]))
    not_counted_before = count()
    assert takes_about_as_long(
        lambda: tokenizer.count(f"{text}{next(not_counted_before)}"), lambda: json.dumps(text)
    )
    counted = tokenizer.count(text)
    part = text[: len(TEXTS[kind]) * 500]
    assert counted == pytest.approx(tokenizer.count(part) * len(text) / len(part), rel=0.1)


@with_vocabulary
async def test_a_text_that_changes_in_the_middle_is_sampled_in_each_part(tokenizer: Tokenizer) -> None:
    parts = [TEXTS["prose"] * 800, TEXTS["digits"] * 4_000, TEXTS["Chinese"] * 1_500]
    exact = sum(tokenizer.count(part[i : i + 10_000]) for part in parts for i in range(0, len(part), 10_000))
    assert tokenizer.count("".join(parts)) == pytest.approx(exact, rel=0.15)


@with_vocabulary
async def test_a_thousand_messages_are_counted_about_as_fast_as_they_are_dumped_once_known(
    tokenizer: Tokenizer,
) -> None:
    messages: list[Any] = [{"role": "user", "content": f"{n} {TEXTS['prose'] * 8}"} for n in range(1_000)]
    assert takes_about_as_long(
        lambda: count_messages_tokens(messages, tokenizer.count), lambda: json.dumps(messages)
    )


@pytest.mark.slow
@with_vocabulary
async def test_in_ten_thousand_requests_the_estimate_is_never_below_the_tokens_by_more_than_its_margin(
    tokenizer: Tokenizer,
) -> None:
    chance = random.Random(7)
    pieces = [(count_text(piece), tokenizer.count(piece)) for piece in corpus(chance)]
    margin = 1 + Calibration().margin
    worst = 0.0
    for _ in range(10_000):
        request = chance.sample(pieces, k=chance.randint(4, 20))
        estimated, true = (sum(sizes) for sizes in zip(*request, strict=True))
        worst = max(worst, true / (estimated * margin))
    assert worst <= 1.0


def corpus(chance: random.Random) -> list[str]:
    """Pieces of 200 to 2,000 characters of what a conversation holds: prose, code, JSON, languages, numbers.

    The words of the readers of plain orders are lists of cut stems in five languages, and the benchmarks are tables of
    nothing but numbers: no conversation holds either.
    """
    files = [
        *sorted(file for file in (ROOT / "docs").rglob("*.md") if file.name != "benchmarks.md"),
        *sorted(
            file for file in (ROOT / "engine").rglob("*.py") if ROOT / "engine" / "plain" not in file.parents
        ),
        *sorted((ROOT / "contract").glob("*.json")),
        *sorted((ROOT / "system_context").rglob("*.md")),
        *sorted((ROOT / "tests" / "fixtures").rglob("*.json")),
        *sorted((ROOT / "tests" / "fixtures" / "languages").glob("*.txt")),
    ]
    texts = [file.read_text("utf-8") for file in files]
    texts += [generated_graph(chance) for _ in range(20)]
    texts += [text * 30 for text in TEXTS.values()]
    pieces = []
    for text in texts:
        # Of its own, so that a change of one file does not cut all that come behind it anew.
        chance = random.Random(len(text))
        place = 0
        while place < len(text):
            size = chance.randint(200, 2_000)
            pieces.append(text[place : place + size])
            place += size
    return pieces


def generated_graph(chance: random.Random) -> str:
    """The compact JSON of a workflow with long seeds and fractional positions, the densest text of a thread."""
    nodes = [
        {
            "id": number,
            "type": chance.choice(["KSampler", "CLIPTextEncode", "VAEDecode", "LoraLoader"]),
            "pos": [chance.uniform(0, 4_000), chance.uniform(0, 4_000)],
            "widgets_values": [chance.getrandbits(50), "randomize", 20, 8.5, "euler", 0.75],
        }
        for number in range(30)
    ]
    links = [[n, n, 0, n + 1, chance.randint(0, 3), "LATENT"] for n in range(40)]
    return json.dumps({"nodes": nodes, "links": links}, separators=(",", ":"))
