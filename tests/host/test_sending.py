"""A message on its way when its page is loaded anew: it is in the chat or back in the composer, and never twice."""

from __future__ import annotations

import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.host.interception import Held, held
from tests.host.panel import Panel

pytestmark = pytest.mark.any_frontend

TEXT = "make it red"
ANSWERS = {"about": "An answer.", "steps": [{"reply": [{"say": ["It is red."]}]}] * 2}
NEW_CHAT, SENDING = "*/api/assistant/threads", "*/api/chat"


@contextmanager
def held_up(page: Page, address: str, on_post: Callable[[Held], None] = lambda _: None) -> Iterator[None]:
    """Nothing that is posted there is answered."""

    def handle(request: Held) -> None:
        if request.method == "POST":
            on_post(request)
        else:
            request.go_on()

    with held(page, address, handle):
        yield


def pass_on(posted: Held) -> None:
    """The server gets it, and the page that sent it hears nothing of that."""
    asked = urllib.request.Request(posted.url, posted.body, posted.headers)
    threading.Thread(target=lambda: urllib.request.urlopen(asked).read(), daemon=True).start()


def sent(panel: Panel) -> Locator:
    return panel.root.locator(".cass-user")


def send_without_an_answer(comfy, panel: Panel) -> None:
    """The first message of a chat; it is on its way by then."""
    panel.send(TEXT)
    expect(sent(panel)).to_have_count(1)
    comfy.page.wait_for_timeout(300)


def reopened(comfy) -> Panel:
    comfy.reload()
    panel = Panel(comfy.page)
    panel.open()
    return panel


def is_answered_once(panel: Panel, model) -> None:
    expect(panel.answers).to_have_count(1)
    panel.wait_until_the_turn_is_over()
    assert panel.messages.count() == 2
    assert panel.composer.input_value() == ""
    assert len(model.requests) == 1


@pytest.mark.slow
@pytest.mark.parametrize("address", [NEW_CHAT, SENDING])
def test_a_message_that_never_left_the_page_is_back_in_the_composer_of_the_next_one(
    comfy, panel, model, address
):
    model.play(ANSWERS)
    with held_up(comfy.page, address):
        send_without_an_answer(comfy, panel)

        again = reopened(comfy)

        expect(again.composer).to_have_value(TEXT)
        assert again.messages.count() == 0
    again.composer.press("Enter")
    is_answered_once(again, model)


@pytest.mark.slow
def test_a_message_in_a_chat_comes_back_too_and_with_what_was_typed_behind_it(comfy, panel, model):
    model.play(ANSWERS)
    panel.ask("hello")
    with held_up(comfy.page, SENDING):
        panel.send(TEXT)
        expect(sent(panel)).to_have_count(2)
        panel.composer.fill("and round")
        comfy.page.wait_for_timeout(300)

        again = reopened(comfy)

        expect(again.composer).to_have_value(f"{TEXT}\nand round")
        assert again.messages.count() == 2


@pytest.mark.slow
def test_files_of_a_message_that_never_left_the_page_come_back_with_it(comfy, panel, model):
    model.play(ANSWERS)
    file = {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"all red"}
    comfy.page.locator('.cass-root input[type="file"]').set_input_files(file)
    expect(comfy.page.locator(".cass-composer-area")).to_contain_text("notes.md")
    with held_up(comfy.page, SENDING):
        send_without_an_answer(comfy, panel)

        again = reopened(comfy)

        expect(again.composer).to_have_value(TEXT)
        expect(comfy.page.locator(".cass-composer-area")).to_contain_text("notes.md")
    again.composer.press("Enter")
    is_answered_once(again, model)
    assert "all red" in str(model.requests[0].messages)


def test_a_message_that_the_server_had_got_is_in_the_chat_and_not_in_the_composer(comfy, panel, model):
    model.play(ANSWERS)
    with held_up(comfy.page, SENDING, pass_on):
        panel.send(TEXT)
        while not model.requests:
            comfy.page.wait_for_timeout(50)

        again = reopened(comfy)

        is_answered_once(again, model)


@pytest.mark.slow
@pytest.mark.parametrize("pace", [0, 0.2], ids=["answered", "being answered"])
def test_a_message_that_the_server_gets_late_is_not_sent_a_second_time(comfy, panel, model, pace):
    """The page that comes has read the chat by then, and given the message back."""
    words = [f"red{number} " for number in range(10)]
    model.play({"about": "An answer.", "pace": pace, "steps": [{"reply": [{"say": words}]}] * 2})
    posted: list[Held] = []
    with held_up(comfy.page, SENDING, posted.append):
        panel.send(TEXT)
        while not posted:
            comfy.page.wait_for_timeout(50)
        again = reopened(comfy)
        expect(again.composer).to_have_value(TEXT)
    pass_on(posted[0])
    model.wait_until(lambda: len(model.requests) == 1)
    model.wait_until(lambda: pace or model.open_streams == 0)
    comfy.page.wait_for_timeout(500)

    again.composer.press("Enter")

    expect(again.answers).to_contain_text("red9")
    is_answered_once(again, model)
    assert again.errors.count() == again.notice.count() == 0
