from __future__ import annotations

from pathlib import Path

from ..running_assistant import running_assistant
from ..talking import talking

YOU = "/assistant/you"


async def test_what_the_page_says_a_chat_is_told_is_what_the_provider_receives(tmp_path: Path) -> None:
    (tmp_path / "goals.md").write_text("# Goals\n\nA red sky. Much more.\n", "utf-8")
    (tmp_path / "rules.md").write_text(
        "\n".join(f"- Rule {number}: {'x' * 490}" for number in range(20)), "utf-8"
    )
    async with talking(tmp_path) as (assistant, provider):
        await assistant.call("POST", f"{YOU}/rules", {"text": "Name the seed."})
        await assistant.call("PATCH", f"{YOU}/rules", {"text": "Name the seed.", "repeats": True})
        told = (await assistant.call("GET", YOU)).json["told"]
        await assistant.say("one", thread=await assistant.new_thread())
        system, *_, newest = provider.requests[-1].body["messages"]
    assert (told["form"], told["window"]) == ("full", 32_000)
    assert system["content"].endswith(told["system"]["text"])
    for line in told["reminder"]["text"].splitlines():
        assert line in newest["content"]
    assert "Reminder of the user: Name the seed." in told["reminder"]["text"]
    assert told["leftOut"] == [{"source": "rules.md", "amount": 12, "unit": "rules"}]
    assert 0 < told["system"]["tokens"] < told["systemTokens"]


async def test_small_models_are_told_in_few_words_and_recited_only_reminders(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("Be brief. " * 200, "utf-8")
    async with talking(tmp_path, environ={"COMFYUI_ASSISTANT_CONTEXT_WINDOW": "4096"}) as (
        assistant,
        provider,
    ):
        await assistant.call("POST", f"{YOU}/rules", {"text": "Name the seed."})
        await assistant.call("PATCH", f"{YOU}/rules", {"text": "Name the seed.", "repeats": True})
        told = (await assistant.call("GET", YOU)).json["told"]
        await assistant.say("one", thread=await assistant.new_thread())
        system, *_, newest = provider.requests[-1].body["messages"]
    assert told["form"] == "slim"
    assert system["content"].endswith(told["system"]["text"])
    assert told["reminder"]["text"] == "<reminder>\nReminder of the user: Name the seed.\n</reminder>"
    assert told["reminder"]["text"].splitlines()[1] in newest["content"]
    assert {"source": "SOUL.md", "amount": 600, "unit": "tokens"} in told["leftOut"]


async def test_without_a_model_it_is_as_one_with_a_large_window_would_be_told(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        await assistant.call("POST", f"{YOU}/rules", {"text": "Speak German."})
        told = (await assistant.call("GET", YOU)).json["told"]
    assert (told["form"], told["window"], told["leftOut"]) == ("full", None, [])
    assert "- Speak German." in told["system"]["text"]
