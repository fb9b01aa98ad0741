"""The panel in a page without ComfyUI, an assistant and a page of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from dev import chromium
from dev.component import ensure
from dev.fake_page import FAKE_PAGE
from dev.places import SCREENSHOTS
from dev.processes import free_port
from dev.scripted.provider import ScriptedProviderThread
from tests.host.panel import Panel
from tests.panel.fake_page import PAGE_ID, FakePage, ServerThread
from tests.running_assistant import RunningAssistant

WINDOW = {"width": 1440, "height": 900}
LOW_WINDOW = {"width": 960, "height": 600}

# The default of 5 s is too short for a first answer on a busy machine with two cores.
expect.set_options(timeout=15_000)

HAS_FAILED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", action="store_true", help="take the pictures that people look at")


def pytest_configure(config: pytest.Config) -> None:
    Panel.takes_pictures = config.getoption("--pictures", default=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Add a screenshot to the report of a failed test."""
    report = yield
    comfy = getattr(item, "funcargs", {}).get("comfy")
    if report.failed and call.when in ("setup", "call"):
        item.stash[HAS_FAILED] = True
    if report.failed and call.when in ("setup", "call") and comfy:
        path = SCREENSHOTS / "failed" / f"{item.name.replace('/', '_')}.png"
        try:
            report.sections.append(("screenshot", str(comfy.screenshot(path))))
        except Exception as error:  # a closed page must not hide why the test failed
            report.sections.append(("screenshot", f"none: {error}"))
        report.sections.append(("errors in the page", "\n".join(comfy.errors) or "none"))
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def servers() -> Iterator[ServerThread]:
    servers = ServerThread()
    yield servers
    servers.end()


@pytest.fixture(scope="session")
def panel_files(servers: ServerThread) -> Iterator[str]:
    ensure(FAKE_PAGE)
    with servers.panel_files() as address:
        yield address


@pytest.fixture(scope="session")
def context(browser: Browser) -> BrowserContext:
    return browser.new_context(viewport=WINDOW, reduced_motion="reduce")


@pytest.fixture
def model_port() -> int:
    """Where the assistant looks for its model. Nothing listens there but in tests that use `model`."""
    return free_port()


@pytest.fixture
def model(model_port: int) -> Iterator[ScriptedProviderThread]:
    """The scripted model; a test lets it play a scenario and reads what it was sent."""
    with ScriptedProviderThread(port=model_port) as provider:
        yield provider


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The assistant's folder."""
    return tmp_path / "assistant"


@pytest.fixture
def assistant(
    servers: ServerThread, panel_files: str, data: Path, model_port: int
) -> Iterator[RunningAssistant]:
    data.mkdir()
    base_url = f"http://127.0.0.1:{model_port}/v1"
    with servers.assistant(
        data, panel_files, baseUrl=base_url, model="scripted", apiKey="key-for-tests"
    ) as running:
        yield running


@pytest.fixture
def page(request: pytest.FixtureRequest, context: BrowserContext) -> Iterator[Page]:
    """The same for all tests, since beginning another takes longer than most of them; after a failure another one."""
    page = context.pages[0] if context.pages else context.new_page()
    yield page
    if request.node.stash.get(HAS_FAILED, False):
        page.close()


@pytest.fixture
def low_window(page: Page) -> Iterator[None]:
    """Of a small laptop, or of a larger one at 150 %."""
    page.set_viewport_size(LOW_WINDOW)
    yield
    page.set_viewport_size(WINDOW)


@pytest.fixture
def comfy(assistant: RunningAssistant, page: Page) -> Iterator[FakePage]:
    """The page as on a first visit, with an empty graph."""
    comfy = FakePage(page, f"{assistant.server.make_url('/')}?page={PAGE_ID}")
    comfy.open()
    yield comfy
    comfy.stop_listening()
    page.goto("about:blank")


@pytest.fixture
def panel(comfy: FakePage) -> Panel:
    """The panel with a new chat, in a page without earlier ones."""
    panel = Panel(comfy.page)
    panel.open()
    return panel
