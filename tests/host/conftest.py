"""A real ComfyUI for each frontend, a real browser, and a page in it for each test."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from dev.scripted.provider import ScriptedProviderThread

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from dev import chromium  # noqa: E402
from dev.comfyui import FRONTEND, OLDEST_FRONTEND, SOURCE  # noqa: E402
from dev.comfyui_process import ComfyUIProcess, running_comfyui  # noqa: E402
from dev.frontends import NEWER_FRONTEND, NODES_2, SERIES, frontend_files  # noqa: E402
from dev.places import SCREENSHOTS  # noqa: E402
from dev.processes import free_port  # noqa: E402
from dev.templates import NODE_PACKAGES  # noqa: E402
from tests.host.bridge import Bridge, bundle_bridge  # noqa: E402
from tests.host.checked_run import CheckedPage, hold_the_queue  # noqa: E402
from tests.host.comfy import ComfyPage  # noqa: E402
from tests.host.installation import install_copy  # noqa: E402
from tests.host.official_templates import put_files  # noqa: E402
from tests.host.packs import packs_in  # noqa: E402
from tests.host.panel import Panel  # noqa: E402
from tests.host.saved_workflows import forget_saved  # noqa: E402

pytest.register_assert_rewrite("tests.host.main_job")

# The default of 5 s is too short for a first answer on a busy machine with two cores.
expect.set_options(timeout=15_000)

HAS_FAILED = pytest.StashKey[bool]()
FRONTENDS = (FRONTEND, NEWER_FRONTEND)
ON_REQUEST = ("demonstration_model", "all_templates", "packs")
NODES = Path(__file__).parent / "nodes"
SLOW_NODES = NODES / "slow_nodes.py"
WINDOW = {"width": 1440, "height": 900}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--frontend", choices=(*SERIES, FRONTEND, NODES_2), help="run with this frontend of ComfyUI only"
    )
    parser.addoption("--no-pictures", action="store_true", help="leave out pictures that nobody looks at")
    parser.addoption(
        "--all-templates", action="store_true", help="run only the tests over all official templates"
    )
    parser.addoption("--every", type=int, default=1, help="of all official templates only each n-th")
    parser.addoption("--packs", type=Path, help="run only the tests over the node packs in this folder")
    parser.addoption(
        "--demonstration-model", action="store_true", help="run only the tests that need the 1.1 GB model"
    )
    parser.addoption(
        "--reloads", type=int, default=6, help="the page anew at so many random moments of a turn"
    )
    parser.addoption("--seed", type=int, default=7, help="of those moments")
    parser.addoption(
        "--write-reloads", action="store_true", help="write what they found into docs/reliability.md"
    )


def pytest_configure(config: pytest.Config) -> None:
    Panel.takes_pictures = not config.getoption("--no-pictures", default=False)
    for marker in (
        "demonstration_model: needs the 1.1 GB model; `make test-local-model` runs it",
        "all_templates: takes minutes; `make test-templates` runs it",
        "packs: needs a folder of real node packs; `make test-packs` runs it",
        "main_flow: must work on every frontend; `make test-versions` runs these on all of them",
        "any_frontend: is about our server or our panel alone; runs with the newer frontend, or the one that is named",
        "newer_frontend: needs what only the newer frontend can do",
        "older_frontend: what the newer one's page takes minutes for, loses or lacks; runs on the pinned frontend only",
        "nodes_2: is different where nodes are elements of the page; runs on the newer frontend with these, too",
    ):
        config.addinivalue_line("markers", marker)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = {name for name in ON_REQUEST if config.getoption(f"--{name.replace('_', '-')}", default=False)}
    only = config.getoption("--frontend", default=None)

    def is_left_out(item: pytest.Item) -> bool:
        asked_for = {name for name in ON_REQUEST if item.get_closest_marker(name)}
        callspec = getattr(item, "callspec", None)
        params = callspec.params if callspec else {}
        frontend = params.get("frontend") or only
        too_slow = item.get_closest_marker("older_frontend") and frontend != OLDEST_FRONTEND
        another = only is not None and only != frontend
        again = only == NODES_2 and "frontend" not in params
        return asked_for != wanted or too_slow or another or again

    left_out = [item for item in items if "host" in item.path.parts and is_left_out(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "pack" in metafunc.fixturenames:
        folder = metafunc.config.getoption("--packs", default=None)
        metafunc.parametrize("pack", packs_in(folder) if folder else [])
    if "frontend" in metafunc.fixturenames:
        only = metafunc.config.getoption("--frontend", default=None)
        metafunc.parametrize("frontend", frontends_of(metafunc.definition, only), scope="session")


def frontends_of(test: pytest.Item, only: str | None) -> tuple[str, ...]:
    """Where a test runs: on an old frontend all do but those that are about one."""
    nodes_2 = (NODES_2,) if test.get_closest_marker("nodes_2") else ()
    if test.get_closest_marker("any_frontend") and not nodes_2 and not test.get_closest_marker("main_flow"):
        return (only,) if only in (*SERIES, FRONTEND) else (NEWER_FRONTEND,)
    if test.get_closest_marker("newer_frontend"):
        chosen = () if FRONTEND == OLDEST_FRONTEND else (FRONTEND,)
        return (NEWER_FRONTEND, *chosen, *nodes_2)
    usual = (*FRONTENDS, *nodes_2)
    return (only,) if only in (*SERIES, FRONTEND) and only not in usual else usual


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.failed and call.when in ("setup", "call"):
        item.stash[HAS_FAILED] = True
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
    needed = [SOURCE] if frontend == FRONTEND else [SOURCE, frontend_files(frontend)]
    if not all(component.is_ready() for component in needed):
        pytest.fail(
            "ComfyUI is not set up; run these tests by `make test-host`, or `make setup` first.",
            pytrace=False,
        )
    base = tmp_path_factory.mktemp(f"comfyui-{frontend}")
    shutil.copytree(NODES, base / "custom_nodes", ignore=shutil.ignore_patterns("__pycache__"))
    with running_comfyui(base, extension=extension, frontend=frontend) as process:
        set_up_scripted_model(process, model_port)
        yield process


def set_up_scripted_model(comfyui: ComfyUIProcess, model_port: int) -> None:
    """The scripted model, which may run nodes of the packages that the test has put there."""
    comfyui.save_assistant_settings(
        baseUrl=f"http://127.0.0.1:{model_port}/v1", model="scripted", apiKey="key-for-tests"
    )
    comfyui.trust_packages()


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
    """With motion in one frontend and without it in the other, as people have it set."""
    motion = "reduce" if frontend == NEWER_FRONTEND else "no-preference"
    context = browser.new_context(viewport=WINDOW, reduced_motion=motion)
    yield context.new_page()
    context.close()


@pytest.fixture
def low_window(page: Page) -> Iterator[None]:
    """Of a small laptop, or of a larger one at 150 %."""
    page.set_viewport_size({"width": 960, "height": 600})
    yield
    page.set_viewport_size(WINDOW)


@pytest.fixture
def comfy(request: pytest.FixtureRequest, comfyui: ComfyUIProcess, page: Page) -> Iterator[ComfyPage]:
    """ComfyUI's page with an empty graph.

    It stays open from test to test, since loading it is most of what a test would take; workflows that a later test
    would come upon are closed. It is left after a failure, and the next test begins with a fresh one.
    """
    is_open = page.url.startswith(comfyui.url)
    if not is_open:
        page.goto("about:blank")
    comfy = ComfyPage(page, comfyui.url)
    if is_open:
        comfy.clear_graph()
    else:
        comfy.open()
    yield comfy
    comfy.stop_listening()
    if request.node.stash.get(HAS_FAILED, False) or not page.url.startswith(comfyui.url):
        comfy.leave()
    elif not comfy.is_as_on_a_first_visit():
        comfy.close_workflows()


@pytest.fixture
def no_workflows_left(comfyui: ComfyUIProcess, comfy: ComfyPage) -> Iterator[None]:
    yield
    forget_saved(comfy.page, comfyui.base)


@pytest.fixture
def end_the_run(comfyui: ComfyUIProcess) -> Iterator[Callable[[], None]]:
    """For a run that has to last as long as pages take to be opened: `TestSlowRun` ends when this is called."""
    may_end = comfyui.base / "custom_nodes" / "runs-may-end"
    yield may_end.touch
    may_end.unlink(missing_ok=True)


@pytest.fixture(scope="session")
def packs(request: pytest.FixtureRequest) -> Path:
    return request.config.getoption("--packs").resolve()


@pytest.fixture(scope="session")
def bridge_script(tmp_path_factory: pytest.TempPathFactory) -> str:
    return bundle_bridge(tmp_path_factory.mktemp("bridge") / "bridge.js")


@pytest.fixture
def bridge(comfy: ComfyPage, bridge_script: str) -> Bridge:
    """The browser tools in ComfyUI's page, without a panel and a model."""
    return Bridge(comfy.page, bridge_script)


