from __future__ import annotations

from pathlib import Path

from ...talking import talking

SKY = {"name": "sky", "nodes": 3, "file": "workflows/sky.json"}


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
