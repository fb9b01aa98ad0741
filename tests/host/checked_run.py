"""What ComfyUI would run of the page's graph, and whether it would take it, without running it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.host.bridge import Bridge
from tests.host.comfy import ComfyPage
from tests.host.template_damage import Definitions, page_call


@dataclass(frozen=True)
class CheckedPage:
    comfy: ComfyPage
    bridge: Bridge
    definitions: Definitions


def what_runs(comfy: ComfyPage) -> Mapping[str, Mapping[str, Any]]:
    """Without what the page tells of a node's title and package."""
    return {
        node: {"class_type": entry["class_type"], "inputs": entry["inputs"]}
        for node, entry in comfy.prompt().items()
    }


def hold_the_queue(bridge: Bridge) -> None:
    """With one long run at its head nothing else is begun: prompts are only checked."""
    page_call(
        bridge,
        """const prompt = { 1: { class_type: "TestSlowRun", inputs: { seconds: 3600 } } };
        const body = JSON.stringify({ prompt });
        await fetch("/prompt", { method: "POST", headers: { "Content-Type": "application/json" }, body });""",
    )


def refusal(bridge: Bridge) -> Any:
    """Why ComfyUI itself would not run the workflow; None when it would."""
    return page_call(
        bridge,
        """const headers = { "Content-Type": "application/json" };
        const { output: prompt } = await app.graphToPrompt();
        const reply = await fetch("/prompt", { method: "POST", headers, body: JSON.stringify({ prompt }) });
        const answer = await reply.json();
        await fetch("/queue", { method: "POST", headers, body: JSON.stringify({ clear: true }) });
        const isFine = reply.ok && Object.keys(answer.node_errors ?? {}).length === 0;
        return isFine ? null : answer;""",
    )
