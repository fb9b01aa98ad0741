"""Real node packs: `make test-packs PACKS=<folder of packs>`."""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from comfyui_assistant.engine.comfy.node_definition import read_node_definition, read_page_types
from comfyui_assistant.engine.comfy.search import NodeIndex
from playwright.sync_api import Browser, Error, expect

from bench.node_queries import missed, recorded_queries
from dev.comfyui_process import ComfyUIProcess, running_comfyui
from dev.scripted.provider import ScriptedProviderThread
from tests.host.bridge import Bridge
from tests.host.checked_run import CheckedPage, hold_the_queue
from tests.host.comfy import ComfyPage
from tests.host.conftest import SLOW_NODES, set_up_scripted_model
from tests.host.pack_edits import Tried, own_types, try_edits
from tests.host.pack_questions import RunTwice, as_table, run_twice, wrong_questions
from tests.host.pack_results import (
    as_text,
    note,
    note_search,
    of_edits,
    of_examples,
    of_questions,
    write_block,
)
from tests.host.pack_trial import SECONDS_FOR_ONE, Finding, Verdict, try_example, verdict
from tests.host.packs import PACKAGES, examples, failure_to_load, install_packs
from tests.host.panel import Panel

pytestmark = pytest.mark.packs

A_FRESH_PAGE_EVERY = 25
LINES = int(os.environ.get("PACKS_LINES", "6"))


@pytest.fixture(scope="module")
def comfyui_with_packs(
    frontend: str, packs: Path, extension: Path, model_port: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ComfyUIProcess]:
    base = tmp_path_factory.mktemp(f"packs-{frontend}")
    install_packs(packs, base / "custom_nodes")
    (base / "custom_nodes" / SLOW_NODES.name).write_bytes(SLOW_NODES.read_bytes())
    environment = {"PYTHONPATH": str(packs / PACKAGES), "PIP_NO_INDEX": "1"}
    with running_comfyui(base, extension=extension, frontend=frontend, environment=environment) as process:
        set_up_scripted_model(process, model_port)
        # Some packs make folders while they tell of their nodes, which are choices of others from then on.
        urllib.request.urlopen(f"{process.url}/object_info", timeout=120).close()
        yield process


@pytest.fixture
def report(pack: str, packs: Path, frontend: str, capsys: pytest.CaptureFixture[str]):
    """Prints what was found, and writes it into the document."""

    def write(changes: dict[str, object], wrong: list[str], day: str = "day") -> None:
        row = note(pack, packs, frontend, changes, day=day)
        write_block()
        with capsys.disabled():
            print(f"\n{as_text(row)}")
            for line in wrong[: LINES * 4]:
                print(f"    {line[:300]}")

    return write


def test_every_example_of_a_pack_is_read_applied_edited_checked_and_undone(
    pack, packs, comfyui_with_packs, browser, bridge_script, report
) -> None:
    verdicts: list[Verdict] = []
    page: CheckedPage | None = None
    for count, example in enumerate(examples(packs, pack)):
        if page is None or count % A_FRESH_PAGE_EVERY == 0:
            _close(page)
            page = _open(browser, comfyui_with_packs, bridge_script)
        try:
            verdicts.append(verdict(example.name, try_example(page.bridge, example), page.definitions))
        except Error as error:
            verdicts.append(Verdict(example.name, (Finding("page", str(error).splitlines()[0]),)))
            _close(page)
            page = None
    _close(page)
    wrong = [
        f"{each.name}: {found.where}: {found.what}" for each in verdicts for found in each.findings[:LINES]
    ]
    report(of_examples(verdicts), wrong)
    assert wrong == []


def test_every_kind_of_edit_of_nodes_of_a_pack_does_what_it_says_and_is_undone(
    pack, packs, comfyui_with_packs, browser, bridge_script, report
) -> None:
    page = _open(browser, comfyui_with_packs, bridge_script)
    tried: dict[str, list[Tried]] = {}
    skipped: dict[str, str] = {}
    types = own_types(pack, page.definitions)
    for node_type in types:
        try:
            found = try_edits(page.bridge, node_type, page.definitions)
        except Error as error:
            found = [Tried("add", "", (f"the page: {str(error).splitlines()[0]}",))]
            _close(page)
            page = _open(browser, comfyui_with_packs, bridge_script)
        if isinstance(found, str):
            skipped[node_type] = found
        else:
            tried[node_type] = found
    _close(page)
    wrong = [
        f"{node_type}: {each.kind} {each.what}: {line}"
        for node_type, edits in tried.items()
        for each in edits
        for line in each.wrong
    ]
    if why := failure_to_load(comfyui_with_packs.log_text(), pack):
        wrong.append(f"it was not loaded: {why}")
    report(of_edits(tried, skipped), [*wrong, *(f"skipped {name}: {why}" for name, why in skipped.items())])
    assert wrong == []
    if not types:
        pytest.skip(f"ComfyUI tells of no node type of {pack}, so none was tried")


