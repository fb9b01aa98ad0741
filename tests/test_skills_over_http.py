"""Skills as a provider sees them: what a message uses stays, and what they allow holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from .talking import LOOK_AND_SAY, talking


def write_skill(data: Path, name: str, text: str, **front_matter: str) -> Path:
    path = data / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    values = {"name": name, "description": "A look.", **front_matter}
    lines = "\n".join(f"{key}: {value}" for key, value in values.items())
    path.write_text(f"---\n{lines}\n---\n{text}", "utf-8")
    return path


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


@pytest.mark.slow
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
