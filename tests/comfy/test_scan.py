from __future__ import annotations

import asyncio
import gc
import threading
import time
from itertools import pairwise

import pytest
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.node_definition import read_page_types
from comfyui_assistant.engine.comfy.scan import EnvironmentScanner, ScanUnfinished, read_replacements
from comfyui_assistant.engine.comfy.summary import summarize


@pytest.fixture
def comfy(object_info):
    return FakeComfy(
        object_info=dict(object_info),
        models={
            "loras": ["detail.safetensors"],
            "checkpoints": ["base.safetensors", "sub/other.safetensors"],
        },
        package_names=["some-pack"],
    )


async def test_everything_installed_is_in_the_snapshot(comfy, object_info):
    environment = await EnvironmentScanner(comfy).snapshot()

    assert list(environment.nodes) == list(object_info)
    assert environment.models["checkpoints"] == ("base.safetensors", "sub/other.safetensors")
    assert environment.packages == ("some-pack",)
    assert environment.unreadable == ()
    assert environment.index.search("save image")[0].type == "SaveImage"


@pytest.mark.parametrize("error", [RuntimeError("no GPU"), SystemExit(1), RecursionError()])
async def test_a_node_type_that_raises_breaks_nothing_else(comfy, error):
    def broken():
        raise error

    comfy.object_info["Broken"] = broken
    environment = await EnvironmentScanner(comfy).snapshot()

    assert environment.unreadable == ("Broken",)
    assert "KSampler" in environment.nodes


@pytest.mark.parametrize("info", [None, [], {"input": []}, {"input": {"required": ["x"]}}, 7])
async def test_a_definition_of_the_wrong_shape_breaks_nothing_else(comfy, info):
    comfy.object_info["Broken"] = lambda: info
    environment = await EnvironmentScanner(comfy).snapshot()

    assert environment.nodes.keys() | set(environment.unreadable) == set(comfy.object_info)
    assert "KSampler" in environment.nodes


async def test_a_model_folder_that_cannot_be_listed_is_empty(comfy, monkeypatch):
    class HalfBroken(FakeComfy):
        def model_files(self, folder):
            if folder == "loras":
                raise PermissionError
            return super().model_files(folder)

    environment = await EnvironmentScanner(HalfBroken(comfy.object_info, comfy.models)).snapshot()

    assert environment.models["loras"] == ()
    assert len(environment.models["checkpoints"]) == 2


async def test_help_pages_that_cannot_be_found_break_nothing_else(comfy):
    class WithoutHelp(FakeComfy):
        def help_folders(self):
            raise ImportError

    environment = await EnvironmentScanner(WithoutHelp(comfy.object_info)).snapshot()

    assert environment.help_pages.read("KSampler") is None
    assert "KSampler" in environment.nodes


async def test_the_same_snapshot_is_given_until_something_changes(comfy):
    scanner = EnvironmentScanner(comfy)

    assert await scanner.snapshot() is await scanner.snapshot()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda comfy: comfy.object_info.pop("KSampler"), id="a node type went"),
        pytest.param(
            lambda comfy: comfy.object_info.update(KSampler=dict(comfy.object_info["KSampler"])),
            id="a node type was reloaded",
        ),
        pytest.param(lambda comfy: comfy.models["loras"].append("new.safetensors"), id="a model came"),
        pytest.param(lambda comfy: comfy.models.update(audio=[]), id="a model folder came"),
        pytest.param(lambda comfy: comfy.input_files.append("cat.png"), id="a picture was uploaded"),
    ],
)
async def test_a_change_is_seen_by_the_next_snapshot(comfy, change):
    scanner = EnvironmentScanner(comfy)
    before = await scanner.snapshot()
    change(comfy)

    assert await scanner.snapshot() is not before


async def test_a_snapshot_cannot_be_changed(comfy):
    environment = await EnvironmentScanner(comfy).snapshot()

    with pytest.raises(TypeError):
        environment.nodes["New"] = environment.nodes["KSampler"]
    with pytest.raises(AttributeError):
        environment.packages = ()


async def test_callers_at_the_same_time_share_one_scan(comfy):
    calls = []
    info = comfy.object_info["KSampler"]
    comfy.object_info["Counted"] = lambda: calls.append(1) or info
    scanner = EnvironmentScanner(comfy)

    snapshots = await asyncio.gather(*(scanner.snapshot() for _ in range(5)))

    assert calls == [1]
    assert all(snapshot is snapshots[0] for snapshot in snapshots)


