"""The context engine as the panel and a provider see it: what was sent, step by step."""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.context.budget import reserve_of, working_set
from comfyui_assistant.engine.context.reminder import CITATION
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.store.thread_log import LogEvent

from dev.scripted.provider import ScriptedProvider

from .talking import HELLO, talking

ROOT = Path(__file__).parent.parent
WINDOWS = ("8192", "12000", "16000", "32000", "64000", "128000")
LONG = "word " * 4_000
LOOK_AND_SAY = {
    "about": "A test.",
    "pace": 0,
    "after": "repeat",
    "steps": [
        {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}]},
        {"reply": [{"say": "It is there."}]},
    ],
}


def write_skill(data: Path, name: str, text: str, **front_matter: str) -> Path:
    path = data / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    values = {"name": name, "description": "A look.", **front_matter}
    lines = "\n".join(f"{key}: {value}" for key, value in values.items())
    path.write_text(f"---\n{lines}\n---\n{text}", "utf-8")
    return path


def system_of(request: Any) -> str:
    return request.body["messages"][0]["content"]


@pytest.mark.parametrize(
    ("mode", "window", "shares"),
    [
        pytest.param("full", "32000", [1, 1, 1, 1], id="full: the same message in every step"),
        pytest.param("continuation", "32000", [1, 1, 0, 0], id="continuation: whole in the first turn only"),
        pytest.param("auto", "32000", [1, 1, 1, 1], id="auto in a large window"),
        pytest.param("auto", "15000", [1, 1, 0, 0], id="auto in a small window"),
    ],
)
async def test_which_form_of_the_system_message_the_provider_receives(
    tmp_path: Path, mode: str, window: str, shares: list[int]
) -> None:
    environ = {"LLM_SYSTEM_MESSAGE_MODE": mode, "COMFYUI_ASSISTANT_CONTEXT_WINDOW": window}
    async with talking(tmp_path, LOOK_AND_SAY, environ) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("one", thread=thread)
        await assistant.say("two", thread=thread, message_id="u2")
        systems = [system_of(request) for request in provider.requests]
        assert len(systems) == 4
        full, other = systems[0], systems[-1]
        assert [1 if system == full else 0 for system in systems] == shares
        assert full == other or len(other) < len(full) / 2
        assert len({str(request.body["tools"]) for request in provider.requests}) == 1


async def test_each_request_is_the_one_before_with_something_added(tmp_path: Path) -> None:
    async with talking(tmp_path, LOOK_AND_SAY) as (assistant, provider):
        thread = await assistant.new_thread()
        for number in range(4):
            await assistant.say(f"message {number}", thread=thread, message_id=f"u{number}")
        sent = [request.body["messages"] for request in provider.requests]
        assert len(sent) == 8
        assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(sent))


async def test_a_pin_is_told_in_every_turn_from_the_next_message_on(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        pinned = await assistant.call(
            "POST", f"/assistant/threads/{thread}/pins", {"text": "Never touch node 7."}
        )
        assert pinned.status == 201
        await assistant.say("hi", thread=thread)
        assert (
            "Pinned by the user: Never touch node 7." in provider.requests[0].body["messages"][-1]["content"]
        )
        assert (
            await assistant.call("DELETE", f"/assistant/threads/{thread}/pins/{pinned.json['id']}")
        ).status == 204
        await assistant.say("and now", thread=thread, message_id="u2")
        assert "node 7" not in provider.requests[1].body["messages"][-1]["content"]
        assert "node 7" in provider.requests[1].body["messages"][1]["content"]


async def test_a_long_thread_is_condensed_with_a_divider_and_stays_so_after_a_restart(tmp_path: Path) -> None:
    async with ScriptedProvider(HELLO, pace=0) as provider:
        thread, dividers = await _fill_a_thread(tmp_path, provider)
        last = provider.requests[-1].body["messages"]
        async with talking(tmp_path, provider=provider) as (assistant, _):
            await assistant.say("and on", thread=thread, message_id="later")
            assert provider.requests[-1].body["messages"][: len(last)] == last
            compactions = (await assistant.call("GET", f"/assistant/threads/{thread}/context")).json[
                "compactions"
            ]
        assert [entry["id"] for entry in compactions] == [divider["id"] for divider in dividers]
        assert "Message 0." in compactions[0]["text"]


async def test_what_the_person_had_condensed_is_shown_once_in_the_next_answer(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        for number in range(3):
            await assistant.say(f"Message {number}. {LONG}", thread=thread, message_id=f"u{number}")
        acted = await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "compact"})
        [made] = acted.json["compactions"]
        after = await assistant.say("and now", thread=thread, message_id="after")
        assert after.one("data-compaction")["data"]["id"] == made["id"]
        later = await assistant.say("and later", thread=thread, message_id="later")
        assert not [chunk for chunk in later.chunks if chunk["type"] == "data-compaction"]


