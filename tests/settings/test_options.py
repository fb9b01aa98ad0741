from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.chat.thread_context.live_options import LiveOptions
from comfyui_assistant.engine.http.guard import guard_handler
from comfyui_assistant.engine.http.options import OptionsHandlers
from comfyui_assistant.engine.settings.options import DECLARATIONS, Options, parse, read_options
from comfyui_assistant.engine.settings.settings import Settings
from comfyui_assistant.engine.store.settings_file import SavedSettingsFile


def test_every_setting_is_declared() -> None:
    assert list(DECLARATIONS) == [field.name for field in fields(Options)]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("working_set_tokens", "48000", ("working_set_tokens", 48_000)),
        ("working_set_tokens", "48,000", ("working_set_tokens", 48_000)),
        ("working_set_tokens", 48_000, ("working_set_tokens", 48_000)),
        ("MAX-STEPS", " 10 ", ("max_steps", 10)),
        ("auto_compact", "OFF", ("auto_compact", False)),
        ("background_summary", True, ("background_summary", True)),
        ("retention_days", 0, ("retention_days", 0)),
        ("max_steps", "default", ("max_steps", None)),
        ("max_steps", None, ("max_steps", None)),
    ],
)
def test_what_is_typed_is_read(name: Any, value: Any, expected: Any) -> None:
    assert parse(name, value) == expected


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        (
            "max_steps",
            "many",
            'Steps of a message cannot be "many"; expected a whole number from 1 to 200, or default.',
        ),
        ("max_steps", 0, "from 1 to 200"),
        ("max_steps", -3, "from 1 to 200"),
        ("max_steps", True, "a whole number"),
        ("max_steps", 2.5, "a whole number"),
        ("max_steps", "٣", "a whole number"),
        ("max_steps", "9" * 5_000, "a whole number"),
        ("working_set_tokens", 100, "from 4,000 to 2,000,000"),
        ("budget_day_cents", "0.5", 'Budget of a day cannot be "0.5"; expected a whole number of cents'),
        ("auto_compact", "maybe", "expected on, off or default"),
        ("auto_compact", [], "expected on, off or default"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_was_expected(name: str, value: Any, told: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse(name, value)
    assert told in caught.value.message
    assert caught.value.code == "invalid_request"
    assert len(caught.value.message) < 200


def test_an_unknown_name_is_answered_with_the_close_ones() -> None:
    with pytest.raises(RequestError) as caught:
        parse("max_step", 1)
    assert (caught.value.code, caught.value.status) == ("not_found", 404)
    assert "max-steps" in caught.value.hint


@pytest.mark.parametrize("declared", DECLARATIONS.values(), ids=DECLARATIONS)
def test_the_environment_gives_the_first_value_and_a_wrong_one_is_named(declared: Any) -> None:
    good = {"integer": "4000" if declared.maximum > 4_000 else "7", "boolean": "on"}[declared.kind]
    settings, problems = Settings.from_env({declared.environment: good})
    assert problems == []
    assert getattr(settings.options, declared.name) == (True if good == "on" else int(good))
    for wrong in ("-1", "a lot", "999999999"):
        settings, problems = Settings.from_env({declared.environment: wrong})
        assert settings.options == Options()
        assert f'{declared.environment} is "{wrong}"; expected' in problems[0].message


def test_what_was_saved_wins_over_the_environment_and_what_cannot_hold_is_named() -> None:
    saved, problems = read_options(
        {"max_steps": 3, "retention_days": "soon", "gone": 1, "auto_compact": False}
    )
    assert saved == {"max_steps": 3, "auto_compact": False}
    assert problems == [
        'Idle chats are kept cannot be "soon"; expected a whole number from 0 to 3,650, or default.',
        'There is no setting "gone".',
    ]
    assert Options(max_steps=9, retention_days=7).merge(saved) == Options(
        max_steps=3, retention_days=7, auto_compact=False
    )
    assert read_options(None) == read_options("text") == ({}, [])


async def test_a_setting_is_read_changed_kept_and_given_back_to_the_environment(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    settings = Settings(options=Options(max_steps=9))
    handlers = OptionsHandlers(LiveOptions(SavedSettingsFile(path), settings))
    app = web.Application()
    for route in handlers.routes():
        app.router.add_route(route.method, route.path, guard_handler(route.handler, allowed_hosts=()))
    async with TestServer(app) as server, ClientSession() as session:
        url = server.make_url("/assistant/options")

        async def put(name: str, value: Any) -> Any:
            async with session.put(url, json={"name": name, "value": value}) as response:
                return response.status, await response.json()

        async with session.get(url) as response:
            listed = (await response.json())["options"]
        assert [setting["name"] for setting in listed] == list(DECLARATIONS)
        assert listed[2] == {
            "name": "max_steps",
            "typed": "max-steps",
            "label": "Steps of a message",
            "value": 9,
            "default": 9,
            "kind": "integer",
            "unit": "step",
            "unset": "automatic",
            "min": 1,
            "max": 200,
            "description": DECLARATIONS["max_steps"].description,
        }
        status, setting = await put("max_steps", "3")
        assert (status, setting["name"], setting["value"], setting["default"]) == (200, "max_steps", 3, 9)
        status, failure = await put("max_steps", "many")
        assert (status, failure["error"]["code"]) == (400, "invalid_request")
        assert (await put("steps_of_max", 1))[0] == 404
        assert json.loads(path.read_text())["config"] == {"max_steps": 3}
        assert (await LiveOptions(SavedSettingsFile(path), Settings()).current()).max_steps == 3
        assert (await put("max_steps", None))[1]["value"] == 9
