"""How the oracle works in the slim form: by the open workflow as its message lists it, and tools in plain words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .policy import Act, Policy, Stuck, call
from .shown import Result, Shown

Steps = Generator[Sequence[Act], tuple[Result, ...], Any]

_BLOCK = re.compile(r"<open-workflow>\n(.*?)\n</open-workflow>", re.DOTALL)
_NODE = re.compile(r"(?P<id>\d+(?::\d+)*) (?P<rest>.+)")
_VALUE = re.compile(r"(?P<name>.+?) = (?P<value>.+)")
_SOURCE = re.compile(r"(?:(?P<name>\S+) )?from (?P<source>\d+(?::\d+)*)")
_OPEN = re.compile(r"(?P<name>\S+) NOT CONNECTED")
_SEVERAL = re.compile(r"\d+ × (?P<title>.+): (?P<ids>[\d:, ]+)")
_LACKING = re.compile(
    r' \((?:this file is not installed|this is not one of its choices)(?:; the nearest is (".+"))?\)$'
)
_CALLS_OF_A_STEP = 8
_TITLES = {"CheckpointLoaderSimple": "Load Checkpoint", "LoadImage": "Load Image", "SaveImage": "Save Image"}
"""What those who know ComfyUI know of titles that are not their types in words."""
_PLAIN = {"ckpt_name": "checkpoint", "noise_seed": "seed", "image": "input image"}


@dataclass
class PlainNode:
    id: str
    title: str
    links: list[tuple[str, str]] = field(default_factory=list)
    """Names of inputs with the ids of their sources."""
    open_inputs: list[str] = field(default_factory=list)


@dataclass
class PlainListing:
    nodes: list[PlainNode] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    lacking: dict[str, str] = field(default_factory=dict)
    """Names of the values that are none of their choices, with the nearest one where it is told."""

    def of_type(self, node_type: str) -> list[PlainNode]:
        return [node for node in self.nodes if _is_title_of(node.title, node_type)]


def read_plain(text: str) -> PlainListing:
    """Raises `Stuck` where the message brings no workflow along."""
    block = _BLOCK.search(text)
    if block is None:
        raise Stuck("the open workflow is not shown")
    listing = PlainListing()
    nodes, _, values = block[1].partition("\nIts values:\n")
    for line in nodes.split("\n")[1:]:
        if several := _SEVERAL.fullmatch(line):
            listing.nodes += [
                PlainNode(each.strip(), f"{several['title']} {number}")
                for number, each in enumerate(several["ids"].split(","), 1)
            ]
        elif match := _NODE.fullmatch(line):
            listing.nodes.append(_node(match["id"], match["rest"]))
    for line in values.split("\n"):
        if match := _VALUE.fullmatch(line):
            _read_value(listing, match["name"], match["value"])
    return listing


def _node(node_id: str, rest: str) -> PlainNode:
    title, *parts = rest.split(", ")
    title = re.sub(r" (?:\(.*prompt\)|\[\w+\]|\(this node is not installed\))", "", title)
    node = PlainNode(node_id, title)
    for part in parts:
        if match := _OPEN.fullmatch(part):
            node.open_inputs.append(match["name"])
        elif match := _SOURCE.match(part):
            node.links.append((match["name"] or "", match["source"]))
    return node


def _read_value(listing: PlainListing, name: str, text: str) -> None:
    if lacking := _LACKING.search(text):
        listing.lacking[name] = json.loads(lacking[1] or '""')
    try:
        listing.values[name], _ = json.JSONDecoder().raw_decode(text)
    except ValueError:
        listing.values[name] = None  # A long text, of which only the beginning is shown.


def _is_title_of(title: str, node_type: str) -> bool:
    known = _squeezed(_TITLES.get(node_type, node_type))
    return re.fullmatch(rf"{re.escape(known)}(?:prompt)?\d*", _squeezed(title)) is not None


def _squeezed(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _spoken(widget: str) -> str:
    return _PLAIN.get(widget) or widget.removesuffix("_name").replace("_", " ")


def set_everywhere(shown: Shown, widget: str, value: str, node_type: str) -> Policy:
    listing = read_plain(shown.user)
    nodes = _some(listing.of_type(node_type), f"no {node_type} in the listing")
    yield from _set_each([(f"{_spoken(widget)} of node {node.id}", value) for node in nodes])
    return f"Set {widget} to {value}."


def _set_each(values: Sequence[tuple[str, str]]) -> Steps:
    for start in range(0, len(values), _CALLS_OF_A_STEP):
        part = values[start : start + _CALLS_OF_A_STEP]
        results = yield [Act("setValue", {"name": name, "value": value}) for name, value in part]
        for result in results:
            if not result.ok and "already" not in result.text:
                raise Stuck(f"setValue answered {result.text[:300]}")


def from_template(*_: Any) -> Policy:
    yield from ()
    raise Stuck("no tool loads a template")


def add_lora(shown: Shown, file: str, strength: str) -> Policy:
    [loader, *_] = _some(_loaders(shown), "no checkpoint loader in the listing")
    added = yield from call("insertNode", type="LoraLoader", where="after", node=loader.id)
    new = _added(added)
    yield from _set_each(
        [
            (f"lora of node {new}", file),
            (f"strength model of node {new}", strength),
            (f"strength clip of node {new}", strength),
        ]
    )
    return f"Added {file} behind {loader.id}."


def swap_loader(shown: Shown, model: str, clip: str, vae: str) -> Policy:
    listing = read_plain(shown.user)
    [loader, *_] = _some(_loaders(shown), "no checkpoint loader in the listing")
    parts = (
        ("model", "UNETLoader", "unet name", model),
        ("clip", "CLIPLoader", "clip name", clip),
        ("vae", "VAELoader", "vae name", vae),
    )
    for slot, node_type, widget, file in parts:
        new = _added((yield from call("addNode", type=node_type)))
        yield from _set_each([(f"{widget} of node {new}", file)])
        for node in listing.nodes:
            if (slot, loader.id) in node.links:
                yield from call("connectNodes", **{"from": new, "to": node.id})
    yield from call("removeNode", node=loader.id)
    return f"Put three loaders in the place of {loader.id}."


def insert_before(shown: Shown, node_type: str, widget: str, value: str, target: str) -> Policy:
    nodes = _some(read_plain(shown.user).of_type(target), f"no {target} in the listing")
    for node in nodes:
        added = yield from call("insertNode", type=node_type, where="before", node=node.id)
        yield from _set_each([(f"{_spoken(widget)} of node {_added(added)}", value)])
    return f"Put {node_type} in front of {target}."


def use_picture(_shown: Shown, word: str, node: str) -> Policy:
    name = f"input image of node {node}"
    [result] = yield [Act("setValue", {"name": name, "value": word})]
    if not result.ok:
        yield from _set_each([(name, _closest(result))])
    return f"{node} now loads it."


def compare_seeds(shown: Shown, *seeds: str) -> Policy:
    names = [name for name in read_plain(shown.user).values if re.search(r"\bseed\b", name)]
    [name, *_] = _some(names, "no seed in the listing")
    files: list[str] = []
    for seed in seeds:
        yield from _set_each([(name, seed)])
        run = yield from call("runWorkflow")
        files += re.findall(r"[\w-]+_\d+_?\.png", run.text)
    return f"The pictures: {' '.join(dict.fromkeys(files))}"


def tell_values(shown: Shown, names: str, node_type: str, node: str) -> Policy:
    yield from ()
    listing = read_plain(shown.user)
    listed = next((each for each in listing.nodes if each.id == node), None)
    if listed is None:
        raise Stuck(f"node {node} is not shown")
    told = []
    for name in names.split(" and "):
        shown_value = _value_of(listing, listed, _spoken(name))
        told.append(f"{name} is {shown_value}")
    return f"{node_type} {node}: " + ", ".join(told)


def _value_of(listing: PlainListing, node: PlainNode, base: str) -> Any:
    fitting = [name for name in listing.values if name == base or name.endswith(f" {base}")]
    fitting += [name for name in listing.values if name == f"{base} of node {node.id}"]
    if len(fitting) > 1:
        title = node.title.lower()
        own = [
            name
            for name in fitting
            if name.lower() == f"{title} {base}" or name.endswith(f"of node {node.id}")
        ]
        fitting = own or [
            name for name in fitting if set(name.lower().split()) <= {*title.split(), *base.split()}
        ]
    if len(fitting) != 1 or listing.values[fitting[0]] is None:
        raise Stuck(f"which value is {base} of node {node.id} is not shown")
    return listing.values[fitting[0]]


def undo(shown: Shown) -> Policy:
    if "undoTurn" not in shown.tools:
        raise Stuck("no tool undoes")
    yield from call("undoTurn")
    return "Undone."


def repair(shown: Shown) -> Policy:
    """What the listing marks: values that are none of their choices, then inputs that nothing is connected to."""
    listing = read_plain(shown.user)
    mended = 0
    for name, nearest in listing.lacking.items():
        if nearest:
            yield from _set_each([(name, nearest)])
            mended += 1
    used = {source for node in listing.nodes for _, source in node.links}
    idle = [node for node in listing.nodes if node.id not in used and not _is_end(node)]
    for node in listing.nodes:
        for slot in node.open_inputs:
            for source in idle:
                [result] = yield [Act("connectNodes", {"from": source.id, "to": f"{node.id} {slot}"})]
                if result.ok:
                    mended += 1
                    break
    if not mended:
        raise Stuck("the listing marks nothing that a tool can mend")
    return "Mended what was marked."


def _is_end(node: PlainNode) -> bool:
    return re.match(r"(?:Save|Preview)", node.title) is not None


def _loaders(shown: Shown) -> list[PlainNode]:
    return read_plain(shown.user).of_type("CheckpointLoaderSimple")


def _added(result: Result) -> str:
    match = re.search(r"\b[Aa]dded (\d+)|as node (\d+)", result.text)
    if match is None:
        raise Stuck(f"the result does not tell what was added: {result.text[:200]}")
    return match[1] or match[2]


def _closest(result: Result) -> str:
    corrected = result.parsed.get("sendInstead")
    if isinstance(corrected, dict) and "value" in corrected:
        return str(corrected["value"])
    raise Stuck(f"the refusal names nothing closer: {result.text[:300]}")


def _some(values: Sequence[Any], otherwise: str) -> Sequence[Any]:
    if not values:
        raise Stuck(otherwise)
    return values


POLICIES: dict[str, Callable[..., Policy]] = {
    policy.__name__: policy
    for policy in (
        from_template,
        set_everywhere,
        add_lora,
        swap_loader,
        insert_before,
        use_picture,
        compare_seeds,
        tell_values,
        undo,
        repair,
    )
}
"""By the names of what they do in the full form."""
