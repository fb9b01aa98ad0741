from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..running_assistant import RunningAssistant
from ..talking import talking

YOU = "/assistant/you"


async def documents(assistant: RunningAssistant) -> dict[str, Any]:
    return {each["name"]: each for each in (await assistant.call("GET", YOU)).json["documents"]}


async def test_all_that_the_person_told_is_shown_with_where_it_comes_from(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("# Rules\n- Two steps.\n", "utf-8")
    (tmp_path / "reminders.md").write_text("- Mind the light.\n", "utf-8")
    (tmp_path / "goals.md").write_text("# Goals\n\nA red sky.\n", "utf-8")
    (tmp_path / "preferences.json").write_text('{"sampler": "euler"}', "utf-8")
    async with talking(tmp_path) as (assistant, _):
        await assistant.call("POST", f"{YOU}/rules", {"text": "Speak German."})
        await assistant.call("POST", f"{YOU}/rules", {"text": "Name the seed."})
        await assistant.call("PATCH", f"{YOU}/rules", {"text": "Name the seed.", "repeats": True})
        await assistant.call("POST", f"{YOU}/preferences", {"text": "size", "value": "1024"})
        you = (await assistant.call("GET", YOU)).json
    assert you["rules"] == [
        {"text": "Speak German.", "source": "remembered", "isOn": True},
        {"text": "Name the seed.", "source": "remembered", "isOn": True, "repeats": True},
        {"text": "Two steps.", "source": "file", "isOn": True},
        {"text": "Mind the light.", "source": "file", "isOn": True, "repeats": True},
    ]
    assert [(each["text"], each["value"], each["source"]) for each in you["preferences"]] == [
        ("size", "1024", "remembered"),
        ("sampler", "euler", "file"),
    ]
    goals, persona, base = you["documents"]
    assert goals == {
        "name": "goals",
        "text": "# Goals\n\nA red sky.",
        "source": f"{tmp_path.name}/goals.md",
        "isOwn": True,
        "isOn": True,
    }
    assert (persona["text"], persona["source"]) == ("", "")
    assert (base["source"], base["isOwn"]) == ("system_context/01_role.md", False)
    assert "live graph" in base["text"]


async def test_what_is_switched_off_or_edited_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("- Stay calm.\n", "utf-8")
    (tmp_path / "SOUL.md").write_text("Be brief.\n", "utf-8")
    (tmp_path / "goals.md").write_text("A red sky.\n", "utf-8")
    async with talking(tmp_path) as (assistant, provider):
        for rule in ("Two steps.", "Save all."):
            await assistant.call("POST", f"{YOU}/rules", {"text": rule})
        for path, body in (
            ("rules", {"text": "Two steps.", "isOn": False}),
            ("rules", {"text": "Save all.", "newText": "Save none."}),
            ("documents/persona", {"isOn": False}),
            ("documents/goals", {"text": "A blue sky.", "seen": "A red sky."}),
        ):
            assert (await assistant.call("PATCH", f"{YOU}/{path}", body)).status == 200
        await assistant.say("one", thread=await assistant.new_thread())
        sent = str(provider.requests[-1].body["messages"])
        read = await assistant.call("GET", "/user-context/skills/rules")
    assert "Save none." in sent
    assert "A blue sky." in sent
    assert read.json["content"] == "- Save none.\n- Stay calm."
    for gone in ("Two steps.", "Save all.", "Be brief.", "A red sky."):
        assert gone not in sent
    assert (tmp_path / "rules.md").read_text("utf-8") == "- Stay calm.\n"
    assert (tmp_path / "goals.md").read_text("utf-8") == "A blue sky.\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rules.md", "reminders.md", "preferences.json", "goals.md", "SOUL.md"])
@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (os.mkfifo, "It cannot be read (not a regular file)."),
        (Path.mkdir, "It cannot be read (Is a directory)."),
        (lambda path: path.symlink_to("none"), "It cannot be read (No such file or directory)."),
        (lambda path: path.symlink_to("/etc/hostname"), "It is a link to a place outside its folder."),
        (lambda path: path.write_bytes(b"x" * 70_000), "It has 70,000 bytes; 65,536 are read."),
    ],
)
async def test_what_is_wrong_with_a_file_is_shown_once_and_the_chat_goes_on(
    tmp_path: Path, name: str, make: Callable[[Path], Any], problem: str
) -> None:
    make(tmp_path / name)
    async with talking(tmp_path) as (assistant, _):
        you = (await assistant.call("GET", YOU)).json
        of_documents = [each["problem"] for each in you["documents"] if "problem" in each]
        told = [*of_documents, *(f"{each['problem']} {each['action']}" for each in you["diagnostics"])]
        said = await assistant.say("one", thread=await assistant.new_thread())
    assert [each for each in told if each.startswith(problem)] == told[:1]
    assert [each["path"].rsplit("/", 1)[-1] for each in you["diagnostics"]] in ([], [name], [name, name])
    assert said.status == 200
    assert "The file goes on" not in str([you[kind] for kind in ("rules", "preferences")])


