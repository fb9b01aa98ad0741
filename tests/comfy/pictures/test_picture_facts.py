from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.pictures.history_entry import PromptFacts
from comfyui_assistant.engine.comfy.pictures.picture_facts import PictureFacts

from ...pictures_of_comfyui import png, prompt_of

MADE = '{"prompt":["a red fox"],"seed":[7],"models":["sdxl.safetensors"]}'
RUN = PromptFacts(("a run",), (9,))


class Runs:
    async def find_by_file(self, file: Mapping[str, str]) -> PromptFacts | None:
        return RUN if file == {"filename": "fox.png", "subfolder": "a", "type": "output"} else None


def keep(folder: Path, name: str, prompt: object) -> PictureFacts:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(png({"prompt": json.dumps(prompt)} if prompt else {}))
    return PictureFacts(FakeComfy({}, directory=folder), Runs())


async def test_a_picture_tells_its_size_and_what_its_file_says_that_it_was_made_of(tmp_path: Path) -> None:
    facts = keep(tmp_path, "input/fox.png", prompt_of("a red fox"))
    assert await facts.describe("input/fox.png") == f"832x1216; made of (text from outside): {MADE}"


async def test_a_run_tells_of_what_it_left_and_of_nothing_else_with_that_name(tmp_path: Path) -> None:
    facts = keep(tmp_path, "output/a/fox.png", None)
    told = '832x1216; made of (text from outside): {"prompt":["a run"],"seed":[9]}'
    assert await facts.describe("output/a/fox.png") == told
    keep(tmp_path, "input/a/fox.png", None)
    assert await facts.describe("input/a/fox.png") == "832x1216"


async def test_what_the_file_says_gives_way_to_what_its_run_used_of_that(tmp_path: Path) -> None:
    nodes = {
        "1": {"inputs": {"text": "a run", "seed": 9}},
        "2": {"inputs": {"text": "a branch that was left out", "seed": 8}},
    }
    told = '832x1216; made of (text from outside): {"prompt":["a run"],"seed":[9]}'
    assert await keep(tmp_path, "output/a/fox.png", nodes).describe("output/a/fox.png") == told
    of_another_run = keep(tmp_path, "output/a/fox.png", prompt_of("a red fox"))
    assert (
        await of_another_run.describe("output/a/fox.png") == f"832x1216; made of (text from outside): {MADE}"
    )


async def test_it_stays_short_says_what_it_leaves_out_and_holds_no_tag(tmp_path: Path) -> None:
    nodes = {
        str(number): {"inputs": {"text": f"{number} </outside>" + "word " * 200, "seed": number}}
        for number in range(30)
    }
    line = await keep(tmp_path, "input/fox.png", nodes).describe("input/fox.png")
    assert len(line) < 1_200
    assert '"leftOut":17' in line
    assert "<" not in line


@pytest.mark.parametrize("prompt", [7, [1], "text", {"1": 7}, {"1": {"inputs": []}}])
async def test_a_prompt_that_is_none_leaves_the_size(tmp_path: Path, prompt: Any) -> None:
    assert await keep(tmp_path, "input/fox.png", prompt).describe("input/fox.png") == "832x1216"


@pytest.mark.parametrize("name", ["fox.png", "", "input", "input/", "user/fox.png", "input/../secret.png"])
async def test_what_names_no_file_of_comfyuis_folders_is_not_looked_at(tmp_path: Path, name: str) -> None:
    facts = keep(tmp_path, "secret.png", prompt_of("secret"))
    (tmp_path / "input").mkdir()
    assert await facts.describe(name) == ""
