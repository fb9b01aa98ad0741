"""What a model is shown of a workflow in the first request after a reading, and what of the workflow is not in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import isclose
from typing import Any

from comfyui_assistant import agent_prompts
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.plan import Plan, plan
from comfyui_assistant.engine.context.results import ResultBudget, share_budget
from comfyui_assistant.engine.context.tokens import Calibration, CountText
from comfyui_assistant.tools_definitions import load_catalog
from comfyui_assistant.user_context_loader import UserContext, load_system_context

from dev.places import ROOT

TOOL = "getWorkflowInfo"
QUESTION = (
    "What does this workflow do, and what would have to change so that the picture gets twice as large?"
)
ALL = 10_000_000
"""Tokens of a room in which everything fits."""

_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_LINK = re.compile(r'^("(?:[^"\\]|\\.)*"|[^"<=]+)<([^<?][^<.]*)')
_VALUE = re.compile(r'^("(?:[^"\\]|\\.)*"|[^"<=]+)=(.*)$', re.DOTALL)
_NOTES = ("Note", "MarkdownNote")
_CUT = re.compile(r"…\+\d+(?:\(missing\))?$")


@dataclass
class Node:
    """`links` are sources by the name of the input, in an outline by their number."""

    links: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)

    @property
    def sources(self) -> set[str]:
        return set(self.links.values())


@dataclass(frozen=True)
class Shown:
    """How much of a workflow a listing holds. `cut` are values of which only the beginning is shown."""

    lacks_nodes: int
    lacks_links: int
    lacks_values: int
    cut: int
    values: int

    @property
    def has_all_links(self) -> bool:
        return not (self.lacks_nodes or self.lacks_links)

    @property
    def has_all(self) -> bool:
        return self.has_all_links and not self.lacks_values


Nodes = dict[tuple[str, str], Node]
"""By the key of the subgraph that they are in, and their id."""


def list_nodes(listing: str) -> Nodes:
    """The nodes of a compact listing or an outline, but for notes."""
    found: Nodes = {}
    graph, like = "", ""
    copies: dict[str, str] = {}
    for line in map(str.strip, listing.split("\n")):
        words = _WORD.findall(line)
        if words == ["end"]:
            _complete(found, graph, like, copies)
            graph, like, copies = "", "", {}
        elif line.startswith("subgraph "):
            graph, like = words[1], words[-1] if words[-2] == "like" else ""
        elif words and words[0] not in ("group", "#") and words[1] not in _NOTES:
            found[graph, words[0]] = _node(words[1:])
            if words[2:] and words[2].startswith("="):
                copies[words[2][1:]] = words[0]
    return found


def _complete(found: Nodes, graph: str, like: str, copies: Mapping[str, str]) -> None:
    """Give each node that is told as a copy what its twin in the subgraph `like` has; `copies` are ids by twin."""
    for twin_id, node_id in copies.items():
        twin, own = found[like, twin_id], found[graph, node_id]
        has_outline_links = "0" in own.links
        links = {} if has_outline_links else {name: copies.get(of, of) for name, of in twin.links.items()}
        found[graph, node_id] = Node({**links, **own.links}, {**twin.values, **own.values})


def _node(words: list[str]) -> Node:
    node = Node()
    for place, word in enumerate(words):
        if word.startswith("<"):
            sources = [word[1:], *words[place + 1 :]]
            node.links.update((str(number), source) for number, source in enumerate(sources))
            break
        if value := _VALUE.match(word):
            node.values[value[1]] = value[2]
        elif link := _LINK.match(word):
            node.links[link[1]] = link[2]
    return node


def shown_of(whole: str, shown: str) -> Shown:
    all_nodes, shown_nodes = list_nodes(whole), list_nodes(shown)
    pairs = [(node, shown_nodes.get(key, Node())) for key, node in all_nodes.items()]
    values = [(text, there.values.get(name)) for node, there in pairs for name, text in node.values.items()]
    others = [there for text, there in values if not _is_same(text, there)]
    cut = sum(there is not None and _CUT.search(there) is not None for there in others)
    return Shown(
        lacks_nodes=len(all_nodes.keys() - shown_nodes.keys()),
        lacks_links=sum(len(node.sources - there.sources) for node, there in pairs),
        lacks_values=len(others) - cut,
        cut=cut,
        values=len(values),
    )


def _is_same(text: str, there: str | None) -> bool:
    """A number is shown without what only counting in binary has added to it."""
    try:
        return text == there or (there is not None and isclose(float(text), float(there)))
    except ValueError:
        return False


@cache
def _frame() -> Frame:
    system = agent_prompts.get_system_message(load_system_context(ROOT / "system_context"), UserContext())
    catalog = load_catalog()
    return Frame(system.text, "full", catalog.full, facts=catalog.facts)


def first_plan(window: int, count: CountText, *parts: Mapping[str, Any]) -> Plan:
    """The request for a question in a fresh chat, or the one after the call in `parts`, of a model not met before."""
    budget = Budget(window, min(4_096, window // 4), factor=Calibration().factor)
    question = {"id": "u", "role": "user", "parts": [{"type": "text", "text": QUESTION}]}
    answer = {"id": "a", "role": "assistant", "parts": [{"type": "step-start"}, *parts]}
    return plan([question, *([answer] if parts else [])], _frame(), budget, count=count)


def reading_room(window: int, count: CountText) -> ResultBudget:
    [room] = share_budget(first_plan(window, count).free, [_frame().facts[TOOL]])
    return room


def sent_result(window: int, count: CountText, room: ResultBudget, output: Any) -> str:
    """The tool message of the request after the reading."""
    part = {
        "type": f"tool-{TOOL}",
        "toolCallId": "c1",
        "state": "output-available",
        "input": {},
        "output": output,
        "callProviderMetadata": {"comfyuiAssistant": {"room": room.tokens}},
    }
    return first_plan(window, count, part).messages[-1]["content"]
