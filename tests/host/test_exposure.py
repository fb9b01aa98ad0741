"""What the server has to tell at once: a damaged file of the chats, and a ComfyUI that others can reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from dev.places import SCREENSHOTS
from tests.host.interception import held
from tests.host.panel import Panel

pytestmark = pytest.mark.any_frontend

NOTE = {
    "message": "ComfyUI listens beyond this computer (--listen 0.0.0.0,::) and has no login: whoever reaches it can "
    "read your chats, use your model at your cost and run workflows here.",
    "seen": "ComfyUIAssistant.seen for a test",
}


DAMAGE = {
    "message": "assistant.sqlite3 was damaged; what could be read of 12 threads is in a new one, and the damaged file "
    "is kept as assistant.sqlite3.damaged-20260101-120000."
}


@pytest.fixture
def status(comfy) -> Iterator[dict[str, Any]]:
    """What the server's status tells besides."""
    told: dict[str, Any] = {}
    with held(
        comfy.page,
        "*/assistant/status*",
        lambda request: request.answer(200, {**request.answered(), **told}),
        answers=True,
    ):
        yield told


@pytest.mark.slow
def test_a_notice_about_the_damaged_chats_can_be_closed_and_the_next_one_is_shown(
    comfy, panel: Panel, frontend: str, status: dict[str, Any]
):
    status.update(store=DAMAGE, exposure=NOTE)
    comfy.reload()
    panel.open()
    notices = comfy.page.locator(".cass-notice")
    notice, next_one = (notices.filter(has_text=note["message"]) for note in (DAMAGE, NOTE))
    expect(notice.locator(".cass-icon").first).to_be_visible()
    for palette in ("light", "dark"):
        comfy.page.evaluate("(name) => app.extensionManager.setting.set('Comfy.ColorPalette', name)", palette)
        comfy.screenshot(SCREENSHOTS / f"damage-{frontend}-{palette}.png")
    expect(next_one).to_have_count(0)
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_have_count(0)
    expect(next_one).to_be_visible()
    next_one.get_by_role("button", name="Dismiss").click()
    expect(next_one).to_have_count(0)
    assert comfy.errors == []


@pytest.mark.slow
def test_what_it_means_that_others_reach_comfyui_is_said_until_it_was_read(
    comfy, panel: Panel, frontend: str, status: dict[str, Any]
):
    status.update(exposure=NOTE)
    notice = comfy.page.locator(".cass-notice").filter(has_text=NOTE["message"])
    for _ in range(2):
        comfy.reload()
        panel.open()
        expect(notice).to_be_visible()
    for palette in ("light", "dark"):
        comfy.page.evaluate("(name) => app.extensionManager.setting.set('Comfy.ColorPalette', name)", palette)
        comfy.screenshot(SCREENSHOTS / f"exposure-{frontend}-{palette}.png")
    notice.get_by_role("button", name="Do not show again").click()
    expect(notice).to_have_count(0)

    comfy.reload()
    panel.open()
    expect(panel.composer).to_be_visible()
    expect(notice).to_have_count(0)
    comfy.page.evaluate("(seen) => localStorage.removeItem(seen)", NOTE["seen"])
    assert comfy.errors == []
