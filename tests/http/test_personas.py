from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ..talking import talking

ADA = "---\nname: Ada\ndescription: Counts.\n---\nSpeak as Ada Lovelace. Count everything twice.\n"


def persona(folder: Path, slug: str, text: str) -> None:
    (folder / "personas" / slug).mkdir(parents=True)
    (folder / "personas" / slug / "SOUL.md").write_text(text, "utf-8")


def content(request: Any, place: int) -> str:
    return request.body["messages"][place]["content"]


@pytest.mark.slow
@pytest.mark.parametrize("window", ["8192", "14000", "32000"])
async def test_a_persona_that_is_switched_in_mid_thread_is_told_at_once_and_the_prefix_stays(
    tmp_path: Path, window: str
) -> None:
    persona(tmp_path, "ada", ADA)
    (tmp_path / "SOUL.md").write_text("Be brief.\n", "utf-8")
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_CONTEXT_WINDOW": window}) as (
        assistant,
        provider,
    ):
        thread = await assistant.new_thread()
        for number in range(2):
            await assistant.say("on", thread=thread, message_id=f"a{number}")
        route = f"/assistant/threads/{thread}/persona"
        chosen = await assistant.call("PUT", route, {"name": "ad"})
        assert (chosen.json["chosen"], chosen.json["persona"]["name"]) == ("ada", "Ada")
        for number in range(2):
            await assistant.say("on", thread=thread, message_id=f"b{number}")
        context = f"/assistant/threads/{thread}/context"
        assert (await assistant.call("POST", context, {"action": "clear"})).status == 200
        await assistant.say("on", thread=thread, message_id="c")
        requests = provider.requests
        before, told, after, renewed = requests[1], requests[2], requests[3], requests[4]
        whole = (
            "Persona from now on, in place of any before; speak and act like this:\nSpeak as Ada Lovelace."
        )
        assert content(before, 0) == content(told, 0) == content(after, 0)
        assert told.body["messages"][: len(before.body["messages"])] == before.body["messages"]
        assert whole in content(told, -1)
        assert whole not in content(after, -1)
        assert window == "8192" or "Persona: Speak as Ada Lovelace." in content(after, -1)
        assert "Speak as Ada Lovelace. Count everything twice." in content(renewed, 0)
        assert "Be brief." not in content(renewed, 0)
        assert whole not in content(renewed, -1)


@pytest.mark.slow
async def test_a_persona_is_kept_per_thread_and_taken_back(tmp_path: Path) -> None:
    persona(tmp_path, "ada", ADA)
    async with talking(tmp_path) as (assistant, provider):
        one, other = await assistant.new_thread(), await assistant.new_thread()
        route = f"/assistant/threads/{one}/persona"
        await assistant.call("PUT", route, {"name": "Ada"})
        await assistant.say("on", thread=one, message_id="a")
        await assistant.say("on", thread=other, message_id="b")
        assert (await assistant.call("PUT", route, {"name": ""})).json == {"chosen": "", "persona": None}
        for message in "cd":
            await assistant.say("on", thread=one, message_id=message)
    first, second, third, fourth = provider.requests
    assert "Count everything twice." in content(first, 0)
    assert "Ada" not in str(second.body["messages"])
    gone = "The user has taken the persona back"
    assert gone in content(third, -1)
    assert gone not in content(fourth, -1)
    async with talking(tmp_path) as (assistant, provider):
        await assistant.call("PUT", route, {"name": "Ada"})
    async with talking(tmp_path) as (assistant, provider):
        assert (await assistant.call("GET", route)).json["chosen"] == "ada"
        await assistant.say("on", thread=one, message_id="e")
    assert "Persona from now on" in content(provider.requests[-1], -1)


@pytest.mark.parametrize("window", ["14000", "32000"])
async def test_a_persona_that_replaces_the_base_prompt_stays_at_the_front(
    tmp_path: Path, window: str
) -> None:
    persona(tmp_path, "bare", "---\nreplace_base: true\n---\n# Bare\n\nYou only count.\n")
    (tmp_path / "rules.md").write_text("- Two steps.\n", "utf-8")
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_CONTEXT_WINDOW": window}) as (
        assistant,
        provider,
    ):
        thread = await assistant.new_thread()
        await assistant.call("PUT", f"/assistant/threads/{thread}/persona", {"name": "bare"})
        for number in range(3):
            await assistant.say("on", thread=thread, message_id=f"a{number}")
    for request in provider.requests:
        system = content(request, 0)
        assert system.startswith("# Bare\n\nYou only count.")
        assert system.count("You only count.") == 1
        assert "- Two steps." in system
        assert "live graph is the truth" not in system


