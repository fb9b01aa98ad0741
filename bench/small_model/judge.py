"""Whether a request came out right, told from the graph before and after it and from the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import gt, lt, ne
from typing import Any

from .requests import Request

Graph = Mapping[str, Mapping[str, Any]]
"""By node id: `type`, `title`, `mode`, `widgets` by name, and the sources of `inputs` by name."""

_BEGINNING = 25
"""Characters by which an old text is known in the new one."""
_WAYS: Mapping[str, Callable[[Any, Any], bool]] = {"more": gt, "less": lt, "other": ne}
_ROLLED = ("seed", "noise_seed")


@dataclass(frozen=True)
class Played:
    """What happened: `calls` are the tools that succeeded in the last turn."""

    before: Graph
    after: Graph
    answer: str
    ran: bool
    calls: Sequence[str]
    seconds: float
    problem: str = ""


def faults(request: Request, played: Played) -> list[str]:
    """What is wrong with the outcome; nothing where it is as the request wants it."""
    if played.problem:
        return [played.problem]
    expected = request.expected
    before, after = played.before, played.after
    found = [
        *_values(expected, before, after),
        *_nodes(expected, before, after),
        *_links(expected, before, after),
        *_answer(expected, played.answer),
    ]
    if expected.get("ran") and not played.ran:
        found.append("was not run")
    if not expected.get("ran") and played.ran:
        found.append("was run")
    return found


def _values(expected: Mapping[str, Any], before: Graph, after: Graph) -> list[str]:
    if "types" in expected or "added" in expected or "removed" in expected or "links" in expected:
        changes = {}
    else:
        changes = _changed_values(before, after, rolled=bool(expected.get("ran")))
    wanted = {str(name): value for name, value in expected.get("set", {}).items()}
    words = {str(name): value for name, value in expected.get("has", {}).items()}
    longer = {str(name): value for name, value in expected.get("also", {}).items()}
    moved = {name: way for way in _WAYS for name in map(str, expected.get(way, ()))}
    named = (*wanted, *words, *longer, *moved)
    found = [f"{name} is {value!r}" for name, value in changes.items() if name not in named]
    for name, way in moved.items():
        if not _WAYS[way](_value(after, name), _value(before, name)):
            found.append(f"{name} is {_value(after, name)!r}, not {way}")
    for name, parts in longer.items():
        text = str(_value(after, name)).lower()
        if str(_value(before, name)).strip(" \n.,").lower() not in text or not all(
            part in text for part in parts
        ):
            found.append(f"{name} is {_value(after, name)!r}")
    for name, value in wanted.items():
        if not _same(_value(after, name), value):
            found.append(f"{name} is {_value(after, name)!r}, not {value!r}")
    for name, parts in words.items():
        text = str(_value(after, name)).lower()
        old = str(_value(before, name)).strip().lower()[:_BEGINNING]
        keeps_old = len(old) == _BEGINNING and old in text
        if name not in changes or keeps_old or not all(part.lower() in text for part in parts):
            found.append(f"{name} is {_value(after, name)!r}")
    return found


def _nodes(expected: Mapping[str, Any], before: Graph, after: Graph) -> list[str]:
    if "types" in expected:
        types = sorted(
            node["type"] for name, node in after.items() if before.get(name, {}).get("type") != node["type"]
        )
        held = [*_held(expected.get("holds", {}), after)]
        return held if types == sorted(expected["types"]) else [f"the nodes are {types}", *held]
    removed = [*map(str, expected.get("removed", ()))]
    new = [name for name in after if name not in before]
    found = [f"{name} is gone" for name in before if name not in after and name not in removed]
    found += [f"{name} is still there" for name in removed if name in after]
    types = [after[name]["type"] for name in new]
    if "added" in expected:
        wanted = {name for name in new if after[name]["type"] in expected["added"]}
        feeding = {source for name in wanted for source in _sources(after, name)}
        if not wanted or len(set(new) - feeding) != 1:
            found.append(f"added {types}")
    elif types:
        found.append(f"added {types}")
    modes = {str(name): mode for name, mode in expected.get("mode", {}).items()}
    for name, node in after.items():
        mode = modes.get(name, before.get(name, node)["mode"])
        if node["mode"] != mode:
            found.append(f"{name} is {node['mode']}")
    return found


def _held(expected: Mapping[str, Mapping[str, Any]], after: Graph) -> Iterator[str]:
    for kind, values in expected.items():
        if not any(
            node["type"] == kind
            and all(_same(node["widgets"].get(name), value) for name, value in values.items())
            for node in after.values()
        ):
            yield f"no {kind} holds {values}"


def _links(expected: Mapping[str, Any], before: Graph, after: Graph) -> list[str]:
    if "types" in expected:
        return []
    found = []
    new = [name for name in after if name not in before]
    for target, source in expected.get("links", {}).items():
        node, name = str(target).split(".", 1)
        nodes = new if node == "new" else [node]
        if not any(_source(after, each, name) == str(source) for each in nodes):
            found.append(f"{target} does not come from {source}")
    if between := expected.get("between"):
        start, (end, name) = str(between[0]), str(between[1]).split(".", 1)
        middle = _source(after, end, name)
        while middle in new and start not in _sources(after, middle):
            middle = next((each for each in _sources(after, middle) if each in new), None)
        if middle not in new:
            found.append(f"{between[1]} comes from {middle}")
    if "added" not in expected and "removed" not in expected and "links" not in expected:
        found += [
            f"the links of {name} are {after[name]['inputs']}"
            for name in before
            if name in after and after[name]["inputs"] != before[name]["inputs"]
        ]
    return found


def _answer(expected: Mapping[str, Any], answer: str) -> list[str]:
    if missing := [words for words in expected.get("answer", ()) if not _names_one(answer, words)]:
        return [f"the answer says nothing of {missing}"]
    facts = [words for words in expected.get("facts", ()) if _names_one(answer, words)]
    if len(facts) < expected.get("enough", 0):
        return [f"the answer tells {len(facts)} facts"]
    return []


def _names_one(answer: str, words: Sequence[str]) -> bool:
    """Numbers count only as a whole, words by their beginning."""
    return any(
        re.search(
            rf"(?<![\w.]){re.escape(word)}(?![\d]|\.\d)"
            if word[0].isdigit()
            else rf"(?:\b|(?<=n))(?:\w*n)?{re.escape(word)}"
            if word == "n't"
            else rf"(?<![a-z]){re.escape(word)}" + (r"(?![a-z])" if word in ("no", "not", "none") else ""),
            answer,
            re.IGNORECASE,
        )
        or (word == "n't" and "n't" in answer)
        for word in words
    )


def _changed_values(before: Graph, after: Graph, *, rolled: bool) -> dict[str, Any]:
    """Without those that a link gives: a primitive node writes its value into the widgets that it feeds."""
    return {
        f"{name}.{widget}": value
        for name, node in after.items()
        if name in before
        for widget, value in node["widgets"].items()
        if widget not in node["inputs"]
        and not _same(before[name]["widgets"].get(widget), value)
        and not (rolled and widget in _ROLLED)
    }


def _value(graph: Graph, name: str) -> Any:
    node, widget = name.split(".", 1)
    return graph.get(node, {}).get("widgets", {}).get(widget)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) < 1e-6
    return one == other


def _source(graph: Graph, node: str, name: str) -> str | None:
    found = graph.get(node, {}).get("inputs", {}).get(name)
    return None if found is None else found.split(".")[0]


def _sources(graph: Graph, node: str) -> list[str]:
    return [source.split(".")[0] for source in graph[node]["inputs"].values()]
