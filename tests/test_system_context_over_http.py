"""The user's own files and rules in the system message, in small windows and large ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from comfyui_assistant.engine.context.budget import reply_reserve, working_set
from comfyui_assistant.engine.context.frame import SLIM_BELOW
from comfyui_assistant.engine.context.tokens import count_text

from .talking import system_of, talking

ROOT = Path(__file__).parent.parent
WINDOWS = ("8192", "12000", "16000", "32000", "64000", "128000")


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


@pytest.mark.slow
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
async def test_a_chat_begins_whatever_lies_in_the_system_context_where_its_form_has_room(
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
        if profile == "full" and int(window) < SLIM_BELOW:
            assert said.one("data-error")["data"]["code"] == "context_too_small"
            return
        assert said.text == "Hello there."
        assert int(window) < 16_000 or " full" in said.headers["X-Assistant-Context"]
        system = system_of(provider.requests[0])
        working = working_set(int(window), reply_reserve(int(window)))
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


@pytest.mark.slow
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
        assert "- Speak German.\n- Save every image." in system_of(provider.requests[-1])
        read = await assistant.call("GET", "/user-context/skills/rules")
        assert read.json["content"] == "- Speak German.\n- Save every image."
        gone = await assistant.call("DELETE", "/assistant/you/rules", {"text": "Speak German."})
        assert gone.status == 204
        await assistant.say("three", thread=thread, message_id="u3")
        assert "always follow it: Speak German." not in str(provider.requests[-1].messages[-1])