async def _fill_a_thread(data: Path, provider: ScriptedProvider) -> tuple[str, list[Any]]:
    async with talking(data, provider=provider) as (assistant, _):
        thread = await assistant.new_thread()
        dividers: list[Any] = []
        for number in range(9):
            answer = await assistant.say(f"Message {number}. {LONG}", thread=thread, message_id=f"u{number}")
            dividers += [chunk["data"] for chunk in answer.chunks if chunk["type"] == "data-compaction"]
        await assistant.say("Short.", thread=thread, message_id="short")
        assert dividers
        assert dividers[0]["tokensAfter"] < dividers[0]["tokensBefore"]
        parts = [part for message in await assistant.messages(thread) for part in message["parts"]]
        assert [part["data"] for part in parts if part["type"] == "data-compaction"] == dividers
        return thread, dividers


async def test_a_request_that_a_provider_finds_too_long_is_condensed_and_sent_again(tmp_path: Path) -> None:
    scenario = {**HELLO, "window": 9_000}
    async with talking(tmp_path, scenario) as (assistant, provider):
        thread = await assistant.new_thread()
        chunks: list[Any] = []
        for number in range(3):
            answer = await assistant.say(f"{number} {LONG}", thread=thread, message_id=f"u{number}")
            assert answer.text == "Hello there."
            chunks += answer.chunks
        assert any(chunk["type"] == "data-compaction" for chunk in chunks)
        assert [request.status for request in provider.requests].count(400) == 1
        assert len(provider.requests) == 4
        assert len(await assistant.messages(thread)) == 6


async def test_what_was_shortened_can_be_read_back_by_the_model(tmp_path: Path) -> None:
    scenario = {
        "about": "A test.",
        "pace": 0,
        "steps": [
            {"reply": [{"call": "readToolResult", "arguments": {"ref": "u1", "query": "needle"}}]},
            {"reply": [{"call": "searchHistory", "arguments": {"query": "needle 4711"}}]},
            {"reply": [{"say": "Found."}]},
        ],
    }
    async with talking(tmp_path, scenario) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say(f"{LONG * 5} needle 4711 {LONG * 5}", thread=thread)
        first, second = (request.body["messages"] for request in provider.requests[:2])
        assert "needle" not in str(first)
        assert "needle 4711" in second[-1]["content"]
        assert '"ref":"u1"' in provider.requests[2].body["messages"][-1]["content"]


