from __future__ import annotations

import dataclasses

import pytest
from comfyui_assistant.engine.llm.probe import LocalServer, is_local
from comfyui_assistant.engine.llm.provider import ProviderDirectory, choose
from comfyui_assistant.engine.settings import Secret, Settings
from comfyui_assistant.engine.store.preferences import Preferences

HERE = "http://127.0.0.1:11434/v1"
CLOUD = "https://api.example/v1"
FOUND = LocalServer("ollama", "Ollama", HERE, ("qwen3:8b", "llama3"))


def read(environ: dict[str, str], env_file: dict[str, str | None] | None = None) -> Settings:
    settings, problems = Settings.from_env(environ, env_file)
    assert problems == []
    return settings


def test_nothing_set_is_the_default() -> None:
    assert read({}) == Settings()


def test_the_environment_wins_over_the_file_and_our_names_over_the_common_ones() -> None:
    settings = read(
        {"OPENAI_BASE_URL": CLOUD, "COMFYUI_ASSISTANT_BASE_URL": HERE + "/"},
        {"COMFYUI_ASSISTANT_BASE_URL": "http://other/v1", "COMFYUI_ASSISTANT_MODEL": "from-file"},
    )
    assert (settings.base_url, settings.model, settings.provider_source) == (HERE, "from-file", "environment")


def test_a_key_alone_means_openai_and_asks_for_a_model() -> None:
    settings = read({"OPENAI_API_KEY": "sk-1"})
    assert settings.base_url == "https://api.openai.com/v1"
    assert choose(settings, Preferences()).model == ""


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("LLM_HISTORY_MAX_MESSAGES", "many", 'LLM_HISTORY_MAX_MESSAGES is "many"; expected a whole number'),
        ("LLM_HISTORY_MAX_MESSAGES", "0", "of at least 1"),
        ("COMFYUI_ASSISTANT_CONTEXT_WINDOW", "-5", "of at least 2048"),
        ("COMFYUI_ASSISTANT_CONTEXT_WINDOW", "٣٢٠٠٠", "a whole number"),
        (
            "LLM_CONTEXT_WINDOW",
            "1000",
            'LLM_CONTEXT_WINDOW is "1000"; expected a whole number of at least 2048',
        ),
        ("LLM_HISTORY_MAX_MESSAGES", "-1", "of at least 1"),
        ("LLM_TOOL_RESULT_KEEP_LAST_ROUNDS", "1.5", "of at least 0"),
        ("LLM_SYSTEM_CONTEXT_MAX_CHARS", "12k", "of at least 0"),
        ("LLM_USER_CONTEXT_MAX_CHARS", "-2500", "of at least 0"),
        ("LLM_SYSTEM_MESSAGE_MODE", "long", "one of auto, full, continuation"),
        ("COMFYUI_ASSISTANT_DISCOVERY", "maybe", "expected on or off"),
        ("COMFYUI_ASSISTANT_BASE_URL", "127.0.0.1:11434", "an address such as"),
        (
            "COMFYUI_ASSISTANT_BASE_URL",
            "http://me:canary@host/v1",
            'is "http://…@host/v1"; expected an address',
        ),
        (
            "COMFYUI_ASSISTANT_BASE_URL",
            "http://host/v1?key=canary",
            'is "http://host/v1…"; expected an address',
        ),
        ("COMFYUI_ASSISTANT_BASE_URL", "http://host/v1#canary", 'is "http://host/v1…"; expected an address'),
        ("COMFYUI_ASSISTANT_BASE_URL", "http://host:99999/v1", "expected an address such as"),
        ("OPENAI_API_KEY", "“canary”", "of ASCII alone, but character 1 is U+201C"),
        ("COMFYUI_ASSISTANT_API_KEY", "canary\u200b", "character 7 is U+200B"),
    ],
)
def test_a_value_that_cannot_be_read_is_named_and_left_at_its_default(
    name: str, value: str, told: str
) -> None:
    settings, problems = Settings.from_env({name: value})
    assert len(problems) == 1
    assert told in problems[0].message
    assert "canary" not in problems[0].message
    assert name in problems[0].hint
    assert dataclasses.replace(settings, provider_source="none") == Settings()


def test_keys_do_not_show_themselves() -> None:
    secret = Secret("sk-canary-0123456789")
    assert "canary" not in f"{secret} {secret!r} {Settings(api_key=secret)} {Preferences(keys={'x': secret})}"
    assert (secret.last4(), Secret("short").last4()) == ("6789", "")


ENVIRONMENT = Settings(base_url=CLOUD, api_key=Secret("env-key"), model="m", provider_source="environment")
SAVED = Preferences(base_url=HERE, model="saved").with_key(HERE, "local-key").with_key(CLOUD, "cloud-key")


@pytest.mark.parametrize(
    ("settings", "preferences", "discovered", "expected"),
    [
        pytest.param(Settings(), Preferences(), None, ("", "none", "", "", "none"), id="nothing"),
        pytest.param(
            Settings(),
            Preferences(),
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
def test_what_is_configured_is_chosen(settings, preferences, discovered, expected) -> None:
    choice = choose(settings, preferences, discovered)
    chosen = (choice.base_url, choice.base_url_source, choice.model, choice.key.reveal(), choice.key_source)
    assert chosen == expected


def test_a_key_is_only_for_the_origin_it_was_entered_for() -> None:
    assert SAVED.key_for("http://127.0.0.1:11434/other").reveal() == "local-key"
    assert not SAVED.key_for("http://127.0.0.1:1234/v1")
    assert not SAVED.key_for("https://127.0.0.1:11434/v1")


@pytest.mark.parametrize(
    ("base_url", "expected"),
    [
        (HERE, True),
        ("http://localhost:1/v1", True),
        ("http://[::1]:1/v1", True),
        (CLOUD, False),
        ("http://10.0.0.2/v1", False),
    ],
)
def test_a_local_endpoint_is_told_by_its_address(base_url: str, expected: bool) -> None:
    assert is_local(base_url) is expected


async def test_what_the_settings_say_of_a_model_is_shown_and_its_server_is_not_asked_for_it() -> None:
    async def never(*_: object) -> None:
        raise AssertionError("a server that is reading its prompt does not answer in time")

    async def sees_none(*_: object, **__: object) -> bool:
        return False

    async def preferences() -> Preferences:
        return Preferences()

    settings = read(
        {
            "COMFYUI_ASSISTANT_BASE_URL": "http://127.0.0.1:1/v1",
            "COMFYUI_ASSISTANT_MODEL": "qwen2.5-coder-1.5b-instruct",
            "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "8192",
            "COMFYUI_ASSISTANT_PROFILE": "slim",
            "COMFYUI_ASSISTANT_LABEL": "Qwen 1.5B (on this machine)",
            "COMFYUI_ASSISTANT_NOTICE": "It is slow.",
        }
    )
    directory = ProviderDirectory(
        settings,
        preferences=preferences,
        windows=never,
        discovery=never,
        listing=never,
        sight=sees_none,
    )
    provider = await directory.current()
    assert (provider.window, provider.is_slim, provider.source) == (8192, True, "environment")
    assert (provider.label, provider.notice) == ("Qwen 1.5B (on this machine)", "It is slow.")