async def test_what_lies_in_the_extensions_folder_is_named_before_a_new_copy_loses_it(tmp_path: Path) -> None:
    data, package = tmp_path / "user", tmp_path / "package"
    data.mkdir()
    (package / "user_context").mkdir(parents=True)
    for name in ("rules.md", "goals.md", "SOUL.md"):
        (package / "user_context" / name).write_text("- Two steps.\n", "utf-8")
    (data / "SOUL.md").write_text("Be brief.\n", "utf-8")
    async with talking(data, root=package) as (assistant, provider):
        diagnostics = (await assistant.call("GET", YOU)).json["diagnostics"]
        await assistant.say("one", thread=await assistant.new_thread())
        assert "- Two steps." in str(provider.requests[-1].messages[0])
    assert [each["path"] for each in diagnostics] == ["user_context/rules.md", "user_context/goals.md"]
    assert diagnostics[0]["problem"].startswith("It lies in the extension's own folder")


@pytest.mark.slow
async def test_the_base_prompt_is_edited_in_the_data_folder_and_reset(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        given = (await documents(assistant))["base"]["text"]
        route = f"{YOU}/documents/base"
        own = await assistant.call("PATCH", route, {"text": "# Role\n\nYou are Ada.", "seen": given})
        assert (own.json["text"], own.json["isOwn"]) == ("# Role\n\nYou are Ada.", True)
        await assistant.say("one", thread=await assistant.new_thread())
        await assistant.call("PATCH", route, {"text": "", "seen": own.json["text"]})
        assert (await documents(assistant))["base"] == {**own.json, "text": given, "isOwn": False}
        await assistant.say("two", thread=await assistant.new_thread(), message_id="u2")
        first, second = (request.body["messages"][0]["content"] for request in provider.requests)
    assert first.startswith("# Role\n\nYou are Ada.")
    assert "live graph is the truth" not in first
    assert second.startswith(given)
    assert not (tmp_path / "system_context" / "01_role.md").exists()


async def test_two_who_edit_one_text_lose_nothing(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("Be brief.\n", "utf-8")
    async with talking(tmp_path) as (one, _), talking(tmp_path) as (other, _):
        route = f"{YOU}/documents/persona"
        first = await one.call("PATCH", route, {"text": "Be kind.", "seen": "Be brief."})
        second = await other.call("PATCH", route, {"text": "Be rude.", "seen": "Be brief."})
        assert (first.status, second.status, second.error_code) == (200, 409, "changed_meanwhile")
        assert (await documents(other))["persona"]["text"] == "Be kind."


async def test_what_stands_in_a_file_is_changed_there_and_an_entry_of_the_same_text_goes_before_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "rules.md").write_text("- Two steps.\n- Two steps.\n", "utf-8")
    (tmp_path / "preferences.json").write_text('{"sampler": "euler"}', "utf-8")
    async with talking(tmp_path) as (assistant, _):
        for method, body in (
            ("PATCH", {"text": "Two steps.", "isOn": False}),
            ("DELETE", {"text": "Two steps."}),
        ):
            refused = await assistant.call(method, f"{YOU}/rules", body)
            assert (refused.status, refused.error_code) == (400, "invalid_request")
            assert "stands in rules.md" in refused.json["error"]["message"]
        same = await assistant.call("POST", f"{YOU}/rules", {"text": "Two  steps."})
        assert (same.status, same.json["source"]) == (201, "file")
        assert len((await assistant.call("GET", f"{YOU}/rules")).json["entries"]) == 1
        await assistant.call("POST", f"{YOU}/preferences", {"text": "sampler", "value": "dpmpp_2m"})
        (sampler,) = (await assistant.call("GET", f"{YOU}/preferences")).json["entries"]
        assert (sampler["value"], sampler["source"]) == ("dpmpp_2m", "remembered")
        await assistant.call("DELETE", f"{YOU}/preferences", {"text": "sampler"})
        (sampler,) = (await assistant.call("GET", f"{YOU}/preferences")).json["entries"]
        assert (sampler["value"], sampler["source"]) == ("euler", "file")


async def test_a_rule_that_is_repeated_stands_in_the_system_message_and_with_each_message(
    tmp_path: Path,
) -> None:
    (tmp_path / "reminders.md").write_text("- Mind the light.\n", "utf-8")
    async with talking(tmp_path) as (assistant, provider):
        await assistant.call("POST", f"{YOU}/rules", {"text": "Name the seed."})
        await assistant.call("PATCH", f"{YOU}/rules", {"text": "Name the seed.", "repeats": True})
        thread = await assistant.new_thread()
        for message_id in ("u1", "u2"):
            await assistant.say("go on", thread=thread, message_id=message_id)
            system, *_, newest = (message["content"] for message in provider.requests[-1].body["messages"])
            assert "- Name the seed." in system
            assert "Mind the light." not in system
            for rule in ("Name the seed.", "Mind the light."):
                assert f"Reminder of the user: {rule}" in newest
        refused = await assistant.call("PATCH", f"{YOU}/rules", {"text": "Mind the light.", "isOn": False})
        assert "stands in reminders.md" in refused.json["error"]["message"]
        await assistant.call("PATCH", f"{YOU}/rules", {"text": "Name the seed.", "repeats": False})
        await assistant.say("go on", thread=thread, message_id="u3")
        newest = provider.requests[-1].body["messages"][-1]["content"]
    assert "Name the seed." not in newest


async def test_a_preference_that_changed_is_told_to_a_running_chat(tmp_path: Path) -> None:
    (tmp_path / "preferences.json").write_text('{"steps": 20}', "utf-8")
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.call("POST", f"{YOU}/preferences", {"text": "sampler", "value": "euler"})
        await assistant.say("one", thread=thread)
        await assistant.call("POST", f"{YOU}/preferences", {"text": "steps", "value": "4"})
        await assistant.call("DELETE", f"{YOU}/preferences", {"text": "sampler"})
        await assistant.say("two", thread=thread, message_id="u2")
        newest = provider.requests[-1].body["messages"][-1]["content"]
    assert "Preference of the user since this chat began: steps: 4" in newest
    assert "No longer a preference of the user: sampler" in newest


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "rules", {"text": 7}, 400, "invalid_request"),
        ("POST", "wishes", {"text": "Sing."}, 404, "not_found"),
        ("POST", "reminders", {"text": "Sing."}, 404, "not_found"),
        ("POST", "documents", {"text": "goals"}, 404, "not_found"),
        ("PATCH", "rules", {"text": "Sing.", "isOn": False}, 404, "not_found"),
        ("PATCH", "rules", {"text": "Sing.", "isOn": "no"}, 400, "invalid_request"),
        ("PATCH", "documents/rules", {"text": "Sing."}, 404, "not_found"),
        ("PATCH", "documents/goals", {"text": "a" * 70_000, "seen": ""}, 400, "too_large"),
    ],
)
async def test_what_cannot_be_done_is_said(
    tmp_path: Path, method: str, path: str, body: Any, status: int, code: str
) -> None:
    async with talking(tmp_path) as (assistant, _):
        answer = await assistant.call(method, f"{YOU}/{path}", body)
        assert (answer.status, answer.error_code) == (status, code)