async def test_a_delegated_task_works_in_a_context_of_its_own_and_only_its_outcome_comes_back(
    tmp_path: Path,
) -> None:
    scenario = {
        "about": "A test.",
        "pace": 0,
        "turns": [
            {
                "user": "Work on this task on your own",
                "steps": [
                    {"reply": [{"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}]},
                    {"reply": [{"call": "addNode", "arguments": {"type": "KSampler"}}]},
                    {"reply": [{"say": "KSampler wants a model."}]},
                ],
            },
            {
                "user": "compare",
                "steps": [
                    {
                        "reply": [
                            {"call": "delegate", "arguments": {"task": "Read KSampler", "inputs": ["u1"]}}
                        ]
                    },
                    {"reply": [{"say": "It wants a model."}]},
                ],
            },
        ],
    }
    async with talking(tmp_path, scenario) as (assistant, provider):
        thread = await assistant.new_thread()
        answer = await assistant.say("compare the samplers", thread=thread)
        assert answer.text == "It wants a model."
        first, *of_run, last = [request.body for request in provider.requests]
        assert len(of_run) == 3
        assert all(body["tools"] == first["tools"] for body in of_run)
        assert all(body["messages"][0] == first["messages"][0] for body in of_run)
        assert "compare the samplers" in of_run[0]["messages"][1]["content"]
        assert "There is no tool" in of_run[2]["messages"][-1]["content"]
        assert "KSampler wants a model." in last["messages"][-1]["content"]
        assert len(last["messages"]) == 4
        [task] = (await assistant.call("GET", f"/assistant/threads/{thread}/tasks")).json["tasks"]
        assert (task["status"], task["steps"], task["parentTaskId"]) == ("done", 3, None)
        assert task["messages"][0]["role"] == "user"


SUMMARY = "## Decisions\nSeed 4711, because it was liked.\n## Outcomes\nred_00001_.png\n## Open\nnothing"


@pytest.mark.parametrize(
    ("written", "is_used"),
    [
        pytest.param(SUMMARY, True, id="a sound one"),
        pytest.param("All is well, I think. " * 4, False, id="one without sections"),
    ],
)
async def test_the_models_own_summary_takes_effect_when_something_is_condensed_anyway(
    tmp_path: Path, written: str, is_used: bool
) -> None:
    scenario = {
        "about": "A test.",
        "pace": 0,
        "turns": [
            {"user": "Write a record of this conversation", "steps": [{"reply": [{"say": written}]}]},
            {"user": "", "steps": [{"reply": [{"say": "Hello there."}]}]},
        ],
    }
    async with talking(tmp_path, scenario, {"LLM_BACKGROUND_SUMMARY": "on"}) as (assistant, provider):
        thread = await assistant.new_thread()
        for number in range(8):
            await assistant.say(f"Message {number}. {LONG}", thread=thread, message_id=f"u{number}")
            background = assistant.assistant.background.tasks
            await asyncio.gather(*(task for task in background if task.get_name().endswith("summary")))
        asked = [
            request.body
            for request in provider.requests
            if "Write a record" in str(request.body["messages"][-1])
        ]
        assert asked
        assert asked[0]["tools"] == provider.requests[0].body["tools"]
        compactions = (await assistant.call("GET", f"/assistant/threads/{thread}/context")).json[
            "compactions"
        ]
        assert {entry["status"] for entry in compactions} == {"active"}
        assert any(entry["cause"] == "model" for entry in compactions) == is_used
        assert any("Seed 4711" in entry["text"] for entry in compactions) == is_used
        (day,) = (tmp_path / "memory").glob("*.md")
        remembered = day.read_text("utf-8")
        assert ("Seed 4711" in remembered) == is_used
        assert "- Asked: Message 0." in remembered


def document(name: str, contents: str) -> Any:
    data = base64.b64encode(contents.encode()).decode()
    return {
        "type": "file",
        "mediaType": "text/plain",
        "filename": name,
        "url": f"data:text/plain;base64,{data}",
    }


async def test_documents_are_sent_as_json_where_they_were_attached_and_cited_by_numbers_that_stay(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("Hello.", thread=thread)
        for number, name in ((2, "red.txt"), (4, "blue.txt")):
            parts = [{"type": "text", "text": f"Read {name}."}, document(name, f"It is {name}.")]
            message = {"id": f"u{number}", "role": "user", "parts": parts}
            await assistant.call("POST", "/chat", {"id": thread, "messages": [message]})
            await assistant.say("And now?", thread=thread, message_id=f"u{number + 1}")
        requests = [request.body["messages"] for request in provider.requests]
        assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(requests))
        asked = [message["content"] for message in requests[-1] if message["role"] == "user"]
        assert '"document":1,"title":"red.txt"' in asked[1][0]["text"]
        assert '"contents":"It is red.txt."' in asked[1][0]["text"]
        assert asked[1][1] == {"type": "text", "text": "Read red.txt."}
        assert '"document":2,"title":"blue.txt"' in asked[3][0]["text"]
        ends = [content if isinstance(content, str) else content[-1]["text"] for content in asked]
        assert [end.splitlines()[-2] == CITATION for end in ends] == [False, True, True, True, True]
        kept = await assistant.messages(thread)
        assert kept[2]["parts"][1]["providerMetadata"] == {"comfyuiAssistant": {"document": 1}}


async def test_documents_of_a_client_that_keeps_the_conversation_are_numbered_too(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        messages = [
            {"id": "u1", "role": "user", "parts": [document("red.txt", "A")]},
            {"id": "a1", "role": "assistant", "parts": [{"type": "text", "text": "Yes."}]},
            {"id": "u2", "role": "user", "parts": [document("blue.txt", "B")]},
        ]
        await assistant.call("POST", "/chat", {"messages": messages})
        sent = provider.requests[0].body["messages"]
        assert '"document":1,"title":"red.txt"' in sent[1]["content"][0]["text"]
        assert '"document":2,"title":"blue.txt"' in sent[3]["content"][0]["text"]


async def test_the_date_stands_in_the_reminder_of_each_message_and_nowhere_else(tmp_path: Path) -> None:
    year = time.strftime("%Y")
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        for number in range(2):
            await assistant.say("What day is it?", thread=thread, message_id=f"u{number}")
        system, *others = provider.requests[-1].body["messages"]
        assert f" {year}, " not in system["content"] + str(provider.requests[-1].body["tools"])
        asked = [message["content"] for message in others if message["role"] == "user"]
        assert all(content.splitlines()[-2].startswith("Date: ") for content in asked)
        assert all(year in content.splitlines()[-2] for content in asked)
        assert len(asked) == 2


async def test_images_of_results_reach_an_endpoint_that_takes_no_user_message_behind_results(
    tmp_path: Path,
) -> None:
    scenario = {
        "about": "A test.",
        "pace": 0,
        "rules": ["mistral"],
        "steps": [
            {"reply": [{"call": "viewImages", "arguments": {"refs": ["a"]}, "id": "abcdefghi"}]},
            {"when": {"results": ["viewImages"], "ok": True}, "reply": [{"say": "It is red."}]},
        ],
    }
    image = {"url": "data:image/png;base64,AAAA", "caption": "red.png 64x64"}
    output = {"ok": True, "summary": "One image.", "data": {"images": [image]}}
    async with talking(tmp_path, scenario) as (assistant, provider):
        thread = await assistant.new_thread()
        asked = await assistant.say("Look.", thread=thread)
        call = asked.one("tool-input-available")["toolCallId"]
        part = {"type": "tool-viewImages", "toolCallId": call, "state": "output-available", "output": output}
        message = {"id": asked.one("start")["messageId"], "role": "assistant", "parts": [part]}
        seen = await assistant.call("POST", "/chat", {"id": thread, "messages": [message]})
        assert seen.text == "It is red."
        result, bridge, images = provider.requests[-1].body["messages"][-3:]
        assert [result["role"], bridge["role"], images["role"]] == ["tool", "assistant", "user"]
        assert "tool_calls" not in bridge
        assert {"type": "image_url", "image_url": {"url": image["url"]}} in images["content"]


@pytest.mark.parametrize("data", [{}, {"data": 5}, {"data": {}}, {"data": {"id": []}}])
@pytest.mark.parametrize("role", ["user", "assistant"])
async def test_a_divider_without_its_data_is_no_hindrance(
    tmp_path: Path, role: Any, data: dict[str, Any]
) -> None:
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        parts = [{"type": "text", "text": "hi"}, {"type": "data-compaction", **data}]
        if role == "user":
            posted = {"id": thread, "messages": [{"id": "u1", "role": "user", "parts": parts}]}
            assert (await assistant.call("POST", "/chat", posted)).text == "Hello there."
        else:
            await assistant.assistant.threads.append(thread, [LogEvent("step", "a1", {"parts": parts})])
        assert (await assistant.say("and?", thread=thread, message_id="u2")).text == "Hello there."
        assert (await assistant.call("GET", f"/assistant/threads/{thread}/context")).status == 200


@pytest.mark.parametrize("change", ["edited", "deleted"])
async def test_what_a_skill_said_stays_in_its_message_whatever_becomes_of_the_skill(
    tmp_path: Path, change: str
) -> None:
    skill = write_skill(tmp_path, "neon-look", "Use magenta.")
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("/skill neon-look a street", thread=thread)
        if change == "edited":
            write_skill(tmp_path, "neon-look", "Use CYAN.")
        else:
            skill.unlink()
            skill.parent.rmdir()
        await assistant.say("and a bridge", thread=thread, message_id="u2")
        first, second = (request.body["messages"] for request in provider.requests)
        assert "Use magenta." in first[-1]["content"]
        assert second[: len(first)] == first


async def test_a_skill_that_is_used_again_is_read_again(tmp_path: Path) -> None:
    write_skill(tmp_path, "neon-look", "Use magenta.")
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("/skill neon-look a street", thread=thread)
        write_skill(tmp_path, "neon-look", "Use CYAN.")
        await assistant.say("/skill neon-look a bridge", thread=thread, message_id="u2")
        _, first, _, second = provider.requests[-1].body["messages"]
        assert "Use magenta." in first["content"]
        assert "Use CYAN." in second["content"]


async def test_a_skill_of_a_turn_that_was_condensed_is_named_and_read_back_by_its_handle(
    tmp_path: Path,
) -> None:
    write_skill(tmp_path, "neon-look", "Use magenta. " * 300)
    async with talking(tmp_path, LOOK_AND_SAY) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("/skill neon-look a street", thread=thread)
        await assistant.say("and a bridge", thread=thread, message_id="u2")
        await assistant.call("POST", f"/assistant/threads/{thread}/context", {"action": "compact"})
        await assistant.say("go on", thread=thread, message_id="u3")
        sent = str(provider.requests[-1].body["messages"][1:])
        assert "neon-look" in sent
        assert "Use magenta." not in sent
        read = await assistant.call("GET", f"/assistant/threads/{thread}/handles/u1")
        assert read.json["text"].count("Use magenta.") == 300


def house_rules(root: Path, *, files: int, size: int) -> Path:
    """An extension's folder whose system context somebody has put so many skills of such a size into."""
    shutil.copytree(ROOT / "system_context", root / "system_context")
    for number in range(files):
        folder = root / "system_context" / "skills" / f"50_house_{number:03}"
        folder.mkdir()
        text = f"House rule {number}. " + "Mind the light and the frame. " * (size // 30)
        front_matter = f"name: house-{number}\ndescription: House rule {number}."
        (folder / "SKILL.md").write_text(f"---\n{front_matter}\n---\n{text}", "utf-8")
    return root


@pytest.mark.parametrize(
    ("window", "files", "size"),
    [
        pytest.param("8192", 20, 50_000, id="1 MB at 8k"),
        pytest.param("16000", 8, 20_000, id="8 skills of 20 kB at 16k"),
        *(pytest.param(window, 500, 2_000, id=f"500 skills at {window}") for window in WINDOWS),
        pytest.param("128000", 8, 20_000, id="8 skills of 20 kB at 128k"),
    ],
)
@pytest.mark.parametrize("profile", ["auto", "full"])
async def test_a_chat_begins_whatever_lies_in_the_system_context(
    tmp_path: Path, window: str, files: int, size: int, profile: str
) -> None:
    root = house_rules(tmp_path / "root", files=files, size=size)
    (tmp_path / "rules.md").write_text(
        "\n".join(f"- Rule {n}: never touch my seeds." for n in range(40)), "utf-8"
    )
    environ = {"COMFYUI_ASSISTANT_CONTEXT_WINDOW": window, "COMFYUI_ASSISTANT_PROFILE": profile}
    async with talking(tmp_path, environ=environ, root=root) as (assistant, provider):
        thread = await assistant.new_thread()
        said = await assistant.say("hi", thread=thread)
        assert said.text == "Hello there."
        assert int(window) < 16_000 or " full" in said.headers["X-Assistant-Context"]
        system = system_of(provider.requests[0])
        working = working_set(int(window), reserve_of(int(window)))
        assert count_text(system) <= working // 3 + 2_500
        left_out = said.headers["X-Assistant-Context"].partition("; left-out=")[2].split(",")
        assert left_out[0].startswith("system_context/skills/")
        assert files < 12 or left_out[12].startswith("+")


@pytest.mark.parametrize("window", ["8192", "32000"])
async def test_a_chat_begins_whatever_stands_in_reminders_md(tmp_path: Path, window: str) -> None:
    lines = [f"- Reminder {number}: {'mind the light ' * 5}" for number in range(600)]
    (tmp_path / "reminders.md").write_text("\n".join(lines), "utf-8")
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_CONTEXT_WINDOW": window}) as (
        assistant,
        provider,
    ):
        said = await assistant.say("hi", thread=await assistant.new_thread())
        assert said.text == "Hello there."
        assert said.headers["X-Assistant-Context"].endswith("reminders.md")
        sent = str(provider.requests[0].messages[-1])
        assert "Reminder of the user: Reminder 0: mind" in sent
        assert "594 more reminders of the user, too long to be told" in sent
        read = await assistant.call("GET", "/user-context/skills/reminders")
        assert "Reminder 599:" in read.json["content"]
        told = (await assistant.call("GET", "/assistant/you")).json["told"]
        assert told["leftOut"][-1] == {"source": "reminders.md", "amount": 594, "unit": "reminders"}


async def test_preferences_that_have_no_room_can_be_read(tmp_path: Path) -> None:
    preferences = {f"name {number:02}": "value " * 10 for number in range(90)}
    (tmp_path / "preferences.json").write_text(json.dumps(preferences), "utf-8")
    async with talking(tmp_path) as (assistant, provider):
        await assistant.say("hi", thread=await assistant.new_thread())
        assert 'more preferences omitted, read them with getUserSkill "preferences"' in system_of(
            provider.requests[0]
        )
        read = await assistant.call("GET", "/user-context/skills/preferences")
        assert "- name 89: value" in read.json["content"]


async def test_what_the_system_message_leaves_out_is_told_with_its_file(tmp_path: Path) -> None:
    root = house_rules(tmp_path / "root", files=3, size=20_000)
    (tmp_path / "rules.md").write_text("\n".join(f"- Rule {n}: {'x' * 480}" for n in range(40)), "utf-8")
    async with talking(tmp_path, root=root) as (assistant, provider):
        thread = await assistant.new_thread()
        said = await assistant.call(
            "POST",
            "/chat?debug=context",
            {
                "id": thread,
                "messages": [{"id": "u1", "role": "user", "parts": [{"type": "text", "text": "hi"}]}],
            },
        )
        sources = [f"system_context/skills/50_house_00{number}/SKILL.md" for number in (1, 2)]
        assert said.headers["X-Assistant-Context"].endswith(
            f" full; left-out={','.join([*sources, 'rules.md'])}"
        )
        told = said.one("data-context")["data"]["leftOut"]
        assert [entry["source"] for entry in told] == [*sources, "rules.md"]
        assert [entry["unit"] for entry in told] == ["tokens", "tokens", "rules"]
        assert told[0]["amount"] > 5_000
        assert told[-1]["amount"] > 28
        system = system_of(provider.requests[0])
        assert "House rule 0. Mind" in system
        assert "- house-001: House rule 1." in system
        assert "House rule 1. Mind" not in system
    async with talking(tmp_path, root=root) as (assistant, _):
        report = await assistant.call("GET", f"/assistant/threads/{thread}/context")
        assert report.json["leftOut"] == told


async def test_where_nobody_tells_the_window_the_system_context_has_12000_characters(tmp_path: Path) -> None:
    root = house_rules(tmp_path / "root", files=9, size=3_000)
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_CONTEXT_WINDOW": ""}, root=root) as (
        assistant,
        provider,
    ):
        await assistant.say("hi", thread=await assistant.new_thread())
        system = system_of(provider.requests[0])
        assert "House rule 0. Mind" in system
        assert system.index("# Skills") <= 12_002


@pytest.mark.parametrize(
    ("profile", "told"),
    [("full", "read by getUserSkill with the path as slug"), ("slim", "which you cannot read")],
)
async def test_a_skill_that_a_message_uses_tells_its_files(tmp_path: Path, profile: str, told: str) -> None:
    home = tmp_path / "skills" / "neon-look"
    (home / "references").mkdir(parents=True)
    (home / "SKILL.md").write_text("---\nname: Neon\ndescription: d\n---\nSee references.", "utf-8")
    (home / "references" / "colors.md").write_text("Magenta.", "utf-8")
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_PROFILE": profile}) as (assistant, provider):
        await assistant.say("/skill neon make it glow", thread=await assistant.new_thread())
        sent = str(provider.requests[0].messages[-1])
        assert f"Files of this skill, {told}: neon-look/references/colors.md." in sent
        assert sent.count("getUserSkill") == (profile == "full")


async def test_a_skill_that_allows_only_some_tools_has_others_refused(tmp_path: Path) -> None:
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "look.md").write_text(
        "---\nname: Look\ndescription: d\nallowed-tools: getWorkflowInfo Bash(ls:*)\n---\nLook first.",
        "utf-8",
    )
    calls = {
        "about": "A test.",
        "steps": [
            {"reply": [{"call": "searchHistory", "arguments": {"query": "a"}}]},
            {"reply": [{"say": "Well."}]},
        ],
        "after": "repeat",
        "pace": 0,
    }
    async with talking(tmp_path, calls) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("/skill look what is this?", thread=thread)
        first, second = provider.requests[:2]
        assert "Call no tools for it but getWorkflowInfo." in str(first.messages[-1])
        assert 'the skill \\"look\\" does not allow searchHistory' in second.messages[-1]["content"]
        assert first.body["tools"] == second.body["tools"]


@pytest.mark.parametrize("window", ["8192", "32000"])
async def test_a_rule_that_is_written_while_a_chat_runs_holds_from_its_next_message_on(
    tmp_path: Path, window: str
) -> None:
    rules = tmp_path / "rules.md"
    rules.write_text("- Save every image.\n", "utf-8")
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_CONTEXT_WINDOW": window}) as (
        assistant,
        provider,
    ):
        thread = await assistant.new_thread()
        await assistant.say("one", thread=thread)
        await assistant.say("two", thread=thread, message_id="u2")
        rules.write_text("- Speak German.\n", "utf-8")
        for number in (3, 4):
            await assistant.say("on", thread=thread, message_id=f"u{number}")
        sent = [request.body["messages"] for request in provider.requests]
        assert len({system_of(request) for request in provider.requests[1:]}) == 1
        assert all("since this chat began" not in str(messages) for messages in sent[:2])
        for messages in sent[2:]:
            assert (
                "Rule of the user since this chat began, always follow it: Speak German."
                in messages[-1]["content"]
            )
            assert "No longer a rule of the user: Save every image." in messages[-1]["content"]
        await assistant.say("one", thread=await assistant.new_thread(), message_id="other")
        assert "Speak German." in system_of(provider.requests[-1])
        assert "since this chat began" not in str(provider.requests[-1].body["messages"])


async def test_a_rule_that_is_remembered_holds_in_this_chat_at_once_and_in_every_later_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "rules.md").write_text("- Save every image.\n", "utf-8")
    async with talking(tmp_path) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("one", thread=thread)
        kept = await assistant.call("POST", "/assistant/you/rules", {"text": "Speak German."})
        assert kept.status == 201
    async with talking(tmp_path) as (assistant, provider):
        await assistant.say("two", thread=thread, message_id="u2")
        assert "always follow it: Speak German." in str(provider.requests[-1].messages[-1])
        await assistant.say("one", thread=await assistant.new_thread(), message_id="v1")
        assert "- Save every image.\n- Speak German." in system_of(provider.requests[-1])
        read = await assistant.call("GET", "/user-context/skills/rules")
        assert read.json["content"] == "- Save every image.\n- Speak German."
        gone = await assistant.call("DELETE", "/assistant/you/rules", {"text": "Save every image."})
        assert gone.status == 204
        await assistant.say("three", thread=thread, message_id="u3")
        assert "No longer a rule of the user: Save every image." in str(provider.requests[-1].messages[-1])