def test_what_people_ask_of_packs_is_found_among_all_node_types(
    frontend, packs, comfyui_with_packs, browser, bridge_script, capsys
) -> None:
    page = _open(browser, comfyui_with_packs, bridge_script)
    posted = page.bridge.page.evaluate(
        "() => JSON.parse(JSON.stringify(window.bridgeInPage.comfy.pageTypes()))"
    )
    _close(page)
    definitions = [read_node_definition(name, info) for name, info in page.definitions.items()]
    known = {each.type for each in definitions}
    definitions += [each for each in read_page_types(posted) if each.type not in known]
    known |= {each.type for each in definitions}
    index = NodeIndex.build(definitions)

    def share_of(name: str) -> float:
        queries = [
            (query, accepted & known) for query, accepted in recorded_queries(name) if accepted & known
        ]
        not_found = missed(queries, lambda query: [each.type for each in index.search(query)])
        found = len(queries) - len(not_found)
        if not queries:
            pytest.skip("none of the queries is about a node of these packs")
        which = frontend if name == "packages" else f"{frontend}, {name.removeprefix('packages-')}"
        note_search(which, len(definitions), found, len(queries))
        with capsys.disabled():
            print(f"\n{name}: {found} of {len(queries)} among the first three; not: {not_found}")
        return found / len(queries)

    share_of("packages-unseen")
    share = share_of("packages")
    write_block()
    assert share >= 0.8


@pytest.fixture
def untrusted(comfyui_with_packs: ComfyUIProcess) -> Iterator[None]:
    """The person has let the assistant run nodes of no package yet."""
    comfyui_with_packs.trust_packages(trusted=False)
    yield
    comfyui_with_packs.trust_packages()


def test_each_package_is_asked_about_once_and_nothing_of_comfyui_as_one(
    pack, packs, comfyui_with_packs, untrusted, browser, bridge_script, report, capsys
) -> None:
    if why := failure_to_load(comfyui_with_packs.log_text(), pack):
        pytest.skip(f"it was not loaded: {why}")
    runs: list[RunTwice] = []
    wrong: list[str] = []
    page = _open(browser, comfyui_with_packs, bridge_script)
    for count, example in enumerate(examples(packs, pack), 1):
        is_broken = False
        try:
            runs.append(run_twice(page.bridge, example))
        except Error as error:
            wrong.append(f"{example.name}: the page: {str(error).splitlines()[0]}")
            is_broken = True
        if is_broken or count % A_FRESH_PAGE_EVERY == 0:
            _close(page)
            page = _open(browser, comfyui_with_packs, bridge_script)
    _close(page)
    with capsys.disabled():
        print(f"\n{as_table(runs)}")
    wrong += wrong_questions(runs, page.definitions)
    report(of_questions(runs), wrong, "asked_on")
    assert wrong == []


def test_the_panel_works_beside_a_pack(pack, comfyui_with_packs, browser, model, report) -> None:
    comfy = _page(browser, comfyui_with_packs)
    definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
    try:
        wrong = _turn_with_a_node_of(pack, comfy, model, definitions)
    finally:
        comfy.page.context.close()
    wrong += [error for error in comfy.errors if "comfyui-assistant" in error]
    report({"panel": "wrong" if wrong else "right"}, wrong)
    assert wrong == []


def _turn_with_a_node_of(
    pack: str, comfy: ComfyPage, model: ScriptedProviderThread, definitions: dict
) -> list[str]:
    """A turn reads the node, gives it a title and adds one beside it; then the person takes it back.

    A pack without a node has its page script all the same, and one of ComfyUI's own stands beside that.
    """
    types = [name for name in own_types(pack, definitions) if comfy.page.evaluate(CAN_BE_MADE, name)]
    node = comfy.add_node(types[0] if types else "ImageInvert")
    operations = [
        {"op": "title", "nodes": [node], "title": "Seen by the assistant"},
        {"op": "add", "type": "EmptyImage"},
    ]
    model.play(
        {
            "about": "Looks at a node of a pack, and does something beside it.",
            "steps": [
                {"reply": [{"call": "getWorkflowInfo", "arguments": {}}]},
                {"reply": [{"call": "editWorkflow", "arguments": {"operations": operations}}]},
                {"reply": [{"call": "validateWorkflow", "arguments": {}}]},
                {"reply": [{"say": "Done."}]},
            ],
        }
    )
    before = comfy.node_types()
    panel = Panel(comfy.page)
    panel.open()
    panel.begin_new_chat()
    answer = panel.ask("name that node, and put an image beside it")
    states = [state for _, state in panel.tools_by_state()]
    wrong = [] if states == ["succeeded"] * 3 else [f"{panel.tools_by_state()}"]
    wrong += [] if "Done" in answer else [f"the answer: {answer}"]
    wrong += [] if comfy.node_types() == sorted([*before, "EmptyImage"]) else [f"nodes: {comfy.node_types()}"]
    comfy.page.get_by_role("button", name="Undo this turn").click()
    expect(comfy.page.get_by_role("button", name="Redo")).to_be_visible()
    wrong += [] if comfy.node_types() == before else [f"after the undo: {comfy.node_types()}"]
    return wrong


CAN_BE_MADE = "(type) => Boolean(LiteGraph.createNode(type))"


def _open(browser: Browser, comfyui: ComfyUIProcess, bridge_script: str) -> CheckedPage:
    comfy = _page(browser, comfyui)
    bridge = Bridge(comfy.page, bridge_script)
    hold_the_queue(bridge)
    definitions = comfy.page.evaluate("async () => (await fetch('/object_info')).json()")
    return CheckedPage(comfy, bridge, definitions)


def _page(browser: Browser, comfyui: ComfyUIProcess) -> ComfyPage:
    comfy = ComfyPage(browser.new_context(viewport={"width": 1440, "height": 900}).new_page(), comfyui.url)
    comfy.page.set_default_timeout(SECONDS_FOR_ONE * 1000)
    comfy.open()
    return comfy


def _close(page: CheckedPage | None) -> None:
    if page:
        page.comfy.page.context.close()