@pytest.fixture
def chain(bridge: Bridge) -> dict[str, str]:
    """An image, inverted and saved: the ids of the three nodes."""
    made = bridge.edit(
        {
            "op": "add",
            "type": "EmptyImage",
            "as": "image",
            "widgets": {"width": 64},
            "position": {"x": 0, "y": 0},
        },
        {"op": "add", "type": "ImageInvert", "as": "invert", "inputs": {"image": "image.IMAGE"}},
        {"op": "add", "type": "SaveImage", "as": "save", "inputs": {"images": "invert.IMAGE"}},
        turn="earlier",
    )
    assert made["ok"], made
    return made["data"]["nodes"]


@pytest.fixture
def panel(comfy: ComfyPage) -> Panel:
    """The assistant's panel with a new chat, in a ComfyUI without earlier ones."""
    comfy.delete_all_chats()
    panel = Panel(comfy.page)
    panel.open()
    panel.begin_new_chat()
    return panel


@pytest.fixture(scope="module")
def comfyui_with_files(frontend: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComfyUIProcess]:
    """With an empty file for each that a template chooses."""
    base = tmp_path_factory.mktemp(f"repairs-{frontend}")
    put_files(base)
    (base / "custom_nodes").mkdir()
    shutil.copy(SLOW_NODES, base / "custom_nodes")
    environment = {"PYTHONPATH": str(NODE_PACKAGES)}
    with running_comfyui(base, extension=None, frontend=frontend, environment=environment) as process:
        yield process


@pytest.fixture
def checked_page(
    comfyui_with_files: ComfyUIProcess, browser: Browser, bridge_script: str
) -> Iterator[CheckedPage]:
    """A page for templates, in which prompts are checked and none is run."""
    context = browser.new_context()
    comfy = ComfyPage(context.new_page(), comfyui_with_files.url)
    comfy.open()
    bridge = Bridge(comfy.page, bridge_script)
    definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
    hold_the_queue(bridge)
    yield CheckedPage(comfy, bridge, definitions)
    context.close()