async def test_a_caller_that_leaves_does_not_stop_the_scan(comfy):
    released = threading.Event()
    comfy.object_info["Slow"] = lambda: released.wait(5) and comfy.object_info["KSampler"]
    scanner = EnvironmentScanner(comfy)

    leaving = asyncio.create_task(scanner.snapshot())
    await asyncio.sleep(0)
    leaving.cancel()
    staying = asyncio.create_task(scanner.snapshot())
    await asyncio.sleep(0)
    released.set()

    assert "Slow" in (await staying).nodes
    assert leaving.cancelled()


async def test_a_node_type_that_never_answers_is_named(comfy):
    released = threading.Event()
    comfy.object_info["Hanging"] = lambda: released.wait(5) and {}
    scanner = EnvironmentScanner(comfy, patience_seconds=1.0)

    with pytest.raises(ScanUnfinished, match='still describing the node type "Hanging"'):
        await scanner.snapshot()
    released.set()


async def test_while_a_later_scan_hangs_the_last_snapshot_serves(object_info):
    released = threading.Event()
    comfy = FakeComfy({"KSampler": object_info["KSampler"]})
    scanner = EnvironmentScanner(comfy, patience_seconds=0.5)
    known = await scanner.snapshot()
    comfy.object_info["Hanging"] = lambda: released.wait(5) and {}

    assert await scanner.snapshot() is known
    released.set()


async def test_only_scans_that_read_something_new_are_told(comfy):
    told = []
    scanner = EnvironmentScanner(
        comfy, on_scanned=lambda environment: told.append(summarize(environment).models)
    )
    await scanner.snapshot()
    await scanner.snapshot()
    comfy.models["loras"].append("new.safetensors")
    await scanner.snapshot()

    assert told == [3, 4]


async def test_a_listener_that_fails_does_not_fail_the_scan(comfy):
    def full_disk(_environment):
        raise OSError(28, "No space left on device")

    environment = await EnvironmentScanner(comfy, on_scanned=full_disk).snapshot()

    assert "KSampler" in environment.nodes


@pytest.fixture
def no_garbage_collection():
    gc.disable()
    yield
    gc.enable()


@pytest.mark.slow
@pytest.mark.usefixtures("no_garbage_collection")
async def test_a_large_scan_rests_before_it_has_worked_for_20_ms(object_info):
    """4,900 node types and 20 folders of 500 models, well above a large installation.

    Measured is the processor time of the scanning thread, without garbage collections: the event loop's lag
    depends on what else the machine does, and a full collection on what else lies in the process.
    """
    nodes = {f"{name}{copy}": info for copy in range(100) for name, info in object_info.items()}
    models = {f"folder{n}": [f"model{m}.safetensors" for m in range(500)] for n in range(20)}
    rests = []
    scanner = EnvironmentScanner(
        FakeComfy(dict(nodes), models), sleep=lambda _seconds: rests.append(time.thread_time())
    )
    await scanner.snapshot()

    worked = [after - before for before, after in pairwise(rests)]
    assert len(rests) > 10
    assert max(worked) < 0.02


async def test_what_only_the_page_has_is_found_and_described_beside_the_rest(comfy):
    scanner = EnvironmentScanner(comfy)
    before = await scanner.snapshot()
    scanner.set_page_types(read_page_types([{"name": "GetNode"}, {"name": "KSampler"}]))
    environment = await scanner.snapshot()

    assert environment.nodes is before.nodes
    assert list(environment.page_nodes) == ["GetNode"]
    assert environment.index.search("value without a wire")[0].type == "GetNode"
    assert environment.index.search("save image")[0].type == "SaveImage"
    assert await scanner.snapshot() is environment

    _, again = await scanner.rescan()
    assert list(again.page_nodes) == ["GetNode"]


def test_a_type_is_replaced_by_the_first_installed_one_that_is_listed_for_it():
    listed = {
        "Old": [{"new_node_id": "Gone"}, {"new_node_id": "New"}, {"new_node_id": "Newer"}],
        "Older": [{"new_node_id": "Gone"}],
        "Same": [{"new_node_id": "Same"}],
        "Odd": ["x", {"new_node_id": 3}, None],
        "Wrong": 7,
    }
    assert read_replacements(listed, {"New", "Newer", "Same"}) == {"Old": "New"}