async def test_one_whose_folder_is_gone_is_as_if_there_were_none(tmp_path: Path) -> None:
    persona(tmp_path, "ada", ADA)
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        route = f"/assistant/threads/{thread}/persona"
        await assistant.call("PUT", route, {"name": "ada"})
        (tmp_path / "personas" / "ada" / "SOUL.md").unlink()
        assert (await assistant.call("GET", route)).json == {"chosen": "ada", "persona": None}
        await assistant.say("on", thread=thread)
        listed = (await assistant.call("GET", "/assistant/personas")).json
        unknown = await assistant.call("PUT", route, {"name": "ada"})
    assert "Ada" not in str(provider.requests[-1].body["messages"])
    assert [each["path"] for each in listed["diagnostics"]] == ["personas/ada"]
    assert (unknown.status, unknown.error_code) == (404, "not_found")


async def test_a_persona_that_is_edited_is_told_anew_to_a_running_chat(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("Be brief.\n", "utf-8")
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("on", thread=thread, message_id="a")
        (tmp_path / "SOUL.md").write_text("Be long.\n", "utf-8")
        await assistant.say("on", thread=thread, message_id="b")
    assert "speak and act like this:\nBe long." in content(provider.requests[-1], -1)


async def test_a_persona_asks_for_its_model_in_its_own_thread(tmp_path: Path) -> None:
    persona(tmp_path, "ada", "---\nmodel: a-larger-one\n---\nCount.\n")
    async with talking(tmp_path) as (assistant, provider):
        one, other = await assistant.new_thread(), await assistant.new_thread()
        await assistant.call("PUT", f"/assistant/threads/{one}/persona", {"name": "ada"})
        await assistant.say("on", thread=one, message_id="a")
        await assistant.say("on", thread=other, message_id="b")
        context = (await assistant.call("GET", f"/assistant/threads/{one}/context")).json
    assert [request.body["model"] for request in provider.requests] == ["a-larger-one", "scripted"]
    assert context["model"] == "a-larger-one"


async def test_a_persona_is_made_edited_deleted_and_put_back(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        route = "/assistant/personas/strict-critic"
        text = "---\nname: Critic\ndescription: Finds flaws.\nmodel: big\nprovider: lan\n---\nBe strict."
        made = await assistant.call("PUT", route, {"text": text, "seen": ""})
        assert (made.status, made.json["text"]) == (200, text)
        (listed,) = (await assistant.call("GET", "/assistant/personas")).json["personas"]
        assert (listed["slug"], listed["model"], listed["provider"]) == ("strict-critic", "big", "lan")
        again = await assistant.call("PUT", route, {"text": "Another.", "seen": ""})
        assert (again.status, again.error_code) == (409, "changed_meanwhile")
        edited = text.replace("strict.", "kind.")
        assert (await assistant.call("PUT", route, {"text": edited, "seen": text})).json["text"] == edited
        deleted = await assistant.call("PUT", route, {"text": "", "seen": edited})
        assert deleted.json["text"] == ""
        assert (await assistant.call("GET", "/assistant/personas")).json == {
            "personas": [],
            "diagnostics": [],
        }
        assert (await assistant.call("GET", route)).error_code == "not_found"
        assert (await assistant.call("PUT", route, {"text": edited, "seen": ""})).json["text"] == edited


async def test_one_that_was_put_there_by_hand_is_edited_where_it_lies(tmp_path: Path) -> None:
    persona(tmp_path, "01_Ada", ADA)
    (tmp_path / "personas" / "01_Ada" / "notes.txt").write_text("Mine.", "utf-8")
    async with talking(tmp_path) as (assistant, _):
        text = (await assistant.call("GET", "/assistant/personas/ada")).json["text"]
        changed = await assistant.call("PUT", "/assistant/personas/ada", {"text": "Count.", "seen": text})
        assert changed.json["source"] == "01_Ada/SOUL.md"
        assert (tmp_path / "personas" / "01_Ada" / "SOUL.md").read_text("utf-8") == "Count.\n"
        await assistant.call("PUT", "/assistant/personas/ada", {"text": "", "seen": "Count."})
    assert [path.name for path in (tmp_path / "personas" / "01_Ada").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("slug", "body", "status", "code"),
    [
        ("Ada%20B", {"text": "Speak.", "seen": ""}, 400, "invalid_request"),
        ("..", {"text": "Speak.", "seen": ""}, 404, None),
        ("%2e%2e%2fx", {"text": "Speak.", "seen": ""}, 400, "invalid_request"),
        ("ada", {"text": "---\nname: [\n---\nSpeak.", "seen": ""}, 400, "invalid_request"),
        ("ada", {"text": "---\nname: Ada\n---\n", "seen": ""}, 400, "invalid_request"),
        ("ada", {"text": "x" * 70_000, "seen": ""}, 400, "too_large"),
        ("ada", {"text": "Speak."}, 400, "invalid_request"),
    ],
)
async def test_what_is_no_persona_is_not_written(
    tmp_path: Path, slug: str, body: Any, status: int, code: str | None
) -> None:
    async with talking(tmp_path) as (assistant, _):
        answer = await assistant.call("PUT", f"/assistant/personas/{slug}", body)
        assert answer.status == status
        assert code is None or answer.error_code == code
        assert not list(tmp_path.glob("personas/*"))
