"""An Ollama that gives its model a small window: where a person reads so, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from dev.scripted.provider import ScriptedProviderThread
from tests.host.comfy import ComfyPage
from tests.host.panel import Panel

OLLAMA = {
    "about": "An Ollama as it is started by default.",
    "elsewhere": {
        "/api/show": {
            "modelfile": "FROM qwen3:8b",
            "capabilities": ["completion", "tools"],
            "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40_960},
        },
    },
    "steps": [{"reply": [{"say": "Hello."}]}],
    "after": "repeat",
}
COMMAND = "OLLAMA_CONTEXT_LENGTH=16384 ollama serve"


@pytest.fixture
def ollama(comfy: ComfyPage) -> Iterator[str]:
    """The default provider for the time being; its address."""
    providers = "/assistant/providers"
    before = next(each["id"] for each in comfy.fetch(providers)["body"]["providers"] if each["isDefault"])
    with ScriptedProviderThread(OLLAMA) as server:
        entry = {"baseUrl": server.base_url, "model": "scripted", "isDefault": True}
        added = comfy.fetch(providers, method="POST", body=entry)["body"]["id"]
        yield server.base_url
        comfy.fetch(f"{providers}/{before}", method="PATCH", body={"isDefault": True})
        comfy.fetch(f"{providers}/{added}", method="DELETE")


def test_a_small_window_of_ollama_is_told_with_the_command_for_a_larger_one(
    comfy: ComfyPage, ollama: str, panel: Panel
):
    expect(panel.root.get_by_text("This model reads 4,096 tokens at once")).to_be_visible()
    expect(panel.root.get_by_text("could read 40,960 tokens")).to_be_visible()
    expect(panel.root.locator(".cass-wider code")).to_have_text(COMMAND)
    panel.look_at("small-ollama")

    panel.root.locator(".cass-model").click()
    menu = panel.root.get_by_role("dialog", name="Choose a model")
    expect(menu.locator(".cass-wider code")).to_have_text(COMMAND)
    panel.look_at("small-ollama-menu")
    comfy.page.keyboard.press("Escape")
    assert comfy.errors == []
