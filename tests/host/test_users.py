"""With --multi-user, two people of one ComfyUI have their own chats and providers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from dev.comfyui_process import ComfyUIProcess, running_comfyui
from tests.host.comfy import ComfyPage
from tests.host.listed_providers import add_provider, listed_providers
from tests.host.panel import Panel
from tests.host.scenarios import scenario

pytestmark = pytest.mark.any_frontend

USERS = {"ann_1": "Ann", "bob_2": "Bob"}


@pytest.fixture
def shared_comfyui(
    frontend: str, extension: Path, model_port: int, tmp_path: Path
) -> Iterator[ComfyUIProcess]:
    base = tmp_path / "base"
    for user in USERS:
        (base / "user" / user).mkdir(parents=True)
        (base / "user" / user / "comfy.settings.json").write_text(
            '{"Comfy.TutorialCompleted": true}', "utf-8"
        )
    (base / "user" / "users.json").write_text(json.dumps(USERS), "utf-8")
    environment = {
        "COMFYUI_ASSISTANT_BASE_URL": f"http://127.0.0.1:{model_port}/v1",
        "COMFYUI_ASSISTANT_MODEL": "scripted",
    }
    with running_comfyui(
        base,
        extension=extension,
        frontend=frontend,
        environment=environment,
        arguments=["--multi-user"],
    ) as process:
        yield process


@contextmanager
def page_of(user: str, browser: Browser, comfyui: ComfyUIProcess) -> Iterator[Panel]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    chosen = {"Comfy.userId": user, "Comfy.userName": USERS[user]}
    context.add_init_script(
        f"for (const [name, value] of Object.entries({json.dumps(chosen)})) localStorage.setItem(name, value)"
    )
    page = context.new_page()
    page.goto(comfyui.url, wait_until="domcontentloaded")
    ComfyPage(page, comfyui.url).wait_until_ready()
    panel = Panel(page)
    panel.open()
    yield panel
    context.close()


@pytest.mark.slow
def test_chats_and_providers_of_one_user_do_not_show_up_for_another(
    browser, shared_comfyui, model, model_port
):
    model.play(scenario("short-answer"))
    with page_of("ann_1", browser, shared_comfyui) as ann:
        ann.ask("a purple elephant")
        expect(ann.messages).to_have_count(2)
        add_provider(ann, "Paid by Ann", f"http://127.0.0.1:{model_port}/v1", "scripted")
        with page_of("bob_2", browser, shared_comfyui) as bob:
            expect(bob.root).not_to_contain_text("purple elephant")
            bob.ask("hello")
            expect(bob.messages).to_have_count(2)
            expect(listed_providers(bob)).to_have_count(1)
            expect(bob.root).not_to_contain_text("Paid by Ann")
        ComfyPage(ann.page, shared_comfyui.url).reload()
        ann.open()
        expect(ann.messages.filter(has_text="a purple elephant")).to_have_count(1)
        expect(listed_providers(ann)).to_have_count(2)
