from __future__ import annotations

from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.learned_windows import LearnedWindows

LOCAL = ("http://127.0.0.1:8080/v1", "small")


async def test_only_a_smaller_window_replaces_what_was_learned(database: Database) -> None:
    windows = LearnedWindows(database)
    assert await windows.get(*LOCAL) is None
    await windows.learn(*LOCAL, 16_384, "an overflow error")
    assert (await windows.learn(*LOCAL, 32_768, "another")).window == 16_384
    await windows.learn(*LOCAL, 8_192, "a cut reply")
    learned = await windows.get(*LOCAL)
    assert learned is not None
    assert (learned.window, learned.source) == (8_192, "a cut reply")
    assert await windows.get(LOCAL[0], "other") is None


async def test_a_forgotten_window_is_learned_anew(database: Database) -> None:
    windows = LearnedWindows(database)
    await windows.learn(*LOCAL, 4_096, "an overflow error")
    await windows.forget(*LOCAL)
    assert await windows.get(*LOCAL) is None
    assert (await windows.learn(*LOCAL, 32_768, "an overflow error")).window == 32_768
