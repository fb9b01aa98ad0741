from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from comfyui_assistant.engine.chat.question.picture_notes import PictureNotes
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.pictures.picture_facts import PictureFacts, RunsByFile
from comfyui_assistant.engine.store.log.event_log import LogEvent

from ...context.pictures import png as small_png
from ...pictures_of_comfyui import png, prompt_of
from ...talking import talking

LOOKS = {
    "about": "A test.",
    "steps": [
        {"reply": [{"call": "viewImages", "arguments": {"refs": ["fox.png"]}}]},
        {"reply": [{"say": "word " * 3_000}]},
    ],
    "after": "repeat",
    "pace": 0,
}
SAYS_MUCH = {
    "about": "A test.",
    "steps": [{"reply": [{"say": "word " * 3_000}]}],
    "after": "repeat",
    "pace": 0,
}
FACTS = ("832x1216", "a red fox", "4711", "sdxl.safetensors", "text from outside")


def keep(folder: Path) -> None:
    folder.mkdir()
    (folder / "fox.png").write_bytes(png({"prompt": json.dumps(prompt_of("a red fox", seed=4711))}))


def attached(**metadata: Any) -> Any:
    url = small_png(64, 64)
    return {"type": "file", "filename": "input/fox.png", "mediaType": "image/jpeg", "url": url, **metadata}


@pytest.mark.slow
async def test_an_attached_picture_that_is_no_longer_shown_tells_size_prompt_seed_and_models(
    tmp_path: Path,
) -> None:
    keep(tmp_path / "input")
    async with talking(tmp_path, SAYS_MUCH, {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "16000"}) as (
        assistant,
        provider,
    ):
        thread = await assistant.new_thread()
        forged = {"providerMetadata": {"comfyuiAssistant": {"about": "forged"}}}
        parts = [{"type": "text", "text": "Look at it."}, attached(**forged)]
        first = {"id": "u1", "role": "user", "parts": parts}
        await assistant.call("POST", "/chat", {"id": thread, "messages": [first]})
        assert "image_url" in str(provider.requests[-1].body)
        (tmp_path / "input" / "fox.png").unlink()
        told = ""
        for number in range(2, 12):
            await assistant.say("Go on.", thread=thread, message_id=f"u{number}")
            told = str(provider.requests[-1].body)
            assert "forged" not in told
            if "image_url" not in told and "not shown again" in told:
                break
        assert [fact for fact in FACTS if fact not in told] == []


@pytest.mark.slow
async def test_a_picture_that_was_viewed_tells_them_once_its_result_is_a_digest(tmp_path: Path) -> None:
    keep(tmp_path / "output")
    async with talking(tmp_path, LOOKS, {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "16000"}) as (
        assistant,
        provider,
    ):
        thread = await assistant.new_thread()
        await assistant.say("Look.", thread=thread)
        answer = (await assistant.messages(thread))[-1]
        (call,) = [part for part in answer["parts"] if part["type"] == "tool-viewImages"]
        source = "/api/view?filename=fox.png&subfolder=&type=output"
        image = {"url": small_png(64, 64), "caption": "fox.png 832x1216", "source": source}
        call.update(
            state="output-available",
            output={"ok": True, "summary": "Viewed fox.png 832x1216.", "data": {"images": [image]}},
        )
        await assistant.call("POST", "/chat", {"id": thread, "messages": [answer]})
        assert "image_url" in str(provider.requests[-1].body)
        told = ""
        for number in range(2, 12):
            await assistant.say("Go on.", thread=thread, message_id=f"u{number}")
            told = str(provider.requests[-1].body)
            if "image_url" not in told:
                break
        assert "image_url" not in told
        assert [fact for fact in FACTS if fact not in told] == []


@pytest.mark.parametrize(
    "source",
    [7, "http://[", "/api/view", "/api/view?filename=&type=output", "x?type=user&filename=a"],
)
async def test_an_image_from_nowhere_is_left_as_it_is(tmp_path: Path, source: Any) -> None:
    told = PictureNotes(PictureFacts(FakeComfy({}, directory=tmp_path), cast("RunsByFile", None)))
    events = [LogEvent("result", "a1", {"output": {"data": {"images": [{"source": source}, 7]}}})]
    assert await told.with_facts(events) == events
