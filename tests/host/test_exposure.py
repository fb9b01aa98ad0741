"""ComfyUI that others can reach: said once, quietly."""

from __future__ import annotations

import json

from playwright.sync_api import Route, expect

from dev.places import SCREENSHOTS
from tests.host.panel import Panel

NOTE = {
    "message": "ComfyUI listens beyond this computer (--listen 0.0.0.0,::) and has no login: whoever reaches it can "
    "read your chats, use your model at your cost and run workflows here.",
    "seen": "ComfyUIAssistant.seen for a test",
}


def test_what_it_means_that_others_reach_comfyui_is_said_until_it_was_read(
    comfy, panel: Panel, frontend: str
):
    def exposed(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=json.dumps({**answer.json(), "exposure": NOTE}))

    comfy.page.route("**/assistant/status*", exposed)
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
    # One that is on its way would end in the next test.
    comfy.page.unroute_all(behavior="ignoreErrors")
    assert comfy.errors == []
