"""ComfyUI in a frame of another site's page, which could lay itself over the panel's questions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, expect

from dev.comfyui_process import ComfyUIProcess
from dev.places import SCREENSHOTS
from tests.host.comfy import READY

pytestmark = pytest.mark.any_frontend


@pytest.fixture
def other_site(comfyui: ComfyUIProcess) -> Iterator[str]:
    """Another port is another origin. Chromium lets no page beyond this machine frame what listens on it."""

    class Framing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<iframe src='{comfyui.url}' width=1400 height=850></iframe>".encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Framing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.slow
def test_the_panel_offers_a_tab_of_its_own_and_nothing_else(other_site: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(other_site)
    inner = page.frames[-1]
    inner.wait_for_function(READY)
    inner.evaluate("() => app.extensionManager.command.execute('ComfyUIAssistant.Open')")
    link = inner.get_by_role("link", name="Open ComfyUI in a tab of its own")
    expect(link).to_be_visible()
    expect(link).to_have_attribute("target", "_blank")
    expect(inner.locator(".cass-root")).to_have_count(0)
    page.screenshot(path=SCREENSHOTS / "foreign-frame.png")
    page.close()
