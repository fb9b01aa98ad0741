"""A real ComfyUI for each frontend, a real browser, and a page in it for each test."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from comfyui_assistant.engine.llm.scripted.provider import ScriptedProviderThread
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from dev import chromium  # noqa: E402
from dev.comfyui import FRONTEND, NEWER_FRONTEND, NEWER_FRONTEND_FILES, SOURCE  # noqa: E402
from dev.comfyui_process import ComfyUIProcess, running_comfyui  # noqa: E402
from dev.places import SCREENSHOTS  # noqa: E402
from dev.processes import free_port  # noqa: E402
from tests.host.comfy import ComfyPage  # noqa: E402
from tests.host.installation import install_copy  # noqa: E402
from tests.host.panel import Panel  # noqa: E402

# The default of 5 s is too short for a first answer on a busy machine with two cores.
expect.set_options(timeout=15_000)

FRONTENDS = (FRONTEND, NEWER_FRONTEND)
WINDOW = {"width": 1440, "height": 900}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--frontend", choices=FRONTENDS, help="run with this frontend of ComfyUI only")
    parser.addoption(
        "--demonstration-model", action="store_true", help="run only the tests that need the 1.1 GB model"
    )


def pytest_configure(config: pytest.Config) -> None:
    for marker in (
        "demonstration_model: needs the 1.1 GB model; `make test-local-model` runs it",
        "any_frontend: is about our server or our panel alone; runs with the pinned frontend only",
    ):
        config.addinivalue_line("markers", marker)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    demonstration = bool(config.getoption("--demonstration-model", default=False))
    newer_only = config.getoption("--frontend", default=None) == NEWER_FRONTEND

    def is_left_out(item: pytest.Item) -> bool:
        return (item.get_closest_marker("demonstration_model") is not None) != demonstration or (
            newer_only and item.get_closest_marker("any_frontend") is not None
        )

    if left_out := [item for item in items if "host" in item.path.parts and is_left_out(item)]:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "frontend" in metafunc.fixturenames:
        only = metafunc.config.getoption("--frontend", default=None)
        metafunc.parametrize("frontend", [only] if only else FRONTENDS, scope="session")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.failed and call.when in ("setup", "call"):
        _keep_evidence(item, report)
    return report


def _keep_evidence(item: pytest.Item, report: pytest.TestReport) -> None:
    """Add a screenshot and the end of ComfyUI's log to the report of a failed test."""
    fixtures = getattr(item, "funcargs", {})
    comfy, comfyui = fixtures.get("comfy"), fixtures.get("comfyui")
    if comfy:
        path = SCREENSHOTS / "failed" / f"{item.name.replace('/', '_')}.png"
        try:
            report.sections.append(("screenshot", str(comfy.screenshot(path))))
        except Exception as error:  # a closed page must not hide why the test failed
            report.sections.append(("screenshot", f"none: {error}"))
        report.sections.append(("errors in the page", "\n".join(comfy.errors) or "none"))
    if comfyui:
        report.sections.append(("ComfyUI", comfyui.log_end()))


@pytest.fixture(scope="session")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_copy(tmp_path_factory.mktemp("installed") / "comfyui-assistant")


@pytest.fixture(scope="session")
def comfyui(
    frontend: str, model_port: int, extension: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ComfyUIProcess]:
    needed = [SOURCE] if frontend == FRONTEND else [SOURCE, NEWER_FRONTEND_FILES]
    if not all(component.is_ready() for component in needed):
        pytest.fail(
            "ComfyUI is not set up; run these tests by `make test-host`, or `make setup` first.",
            pytrace=False,
        )
    base = tmp_path_factory.mktemp(f"comfyui-{frontend}")
    (base / "custom_nodes").mkdir()
    shutil.copy(Path(__file__).parent / "nodes" / "slow_nodes.py", base / "custom_nodes")
    environment = {
        "COMFYUI_ASSISTANT_BASE_URL": f"http://127.0.0.1:{model_port}/v1",
        "COMFYUI_ASSISTANT_MODEL": "scripted",
        "COMFYUI_ASSISTANT_API_KEY": "key-for-tests",
    }
    with running_comfyui(base, extension=extension, frontend=frontend, environment=environment) as process:
        yield process


@pytest.fixture(scope="session")
def model_port() -> int:
    """Where ComfyUI looks for its model. Nothing listens there but in tests that use `model`."""
    return free_port()


@pytest.fixture
def model(model_port: int) -> Iterator[ScriptedProviderThread]:
    """The scripted model; a test lets it play a scenario and reads what it was sent."""
    with ScriptedProviderThread(port=model_port) as provider:
        yield provider


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def page(frontend: str, browser: Browser) -> Iterator[Page]:
    """One page for all tests of a frontend: with ComfyUI's files in its cache it opens twice as fast."""
    context = browser.new_context(viewport=WINDOW)
    yield context.new_page()
    context.close()


@pytest.fixture
def comfy(comfyui: ComfyUIProcess, page: Page) -> Iterator[ComfyPage]:
    """ComfyUI's page, opened afresh, with an empty graph and nothing remembered from an earlier test."""
    comfy = ComfyPage(page, comfyui.url)
    comfy.open()
    yield comfy
    comfy.leave()


@pytest.fixture
def panel(comfy: ComfyPage) -> Panel:
    """The assistant's panel, open, in a ComfyUI without earlier threads."""
    for thread in comfy.fetch("/assistant/threads")["body"]["threads"]:
        comfy.fetch(f"/assistant/threads/{thread['id']}", method="DELETE")
    panel = Panel(comfy.page)
    panel.open()
    return panel
