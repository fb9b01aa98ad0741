from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any, cast

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.chat.incoming import incoming_messages
from comfyui_assistant.engine.chat.incoming.incoming_messages import OpenGraph, PictureNotes
from comfyui_assistant.engine.chat.incoming.request import ChatBody
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.pictures.picture_facts import PictureFacts, RunsByFile
from comfyui_assistant.engine.context.message_metadata import NO_METADATA, MessageMetadata
from comfyui_assistant.engine.store.log.event_log import LogEvent

from tests.chat.a_chat import Chat

from ...context.pictures import png as small_png
from ...pictures_of_comfyui import png, prompt_of
from ...small_windows.workflows import DEFAULT_NODES, ENVIRONMENT, posted
from ...talking import talking

SKY = {"name": "sky", "nodes": 3, "file": "workflows/sky.json"}
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


async def test_a_message_with_an_unknown_skill_is_not_written_down(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    with pytest.raises(RequestError, match="There is no skill"):
        await chat.say(thread_id, "u1", "/skill sea")
    assert await chat.threads.messages(thread_id) == []


async def test_a_message_keeps_the_line_of_what_was_open_with_it(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    body = {"id": thread_id, "workflow": {"name": "portrait", "nodes": 7, "lastRead": "landscape"}}
    message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "one"}]}
    async with chat.answers.answer(ChatBody.read({**body, "messages": [message]}).request()) as answer:
        assert [chunk["type"] async for chunk in answer.chunks][-1] == "finish"
    await chat.say(thread_id, "u2", "two")
    first, second = chat.model.requests
    assert 'Open workflow: "portrait", 7 nodes; you last read "landscape".' in first[-1]["content"]
    assert second[: len(first)] == first
    assert "Open workflow" not in second[-1]["content"]


async def test_a_message_keeps_what_went_out_with_it_and_only_what_there_was(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("hello", thread=thread, workflow=SKY)
        (message, _) = await assistant.messages(thread)
        assert message["metadata"].keys() == {"reminder"}
        assert 'Open workflow: "sky", 3 nodes.' in message["metadata"]["reminder"]
        assert message["metadata"]["reminder"] in str(provider.requests[-1].body["messages"][-1]["content"])


async def test_a_chat_with_project_files_is_told_how_to_cite(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir(parents=True)
    (tmp_path / "project" / "style.md").write_text("No neon.", "utf-8")
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        for number in (1, 2):
            await assistant.say("hello", thread=thread, message_id=f"u{number}")
        first, _, second, _ = await assistant.messages(thread)
        assert first["metadata"].keys() == {"reminder", "project"}
        assert second["metadata"].keys() == {"reminder"}
        assert "cite its number" in second["metadata"]["reminder"]


class Source:
    async def snapshot(self) -> Any:
        return ENVIRONMENT


async def test_a_workflow_is_read_once_however_often_it_is_asked_for_and_never_on_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads = []
    for name in ("read_workflow", "write_listing"):
        work = getattr(incoming_messages, name)

        def noted(*args: Any, work: Any = work, **options: Any) -> Any:
            threads.append((work.__name__, threading.current_thread()))
            return work(*args, **options)

        monkeypatch.setattr(incoming_messages, name, noted)
    graph = OpenGraph(posted(*DEFAULT_NODES), Source())  # type: ignore[arg-type]
    (workflow, _), (again, _), told = await asyncio.gather(
        graph.read(), graph.read(), graph.with_listing(NO_METADATA, 8_000)
    )
    assert workflow is again
    assert "steps = 20" in told.workflow
    assert [name for name, _ in threads] == ["read_workflow", "write_listing"]
    assert threading.current_thread() not in [thread for _, thread in threads]


@pytest.mark.parametrize("told", [None, {"name": "mine", "nodes": 7}, {"graph": 3}])
async def test_a_page_that_tells_no_graph_gives_no_listing(told: Any) -> None:
    graph = OpenGraph(told, Source())  # type: ignore[arg-type]
    kept = MessageMetadata(reminder="a")
    assert await graph.with_listing(kept, 8_000) == kept
    assert (await graph.read())[0] is None


async def test_a_message_keeps_what_its_list_calls_nodes_and_values() -> None:
    kept = MessageMetadata(reminder="a")
    told = await OpenGraph(posted(*DEFAULT_NODES), Source()).with_listing(kept, 8_000)  # type: ignore[arg-type]
    names = told.workflow_names
    assert names is not None
    assert (names["3"], names["3.steps"], names["7.text"]) == ("KSampler", "steps", "negative prompt")
    assert told.reminder == "a"


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
    assert await told.with_notes(events) == events
