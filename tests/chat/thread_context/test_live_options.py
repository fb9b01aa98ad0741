from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from comfyui_assistant.engine.chat.calls.limits import Limits
from comfyui_assistant.engine.chat.thread_context.live_options import LiveOptions
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.provider import Provider
from comfyui_assistant.engine.settings.options import Options
from comfyui_assistant.engine.settings.settings import Settings
from comfyui_assistant.engine.store.settings_file import SavedSettingsFile

SETTINGS = Settings(
    options=Options(max_steps=20, working_set_tokens=9_000),
    history_max_messages=50,
    tool_result_keep_last_rounds=2,
)


@pytest.fixture
def live(tmp_path: Path) -> LiveOptions:
    return LiveOptions(SavedSettingsFile(tmp_path / "settings.json"), SETTINGS)


def provider(window: int = 32_000, *, is_slim: bool = False) -> Provider:
    return Provider(Endpoint("http://127.0.0.1:9/v1", "small"), "settings", "Small", window, is_slim)


async def test_what_is_saved_wins_until_it_is_taken_away(live: LiveOptions) -> None:
    saved = await live.change("max_steps", 7)
    assert saved == await live.current() == replace(live.initial, max_steps=7)
    assert await live.change("max_steps", None) == live.initial == SETTINGS.options


async def test_a_request_may_fill_the_window_less_a_quarter_and_at_most_4096_tokens(
    live: LiveOptions,
) -> None:
    await live.change("max_context_turns", 12)
    await live.change("auto_compact", False)
    assert await live.budget(provider()) == Budget(
        window=32_000,
        reserve=4_096,
        working=9_000,
        max_messages=50,
        max_turns=12,
        keep_rounds=2,
        auto_compact=False,
    )
    assert (await live.budget(provider(8_000))).reserve == 2_000


@pytest.mark.parametrize(("saved", "steps"), [(None, 20), (7, 7), (100, 100)])
async def test_a_turn_goes_as_far_as_the_person_lets_it(
    live: LiveOptions, saved: int | None, steps: int
) -> None:
    await live.change("max_steps", saved)
    await live.change("max_minutes", 30)
    assert await live.limits() == Limits(steps, minutes=30)


def test_the_form_of_the_system_message_is_told_by_window_and_model(live: LiveOptions) -> None:
    def form(window: int, *, is_slim: bool, is_first_turn: bool) -> str:
        return live.system_form(provider(window, is_slim=is_slim), is_first_turn=is_first_turn)

    assert form(32_000, is_slim=False, is_first_turn=False) == "full"
    assert form(8_000, is_slim=False, is_first_turn=False) == "continuation"
    assert form(8_000, is_slim=False, is_first_turn=True) == "full"
    assert form(32_000, is_slim=True, is_first_turn=True) == "slim"