async def test_who_has_told_nothing_may_be_asked_until_they_want_it_no_more(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        assert (await assistant.call("GET", "/assistant/status")).json["firstRun"] is True
        assert (await assistant.call("DELETE", "/assistant/first-run")).status == 204
        assert "firstRun" not in (await assistant.call("GET", "/assistant/status")).json
    async with talking(tmp_path) as (assistant, _):
        assert "firstRun" not in (await assistant.call("GET", "/assistant/status")).json
    assert provider.requests == []


@pytest.mark.parametrize("name", ["rules.md", "SOUL.md", "goals.md"])
async def test_who_has_told_something_is_not_asked(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("- Be brief.\n", "utf-8")
    async with talking(tmp_path) as (assistant, _):
        assert "firstRun" not in (await assistant.call("GET", "/assistant/status")).json


@pytest.mark.slow
async def test_a_small_model_may_keep_what_is_meant_for_all_chats(tmp_path: Path) -> None:
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_PROFILE": "slim"}) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("Make it red. Always answer in German.", thread=thread, message_id="u1")
        tools = [tool["function"] for tool in provider.requests[-1].body["tools"]]
        (tool,) = [tool for tool in tools if tool["name"] == "rememberRule"]
        assert set(tool["parameters"]["properties"]) == {"rule", "forget"}
        await assistant.call("POST", f"{YOU}/rules", {"text": "Answer in German."})
        await assistant.say("Make it blue.", thread=thread, message_id="u2")
        told = str(provider.requests[-1].messages[-1])
        assert "always follow it: Answer in German." in told
        await assistant.say("hello", thread=await assistant.new_thread())
        assert "- Answer in German." in str(provider.requests[-1].messages[0])
