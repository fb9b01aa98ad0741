"""Which model is in use, and what the directory says of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest
from comfyui_assistant.engine.base.errors import ProviderError
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.known.probe import LocalServer
from comfyui_assistant.engine.llm.known.server_facts import ServerFacts
from comfyui_assistant.engine.llm.learned import Learned, WindowEstimate
from comfyui_assistant.engine.llm.provider import ProviderDirectory
from comfyui_assistant.engine.settings.settings import Settings
from comfyui_assistant.engine.store.saved_settings import SavedProvider, SavedSettings

HERE = "http://127.0.0.1:11434/v1"
CLOUD = "https://api.example/v1"
FOUND = LocalServer("ollama", "Ollama", HERE, ("qwen3:8b", "llama3"))


class Held:
    """Windows that were learned, in memory."""

    def __init__(self, windows: dict[tuple[str, str], WindowEstimate]) -> None:
        self.windows = windows

    async def get(self, base_url: str, model: str) -> WindowEstimate | None:
        return self.windows.get((base_url, model))

    def release(self, base_url: str, model: str) -> None:
        self.windows.pop((base_url, model), None)

    async def forget(self, base_url: str, model: str) -> None:
        self.windows.pop((base_url, model))


class Servers:
    """What servers say, and who was asked for it."""

    def __init__(self, facts: ServerFacts, *, saved: SavedSettings | None = None) -> None:
        self.facts = facts
        self.saved = saved or SavedSettings()
        self.asked: list[Endpoint] = []
        self.windows: dict[tuple[str, str], WindowEstimate] = {}
        self.now = 0.0
        self.found = [FOUND]

    def directory(self, settings: Settings) -> ProviderDirectory:
        return ProviderDirectory(
            settings,
            saved_settings=self.saved_settings,
            facts=self.say,
            discovery=self.discovery,
            listing=self.listing,
            learned=Learned(cast(Any, Held(self.windows))),
            clock=lambda: self.now,
        )

    async def saved_settings(self) -> SavedSettings:
        return self.saved

    async def say(self, endpoint: Endpoint) -> ServerFacts:
        self.asked.append(endpoint)
        return self.facts

    async def discovery(self) -> list[LocalServer]:
        return self.found

    async def listing(self, endpoint: Endpoint) -> list[str]:
        self.asked.append(endpoint)
        return ["the-only-model"]


async def test_a_server_of_this_machine_answers_only_once_it_has_a_model() -> None:
    empty = LocalServer("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", ())
    servers = Servers(ServerFacts())
    servers.found = [empty, FOUND]
    assert (await servers.directory(Settings()).current()).endpoint.model == FOUND.models[0]
    servers.found = [empty]
    with pytest.raises(ProviderError, match="No model is set up"):
        await servers.directory(Settings()).current()


SAVED_IN_PANEL = SavedSettings((SavedProvider("p1", CLOUD, "gpt-4o"),))


async def test_what_an_error_taught_of_an_endpoint_reaches_the_provider_until_it_is_forgotten() -> None:
    servers = Servers(ServerFacts(), saved=SAVED_IN_PANEL)
    servers.windows[CLOUD, "gpt-4o"] = WindowEstimate(60_000, "a refusal", 1_000.0)
    directory = servers.directory(Settings())
    provider = await directory.current()
    assert (provider.window, provider.window_source) == (60_000, "learned")
    status = provider.as_json()
    assert (status["windowSource"], status["windowLearnedAt"]) == ("learned", 1_000.0)
    await directory.forget_window()
    provider = await directory.current()
    assert (provider.window, provider.window_source) == (128_000, "table")
    assert "windowLearnedAt" not in provider.as_json()


@pytest.mark.parametrize("change", ["key", "window"])
async def test_only_the_provider_whose_settings_changed_tries_its_whole_window_again(change: str) -> None:
    one, other = SavedProvider("p1", CLOUD, "gpt-4o", window=100_000), SavedProvider("p2", HERE, "m")
    servers = Servers(ServerFacts(), saved=SavedSettings((one, other)))
    directory = servers.directory(Settings())
    for each in (one, other):
        servers.windows[each.base_url, each.model] = WindowEstimate(6_000, "a refusal", 1_000.0)
        assert (await directory.current(each.id)).window == 6_000
    if change == "key":
        servers.saved = servers.saved.with_key_of(one, Secret("another"))
    else:
        servers.saved = servers.saved.with_provider(replace(one, window=90_000))
    directory.forget()
    assert (await directory.current("p1")).window == (100_000 if change == "key" else 90_000)
    assert (await directory.current("p2")).window == 6_000


async def test_what_has_nothing_to_do_with_a_window_leaves_it() -> None:
    servers = Servers(ServerFacts(), saved=SAVED_IN_PANEL)
    directory = servers.directory(Settings())
    servers.windows[CLOUD, "gpt-4o"] = WindowEstimate(60_000, "a refusal", 1_000.0)
    await directory.current()
    servers.saved = SavedSettings((replace(SAVED_IN_PANEL.providers[0], name="Mine"),))
    directory.forget()
    assert (await directory.current()).window == 60_000


async def test_a_learned_window_holds_until_the_server_names_another_one() -> None:
    servers = Servers(ServerFacts(window=16_384), saved=SavedSettings((SavedProvider("p1", HERE, "m"),)))
    directory = servers.directory(Settings())
    await directory.current()
    servers.windows[HERE, "m"] = WindowEstimate(8_000, "a refusal", 1_000.0)
    assert (await directory.current()).window == 8_000
    servers.now, servers.facts = 100.0, ServerFacts(window=65_536)
    assert (await directory.current()).window == 65_536


async def test_a_server_is_asked_once_for_all_that_it_says() -> None:
    servers = Servers(ServerFacts(window=64_000, vision=False), saved=SAVED_IN_PANEL)
    directory = servers.directory(Settings())
    for _ in range(3):
        provider = await directory.current()
        assert (provider.window, provider.window_source, provider.vision) == (64_000, "endpoint", False)
    assert servers.asked == [Endpoint(CLOUD, "gpt-4o")]
    directory.forget()
    await directory.current()
    assert len(servers.asked) == 2


@pytest.mark.parametrize(
    ("base_url", "facts", "settings", "seconds"),
    [
        pytest.param(HERE, ServerFacts(window=8_000), Settings(), 60, id="a server here"),
        pytest.param(HERE, ServerFacts(vision=True), Settings(), 5, id="one that was too busy to say all"),
        pytest.param(HERE, ServerFacts(), Settings(context_window=8_192), 600, id="one whose window is set"),
        pytest.param(CLOUD, ServerFacts(), Settings(), 3_600, id="a server elsewhere"),
    ],
)
async def test_a_server_is_believed_as_long_as_its_answer_is_likely_to_hold(
    base_url: str, facts: ServerFacts, settings: Settings, seconds: int
) -> None:
    servers = Servers(facts, saved=SavedSettings((SavedProvider("p1", base_url, "m"),)))
    directory = servers.directory(settings)
    times_asked: list[int] = []
    for servers.now in (0, seconds - 1, seconds):
        await directory.current()
        times_asked.append(len(servers.asked))
    assert times_asked == [1, 1, 2]


async def test_a_server_here_is_asked_for_its_model_and_then_for_what_it_says_of_it() -> None:
    servers = Servers(ServerFacts(window=8_000), saved=SavedSettings((SavedProvider("p1", HERE),)))
    provider = await servers.directory(Settings()).current()
    assert [endpoint.model for endpoint in servers.asked] == ["", "the-only-model"]
    assert (provider.is_slim, provider.vision) == (True, None)


async def test_what_the_settings_say_of_a_model_is_shown_whatever_its_server_says() -> None:
    settings = Settings(
        base_url="http://127.0.0.1:1/v1",
        model="qwen2.5-coder-1.5b-instruct",
        provider_source="environment",
        context_window=8_192,
        profile="slim",
        label="Qwen 1.5B (on this machine)",
        notice="It is slow.",
    )
    provider = await Servers(ServerFacts(window=32_768)).directory(settings).current()
    assert (provider.window, provider.is_slim, provider.source) == (8_192, True, "environment")
    assert (provider.label, provider.notice) == ("Qwen 1.5B (on this machine)", "It is slow.")


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        (
            ServerFacts(window=4_096, model_window=40_960),
            {"most": 40_960, "command": "OLLAMA_CONTEXT_LENGTH=16384 ollama serve"},
        ),
        (
            ServerFacts(window=4_096, model_window=8_192),
            {"most": 8_192, "command": "OLLAMA_CONTEXT_LENGTH=8192 ollama serve"},
        ),
        (ServerFacts(window=12_000, model_window=40_960), None),
        (ServerFacts(window=4_096), None),
    ],
)
async def test_a_small_window_that_could_be_larger_is_told_with_what_makes_it_so(
    facts: ServerFacts, told: object
) -> None:
    provider = await Servers(facts, saved=SAVED_IN_PANEL).directory(Settings()).current()
    assert provider.as_json().get("widerWindow") == told
    assert provider.facts().get("widerWindow") == told


async def test_a_small_window_that_the_person_set_is_no_news() -> None:
    servers = Servers(ServerFacts(window=4_096, model_window=40_960), saved=SAVED_IN_PANEL)
    provider = await servers.directory(Settings(context_window=8_192)).current()
    assert "widerWindow" not in provider.as_json()
