"""Official templates after accidents: checking names at least what ComfyUI itself refuses. `make test-templates`."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from dev.templates import OF_THIS_COMFYUI
from tests.host.accidents import ACCIDENTS
from tests.host.bridge import Bridge
from tests.host.checked_run import CheckedPage, refusal, what_runs
from tests.host.official_templates import known_templates
from tests.host.template_damage import load

pytestmark = pytest.mark.all_templates

SEED = 11
OF_EACH_KIND = 8


def test_checking_names_at_least_what_comfyui_refuses(
    checked_page: CheckedPage, capsys: pytest.CaptureFixture[str]
) -> None:
    comfy, bridge, definitions = checked_page.comfy, checked_page.bridge, checked_page.definitions
    random = Random(SEED)
    tried: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    named: Counter[str] = Counter()
    noted: Counter[str] = Counter()
    without_path: list[str] = []
    overlooked: list[str] = []
    alarms: list[str] = []
    templates = list(known_templates(OF_THIS_COMFYUI, definitions))
    for name, workflow in random.sample(templates, len(templates)):
        wanted = [kind for kind in ACCIDENTS if tried[kind] < OF_EACH_KIND]
        if not wanted:
            break
        load(bridge, workflow)
        if refusal(bridge):
            continue
        prompt = what_runs(comfy)
        if problems := checked(bridge)["problems"]:
            alarms.append(f"{name}: {problems[0]}")
        for kind in wanted:
            load(bridge, workflow)
            if not ACCIDENTS[kind](bridge, prompt, definitions, random):
                continue
            tried[kind] += 1
            of_comfyui, found = refusal(bridge), checked(bridge)
            problems = found["problems"]
            refused[kind] += bool(of_comfyui)
            named[kind] += bool(problems)
            noted[kind] += bool(problems or found.get("bypassed") or found.get("leadToNoOutput"))
            missed = nodes_refused(of_comfyui) - {
                str(each.get("node", "")).split(" ")[0] for each in problems
            }
            if missed or (of_comfyui and not problems):
                overlooked.append(f"{name}, {kind}: {of_comfyui}, but {problems}")
            without_path += [
                f"{name}: {each['fix']}"
                for each in problems
                if each.get("fix", "").startswith("Connect an output")
            ]
    with capsys.disabled():
        print(f"\ndamaged: {tried.total()} {dict(tried)}")
        print(f"refused by ComfyUI: {refused.total()} {dict(refused)}")
        print(f"named as problems: {named.total()}, with notes: {noted.total()} {dict(noted)}")
        print(f"without a candidate by path: {len(without_path)}")
    assert overlooked == []
    assert alarms == []
    assert named.total() >= refused.total()
    assert tried.total() >= 40


def checked(bridge: Bridge) -> Any:
    return bridge.call("validateWorkflow", {})["data"]


def nodes_refused(answer: Any) -> set[str]:
    return set((answer or {}).get("node_errors") or {})
