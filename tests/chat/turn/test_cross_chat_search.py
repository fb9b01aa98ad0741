from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.chat.turn.cross_chat_search import CrossChatSearch
from comfyui_assistant.engine.store.chat_outputs import ChatOutputs
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.run_history import RunHistory
from comfyui_assistant.engine.store.search import ThreadSearch
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.engine.user.memory_days import MemoryDays

from ...store.log_events import user


async def no_keys() -> list[Secret]:
    return []


async def test_a_chat_finds_the_others_and_the_memory_and_not_itself_once_it_may(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    threads, memory = ThreadStore(database), MemoryDays(tmp_path, no_keys)
    cross_chat_search = CrossChatSearch(
        threads, ThreadSearch(database), ChatOutputs(database), memory, RunHistory(database)
    )
    this, other = (await threads.create()).id, (await threads.create()).id
    await threads.append(this, [user("u1", "the fox from Tuesday")])
    await threads.append(other, [user("u2", "a red fox")])
    await threads.keep_workflow(other, "workflows/fox.json")
    await memory.add("- Asked: a grey fox")

    assert await cross_chat_search.search(this, "fox") is None
    await threads.let_search_all(this, is_let=True)
    chat, day = await cross_chat_search.search(this, "fox") or ()
    assert {name: chat[name] for name in ("who", "excerpt", "workflow")} == {
        "who": "user",
        "excerpt": "a red fox",
        "workflow": "workflows/fox.json",
    }
    assert day["lines"] == ["- Asked: a grey fox"]
    assert await cross_chat_search.search(other, "fox") is None
    database.close()


async def test_what_this_chat_said_itself_crowds_no_other_out(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    threads, memory = ThreadStore(database), MemoryDays(tmp_path, no_keys)
    cross_chat_search = CrossChatSearch(
        threads, ThreadSearch(database), ChatOutputs(database), memory, RunHistory(database)
    )
    this, other = (await threads.create()).id, (await threads.create()).id
    await threads.append(other, [user("u0", "a red fox")])
    await threads.append(this, [user(f"u{number}", f"fox {number}") for number in range(1, 40)])
    await threads.let_search_all(this, is_let=True)
    assert [hit["excerpt"] for hit in await cross_chat_search.search(this, "fox") or ()] == ["a red fox"]
    database.close()


async def test_a_day_is_read_whole_chat_by_chat(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    threads, memory = ThreadStore(database), MemoryDays(tmp_path, no_keys)
    cross_chat_search = CrossChatSearch(
        threads, ThreadSearch(database), ChatOutputs(database), memory, RunHistory(database)
    )
    this = (await threads.create()).id
    await threads.let_search_all(this, is_let=True)
    for animal in ("fox", "bear"):
        lines = "".join(f"- Asked: {animal} {number}\n" for number in range(9))
        await memory.add(f"## {animal}\n\n{lines}")
    (day,) = await memory.days()
    fox, bear = await cross_chat_search.search(this, f" {day.name} ") or ()
    assert fox["memory"] == day.name
    assert fox["text"].startswith("## fox\n\n- Asked: fox 0")
    assert bear["text"].endswith("- Asked: bear 8")
    assert await cross_chat_search.search(this, "1999-12-31") == []
    database.close()
