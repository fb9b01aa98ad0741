"""Which providers there are, and which one holds where nobody chooses."""

from __future__ import annotations

import dataclasses

import pytest
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.llm.known.probe import LocalServer
from comfyui_assistant.engine.llm.provider_choices import default_of, provider_choices
from comfyui_assistant.engine.settings.settings import Settings
from comfyui_assistant.engine.store.saved_settings import ENVIRONMENT_PROVIDER, SavedProvider, SavedSettings

HERE = "http://127.0.0.1:11434/v1"
CLOUD = "https://api.example/v1"
FOUND = LocalServer("ollama", "Ollama", HERE, ("qwen3:8b", "llama3"))
ENVIRONMENT = Settings(base_url=CLOUD, api_key=Secret("env-key"), model="m", provider_source="environment")
SAVED = (
    SavedSettings((SavedProvider("p1", HERE, "saved"),))
    .with_key(HERE, Secret("local-key"))
    .with_key(CLOUD, Secret("cloud-key"))
)


@pytest.mark.parametrize(
    ("settings", "saved_settings", "discovered", "expected"),
    [
        pytest.param(Settings(), SavedSettings(), None, ("", "none", "", "", "none"), id="nothing"),
        pytest.param(
            Settings(),
            SavedSettings(),
            FOUND,
            (HERE, "discovered", "qwen3:8b", "", "none"),
            id="found on this machine",
        ),
        pytest.param(
            Settings(),
            SAVED,
            FOUND,
            (HERE, "settings", "saved", "local-key", "settings"),
            id="saved in the panel",
        ),
        pytest.param(
            ENVIRONMENT,
            SAVED,
            FOUND,
            (CLOUD, "environment", "m", "env-key", "environment"),
            id="the environment",
        ),
        pytest.param(
            dataclasses.replace(ENVIRONMENT, api_key=Secret(""), model=""),
            SAVED,
            None,
            (CLOUD, "environment", "", "cloud-key", "settings"),
            id="the saved model of another address does not count",
        ),
    ],
)
def test_what_is_configured_is_chosen(settings, saved_settings, discovered, expected) -> None:
    choice = default_of(provider_choices(settings, saved_settings, discovered), saved_settings)
    chosen = (choice.base_url, choice.base_url_source, choice.model, choice.key.reveal(), choice.key_source)
    assert chosen == expected


def test_a_key_is_only_for_the_place_it_was_entered_for() -> None:
    assert SAVED.key_for("http://127.0.0.1:11434/api/v2").reveal() == "local-key"
    assert not SAVED.key_for("http://127.0.0.1:1234/v1")
    assert not SAVED.key_for("https://127.0.0.1:11434/v1")


def test_all_that_are_known_are_listed_and_the_chosen_one_is_the_default() -> None:
    saved = SAVED.with_provider(SavedProvider("p2", CLOUD, "large"))
    choices = provider_choices(ENVIRONMENT, saved, FOUND)
    assert [(choice.id, choice.model) for choice in choices] == [
        (ENVIRONMENT_PROVIDER, "m"),
        ("p1", "saved"),
        ("p2", "large"),
    ]
    assert default_of(choices, saved).id == ENVIRONMENT_PROVIDER
    assert default_of(choices, saved.with_default_provider("p2")).id == "p2"
    assert default_of(choices, saved.with_default_provider("gone")).id == ENVIRONMENT_PROVIDER


def test_what_was_entered_for_the_environments_address_is_not_for_the_next_one() -> None:
    saved = SavedSettings((SavedProvider(ENVIRONMENT_PROVIDER, CLOUD, window=9_000),))
    assert provider_choices(ENVIRONMENT, saved)[0].own.window == 9_000
    moved = dataclasses.replace(ENVIRONMENT, base_url=HERE)
    assert [(each.base_url, each.own.window) for each in provider_choices(moved, saved)] == [(HERE, None)]


def test_what_was_entered_of_a_model_is_said_of_no_other() -> None:
    own = SavedProvider("p", HERE, "small", "Mine", window=9_000)
    (choice,) = provider_choices(Settings(), SavedSettings((own,)))
    assert choice.own_of("small") == own
    assert choice.own_of("large") == SavedProvider("p")
