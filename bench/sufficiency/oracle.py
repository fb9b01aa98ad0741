"""A program in the place of the model. It knows ComfyUI as models do, and of the workflow only what it is shown.

It reads as literally as a small model: what no message or result tells, it cannot do, and says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Sequence
from typing import Any

from dev.scripted.scenario import Call, Say, Step

from . import plain
from .listing import ListedNode, Listing, read_listing
from .policy import Act, Operation, Policy, Stuck, call, edit, listing_in, next_step, read
from .shown import Result, Shown, read_request

CHECKPOINT = "CheckpointLoaderSimple"
_NODE_SLOT = re.compile(r"\b(\d+(?::\d+)*\.[A-Za-z_]\w*)")
_REPAIRS = 4


def answer(body: dict[str, Any]) -> Step:
    """The reply to a chat completion request."""
    shown = read_request(body)
    reply = next_step(_policy_for(shown), shown)
    if isinstance(reply, str):
        return Step(reply=[Say(say=reply)])
    return Step(reply=[Call(call=act.tool, arguments=act.arguments) for act in reply])


def _policy_for(shown: Shown) -> Policy:
    for pattern, policy in POLICIES:
        if match := re.search(pattern, shown.user):
            if "setValue" in shown.tools:
                policy = plain.POLICIES[policy.__name__]
            return policy(shown, *match.groups())
    return _say("What shall I do?")


def _say(text: str) -> Policy:
    yield from ()
    return text


def set_everywhere(shown: Shown, widget: str, value: str, node_type: str) -> Policy:
    listing = yield from read()
    return (yield from _set_in(shown, listing, widget, value, node_type))


def _set_in(shown: Shown, listing: Listing, widget: str, value: str, node_type: str) -> Policy:
    nodes = _some(listing.of_type(node_type), f"no {node_type} in the listing")
    yield from edit(
        shown,
        [{"op": "set", "nodes": [node.path for node in nodes], "widgets": {widget: json.loads(value)}}],
    )
    return f"Set {widget} to {value} on {', '.join(node.path for node in nodes)}."


def from_template(shown: Shown, template: str, widget: str, value: str, node_type: str) -> Policy:
    if "applyWorkflow" not in shown.tools:
        raise Stuck("no tool loads a template")
    loaded = yield from call("applyWorkflow", template=template)
    lines = read_listing(loaded.lines)
    listing = lines if lines.of_type(node_type) else (yield from read())
    return (yield from _set_in(shown, listing, widget, value, node_type))


def add_lora(shown: Shown, file: str, strength: str) -> Policy:
    listing = yield from read()
    loader = _some(listing.of_type(CHECKPOINT), "no checkpoint loader in the listing")[0]
    near = yield from _with_links(listing, loader)
    values = {
        "lora_name": file,
        "strength_model": json.loads(strength),
        "strength_clip": json.loads(strength),
    }
    added = _add(
        "LoraLoader", loader, values, {"model": f"{loader.path}.MODEL", "clip": f"{loader.path}.CLIP"}
    )
    moved = [
        _connect(f"new.{output}", reader, name)
        for output in ("MODEL", "CLIP")
        for reader, name in near.readers(loader, output)
    ]
    yield from edit(shown, [added, *_some(moved, "nothing in the listing uses the loader")])
    return f"Added {file} behind {loader.path}."


def swap_loader(shown: Shown, model: str, clip: str, vae: str) -> Policy:
    listing = yield from read()
    loader = _some(listing.of_type(CHECKPOINT), "no checkpoint loader in the listing")[0]
    near = yield from _with_links(listing, loader)
    parts = (
        ("MODEL", "UNETLoader", {"unet_name": model}),
        ("CLIP", "CLIPLoader", {"clip_name": clip}),
        ("VAE", "VAELoader", {"vae_name": vae}),
    )
    operations: list[Operation] = []
    for output, node_type, values in parts:
        operations.append({**_add(node_type, loader, values, {}), "as": output.lower()})
        operations += [
            _connect(f"{output.lower()}.{output}", reader, name)
            for reader, name in near.readers(loader, output)
        ]
    yield from edit(shown, [*operations, {"op": "remove", "nodes": [loader.path]}])
    return f"Put three loaders in the place of {loader.path}."


def insert_before(shown: Shown, node_type: str, widget: str, value: str, target: str) -> Policy:
    listing = yield from read()
    operations: list[Operation] = []
    for number, node in enumerate(_some(listing.of_type(target), f"no {target} in the listing")):
        near = yield from _with_links(listing, node)
        shown_node = near.node(node.path)
        source = shown_node.links.get("images") if shown_node else None
        if source is None:
            raise Stuck(f"what feeds {node.path} is not shown")
        at = f"{node.place}:{source.node}" if node.place else source.node
        name = f"new{number}"
        added = _add(
            node_type, node, {widget: json.loads(value)}, {"image": f"{at}.{source.slot or 'IMAGE'}"}
        )
        operations += [{**added, "as": name}, _connect(f"{name}.IMAGE", node, "images")]
    yield from edit(shown, operations)
    return f"Put {node_type} in front of {target}."


def use_picture(shown: Shown, word: str, node: str) -> Policy:
    details = yield from call("getWorkflowInfo", nodeIds=[node])
    file = _file_named(word, details.text)
    if file is None and "getNodeInfo" in shown.tools:
        info = yield from call("getNodeInfo", types=["LoadImage"], choices=word)
        file = _file_named(word, info.text)
    if file is None:
        refusal = (yield [_setting(shown, node, "image", word)])[0]
        file = _file_named(word, refusal.text.replace(f'"{word}"', ""))
    if file is None:
        raise Stuck(f"no tool shows a picture of the {word}")
    yield from edit(shown, [{"op": "set", "nodes": [node], "widgets": {"image": file}}])
    return f"{node} now loads {file}."


def compare_seeds(shown: Shown, *seeds: str) -> Policy:
    numbers = [int(seed) for seed in seeds]
    if "editWorkflow" in shown.tools:
        run = yield from call("executeWorkflow", seeds=numbers)
        return f"The pictures: {_files(run)}"
    listing = yield from read()
    nodes = [node for node in listing.nodes if "seed" in node.values]
    node = _some(nodes, "no node with a seed in the listing")[0]
    files = []
    for number in numbers:
        yield from edit(shown, [{"op": "set", "nodes": [node.path], "widgets": {"seed": number}}])
        files.append(_files((yield from call("executeWorkflow"))))
    return f"The pictures: {' '.join(files)}"


def tell_values(_shown: Shown, names: str, node_type: str, node: str) -> Policy:
    listing = yield from read()
    listed = listing.node(node)
    known = dict(listed.values) if listed else {}
    wanted = names.split(" and ")
    if any(known.get(name) is None for name in wanted):
        details = yield from call("getWorkflowInfo", nodeIds=[node])
        text = details.lines
        for name in wanted:
            if match := re.search(
                rf'(?:^|[\s,;(]){re.escape(name)}\s*[=:]\s*("(?:[^"\\]|\\.)*"|[^\s,;)]+)', text
            ):
                known[name] = match[1].strip('"')
    if missing := [name for name in wanted if known.get(name) is None]:
        raise Stuck(f"the value of {missing[0]} is not shown")
    return f"{node_type} {node}: " + ", ".join(f"{name} is {known[name]}" for name in wanted)


def undo(shown: Shown) -> Policy:
    """By the tool for it, else by hand: what the turn before has set gets the value that its result told."""
    for tool in ("undo", "undoTurn", "undoLastTurn"):
        if tool in shown.tools:
            yield from call(tool)
            return "Undone."
    edits = [result for result in shown.earlier if result.tool in ("editWorkflow", "setNodeWidgetValue")]
    operations = [_set_back(change) for result in edits for change in _changes_in(result)]
    yield from edit(shown, _some(operations, "no result tells what the values were before"))
    return "The values are what they were."


def repair(shown: Shown) -> Policy:
    """As the findings say, until there are none."""
    for _ in range(_REPAIRS):
        if "validateWorkflow" not in shown.tools:
            raise Stuck("no tool checks the workflow")
        checked = (yield [Act("validateWorkflow")])[0]
        problems = checked.data.get("problems") or []
        if not problems:
            return "Nothing is wrong now."
        yield from read()
        operation = next((made for problem in problems if (made := _mend(problem))), None)
        if operation is None:
            raise Stuck(f"no fix is told for {problems[0]}")
        yield from edit(shown, [operation])
    raise Stuck("it is still broken after all fixes")


def _mend(problem: dict[str, Any]) -> Operation | None:
    node = str(problem.get("node", "")).split(" ")[0]
    name, fix, found = problem.get("input"), str(problem.get("fix", "")), str(problem.get("problem", ""))
    if match := re.search(r"[Mm]ake (?:node )?(\d+(?::\d+)*) .*?active", fix):
        return {"op": "mode", "nodes": [match[1]], "mode": "active"}
    if "not installed" in found and name is None:
        nearest = re.search(r"closest[^:]*: ([^,.\s]+)", fix, re.IGNORECASE)
        return {"op": "replace", "nodes": [node], "type": nearest[1]} if nearest else None
    if name and (match := re.search(r"[Cc]losest(?: is)?:? ?(.+?)(?:, [^,]+)*\.?$", fix)):
        return {"op": "set", "nodes": [node], "widgets": {name: match[1].strip('"')}}
    if name and (match := _NODE_SLOT.search(fix)):
        return {"op": "connect", "from": match[1], "to": f"{node}.{name}"}
    return None


def _with_links(listing: Listing, node: ListedNode) -> Generator[Sequence[Act], tuple[Result, ...], Listing]:
    """The listing, or where that is an outline, what the surroundings of a node show."""
    if not listing.is_outline:
        return listing
    return listing_in((yield from call("getWorkflowInfo", view="around", nodeIds=[node.path], depth=1)))


def _add(node_type: str, beside: ListedNode, values: dict[str, Any], inputs: dict[str, str]) -> Operation:
    inside = {"inside": beside.place} if beside.place else {}
    given = {"inputs": inputs} if inputs else {}
    return {"op": "add", "type": node_type, "as": "new", "widgets": values, **given, **inside}


def _connect(source: str, reader: ListedNode, name: str) -> Operation:
    return {"op": "connect", "from": source, "to": f"{reader.path}.{name}"}


def _setting(shown: Shown, node: str, widget: str, value: str) -> Act:
    if "editWorkflow" in shown.tools:
        return Act(
            "editWorkflow", {"operations": [{"op": "set", "nodes": [node], "widgets": {widget: value}}]}
        )
    return Act("setNodeWidgetValue", {"node": node, "widget": widget, "value": value})


def _file_named(word: str, text: str) -> str | None:
    match = re.search(rf"[\w./-]*{re.escape(word)}[\w./-]*\.(?:png|jpg|webp)", text)
    return match[0] if match else None


def _files(run: Result) -> str:
    return " ".join(sorted(set(re.findall(r"[\w-]+_\d+_?\.png", run.text))))


def _changes_in(result: Result) -> list[tuple[str, str, str]]:
    """Node, widget and the value before, as lines such as `~ 3 KSampler steps=20→27` tell them."""
    found = []
    for text in [result.parsed.get("summary", ""), json.dumps(result.data, ensure_ascii=False)]:
        for node, rest in re.findall(r"(\d+(?::\d+)*) \w+ ((?:[\w.]+=[^\s\"]+ ?)+)", str(text)):
            found += [(node, name, old) for name, old in re.findall(r"([\w.]+)=([^\s→\"]+)→", rest)]
    return list(dict.fromkeys(found))


def _set_back(change: tuple[str, str, str]) -> Operation:
    node, widget, old = change
    try:
        value = json.loads(old)
    except ValueError:
        value = old
    return {"op": "set", "nodes": [node], "widgets": {widget: value}}


def _some(values: Sequence[Any], otherwise: str) -> Sequence[Any]:
    if not values:
        raise Stuck(otherwise)
    return values


POLICIES: Sequence[tuple[str, Callable[..., Policy]]] = (
    (r'Open the template "(.+?)" and set (\w+) to (\S+) on every (\w+)\.', from_template),
    (r"Set (\w+) to (\S+) on every (\w+)\.", set_everywhere),
    (r'Add the LoRA "(.+?)" with strength (\S+) to model and clip of the checkpoint\.', add_lora),
    (r'Load "(.+?)" by UNETLoader, "(.+?)" by CLIPLoader and "(.+?)" by VAELoader', swap_loader),
    (r"Put an? (\w+) with (\w+) (\S+) in front of every (\w+)\.", insert_before),
    (r"Use the picture of the (\w+) from the input folder in node (\S+)\.", use_picture),
    (r"Run it with the seeds (\d+), (\d+) and (\d+)", compare_seeds),
    (r"What are (.+?) of the (\w+) (\S+)\?", tell_values),
    (r"Undo that\.", undo),
    (r"does not run\. Find out why and repair it\.", repair),
)
