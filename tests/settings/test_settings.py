from __future__ import annotations

import codecs
import dataclasses
from pathlib import Path

import pytest
from comfyui_assistant.engine.llm.provider_choices import provider_choices
from comfyui_assistant.engine.settings.options import Options
from comfyui_assistant.engine.settings.settings import Settings, read_env_file
from comfyui_assistant.engine.store.saved_settings import SavedSettings

HERE = "http://127.0.0.1:11434/v1"
CLOUD = "https://api.example/v1"


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
    assert [choice.model for choice in provider_choices(settings, SavedSettings())] == [""]


def test_a_model_may_be_given_a_label_a_notice_and_a_window() -> None:
    settings = read(
        {
            "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "8192",
            "COMFYUI_ASSISTANT_PROFILE": "slim",
            "COMFYUI_ASSISTANT_LABEL": "Qwen 1.5B (on this machine)",
            "COMFYUI_ASSISTANT_NOTICE": "It is slow.",
        }
    )
    assert (settings.context_window, settings.profile) == (8_192, "slim")
    assert (settings.label, settings.notice) == ("Qwen 1.5B (on this machine)", "It is slow.")


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
        ("COMFYUI_ASSISTANT_BASE_URL", "sk-key:11434", "one that begins with http://"),
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


@pytest.mark.parametrize("in_file", [False, True])
def test_a_budget_that_there_is_not_is_named_with_those_that_there_are(in_file: bool) -> None:
    values = {"LLM_BUDGET_CHAT_CENTS": "50", "LLM_BUDGET_DAY_CENTS": "70"}
    settings, [problem] = Settings.from_env({}, values) if in_file else Settings.from_env(values)
    assert problem.message == "LLM_BUDGET_CHAT_CENTS is not read: there is no such setting."
    assert problem.hint == "There are: LLM_BUDGET_DAY_CENTS, LLM_BUDGET_TURN_TOKENS."
    assert settings.options == Options(budget_day_cents=70)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"COMFYUI_ASSISTANT_MODEL=qwen\r\n", id="lines of Windows"),
        pytest.param(
            codecs.BOM_UTF8 + b"COMFYUI_ASSISTANT_MODEL=qwen\n", id="saved by Notepad as UTF-8 with BOM"
        ),
        pytest.param(
            codecs.BOM_UTF16_LE + "COMFYUI_ASSISTANT_MODEL=qwen\r\n".encode("utf-16-le"),
            id="written by PowerShell, echo > .env",
        ),
        pytest.param(b"# caf\xe9\nCOMFYUI_ASSISTANT_MODEL=qwen\n", id="with a letter of another encoding"),
    ],
)
def test_an_env_file_is_read_however_a_windows_program_has_saved_it(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("dotenv", reason="ComfyUI's pydantic-settings brings it")
    (tmp_path / ".env").write_bytes(content)
    assert read({}, dict(read_env_file(tmp_path / ".env"))).model == "qwen"


def test_an_env_file_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    assert read_env_file(tmp_path / ".env") == {}
