"""What is wrong with where nodes and frames lie after a batch, and was not before."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bench.layout_batches import Batch, Canvas, Node, is_amid
from tests.host.canvas import Box, contains, overlap

# What ComfyUI makes of nodes once they show a picture, as it was measured.
HEIGHT_WITH_PICTURE = {"LoadImage": 314, "SaveImage": 270, "PreviewImage": 246}
# The corner of what is laid out anew may go so far without a word: frames keep their padding.
NEAR = 60
# What a part may grow without a word: frames, by whose size that is told, keep their padding.
MOST_GROWN = 1.2
# The least between two nodes.
GAP = 20


@dataclass
class Faults:
    """Over all batches: those in which a rule was broken, with where."""

    overlapping: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    thrown_out: list[str] = field(default_factory=list)
    grown: list[str] = field(default_factory=list)
    longer_wires: list[str] = field(default_factory=list)
    backwards: list[str] = field(default_factory=list)
    for_want_of_room: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    out_of_sight: list[str] = field(default_factory=list)

    def note(self, name: str, batch: Batch, before: Canvas, after: Canvas, done: dict[str, Any]) -> None:
        after = with_pictures(before, after)
        for where, found in (
            (self.overlapping, overlaps(before, after)),
            (self.cut, cuts(batch, before, after)),
            (self.thrown_out, thrown_out(batch, before, after)),
            (self.grown, grown(batch, before, after, done)),
            (self.longer_wires, longer_wires(batch, before, after)),
            (self.backwards, wires_back(batch, before, after, has_room=True)),
            (self.for_want_of_room, wires_back(batch, before, after, has_room=False)),
            (self.untold, untold(batch, before, after, done)),
        ):
            each = list(found)
            if each:
                where.append(f"{name}: {', '.join(each)}")


def with_pictures(before: Canvas, after: Canvas) -> Canvas:
    """New nodes are as high as they become."""
    boxes = dict(after.boxes)
    for node in after.nodes:
        if node["id"] not in before.boxes:
            left, top, right, bottom = boxes[node["id"]]
            height = 30 + HEIGHT_WITH_PICTURE.get(node["type"], 0)
            boxes[node["id"]] = [left, top, right, max(bottom, top + height)]
    return Canvas(after.nodes, boxes, after.frames)


def moved(before: Canvas, after: Canvas) -> set[str]:
    """New nodes among them."""
    return {
        node_id
        for node_id, box in after.boxes.items()
        if node_id not in before.boxes or before.boxes[node_id][:2] != box[:2]
    }


def overlaps(before: Canvas, after: Canvas) -> Iterator[str]:
    for one in sorted(moved(before, after)):
        for other, box in after.boxes.items():
            was = one in before.boxes and other in before.boxes
            if (
                other != one
                and overlap(after.boxes[one], box)
                and not (was and overlap(before.boxes[one], before.boxes[other]))
            ):
                yield f"{one} on {other}"


def cuts(batch: Batch, before: Canvas, after: Canvas) -> Iterator[str]:
    """Nodes that a border crosses, and in a new frame those that were not meant."""
    new = {node["id"] for node in after.nodes} - set(before.boxes)
    for index, (title, frame) in enumerate(after.frames):
        was = before.frames[index][1] if index < len(before.frames) else None
        for node_id, box in after.boxes.items():
            is_cut = overlap(frame, box) and not contains(frame, box)
            was_cut = (
                was is not None
                and node_id in before.boxes
                and overlap(was, before.boxes[node_id])
                and not contains(was, before.boxes[node_id])
            )
            if is_cut and not was_cut:
                yield f"{title} cuts {node_id}"
            elif was is None and is_amid(frame, box) and node_id not in batch.grouped | new:
                yield f"{title} holds {node_id}"


def thrown_out(batch: Batch, before: Canvas, after: Canvas) -> Iterator[str]:
    """Nodes that ComfyUI counted to a group and counts no more, but for those that come into another frame."""
    for (title, was), (_, now) in zip(before.frames, after.frames, strict=False):
        lost = (before.members(was) & set(after.boxes)) - after.members(now) - batch.grouped
        if lost:
            yield f"{title} lost {' '.join(sorted(lost))}"


def grown(batch: Batch, before: Canvas, after: Canvas, done: dict[str, Any]) -> Iterator[str]:
    """What is laid out anew and longer than it was without a word. What lay on something may be."""
    if not batch.arranged or any_overlap(before, batch.arranged):
        return
    was, now = size(before, batch.arranged), size(after, batch.arranged)
    if max(now[0] / was[0], now[1] / was[1]) > MOST_GROWN and "→" not in done["summary"]:
        yield f"{was} to {now} untold"


def longer_wires(batch: Batch, before: Canvas, after: Canvas) -> Iterator[str]:
    """All nodes laid out anew, by which wires became longer, those counted twice that run back."""
    if batch.arranged != set(before.boxes) or any_overlap(before, batch.arranged):
        return
    was, now = wire_length(before), wire_length(after)
    if now > was + 1:
        yield f"wires from {was} to {now}"


def wire_length(canvas: Canvas) -> float:
    length = 0.0
    for node in canvas.nodes:
        for link in node["links"]:
            if link["from"] in canvas.boxes:
                source, target = canvas.boxes[link["from"]], canvas.boxes[node["id"]]
                across = target[0] - source[2]
                length += max(across, -2 * across) + abs(target[1] - source[1])
    return round(length)


def any_overlap(canvas: Canvas, nodes: frozenset[str]) -> bool:
    return any(
        overlap(canvas.boxes[one], box)
        for one in nodes
        for other, box in canvas.boxes.items()
        if other != one
    )


def size(canvas: Canvas, nodes: frozenset[str]) -> tuple[float, float]:
    """Of all nodes, with the frames."""
    boxes = [canvas.boxes[node_id] for node_id in nodes]
    if nodes == set(canvas.boxes):
        boxes += [frame for _, frame in canvas.frames]
    return (
        round(max(box[2] for box in boxes) - min(box[0] for box in boxes)),
        round(max(box[3] for box in boxes) - min(box[1] for box in boxes)),
    )


def wires_back(batch: Batch, before: Canvas, after: Canvas, *, has_room: bool) -> Iterator[str]:
    """
    In rows and in a new frame, a wire to a node wholly below may, and in a frame one from a node wholly below that
    nothing feeds, or that is fed from there.
    """
    together = together_in(batch, before, after)
    nodes = {node["id"]: node for node in after.nodes}
    for node in after.nodes:
        for link in node["links"]:
            source, target = link["from"], node["id"]
            if source not in nodes or not runs_back(after.boxes[source], after.boxes[target]):
                continue
            is_below = after.boxes[target][1] >= after.boxes[source][3]
            is_upwards = not nodes[source]["links"] or is_fed_from_below(after, nodes, source)
            is_source = is_upwards and after.boxes[source][1] >= after.boxes[target][3]
            is_wrap = {source, target} <= together and (is_below or (is_source and bool(batch.grouped)))
            if (
                is_wrap
                or ran_back(before, nodes, source, target)
                or goes_on(before, after, nodes, source, target)
            ):
                continue
            if has_room != lacks_room(batch, before, after, source, target):
                yield f"{source} to {target}"


def is_fed_from_below(canvas: Canvas, nodes: dict[str, Node], source: str) -> bool:
    """Of a node that passes on what comes from others: these stand at its height or below, loaders aside."""
    feeding = {link["from"] for link in nodes[source]["links"] if link["from"] in nodes}
    heights = [canvas.boxes[each][1] for each in feeding if nodes[each]["links"]]
    return bool(heights) and sum(heights) / len(heights) >= canvas.boxes[source][1]


def goes_on(before: Canvas, after: Canvas, nodes: dict[str, Node], source: str, target: str) -> bool:
    """Whether a new node stands under what feeds it, which stood so under what feeds it."""
    return (
        target not in before.boxes
        and source in before.boxes
        and is_under(after.boxes[source], after.boxes[target])
        and any(
            is_under(before.boxes[link["from"]], before.boxes[source])
            for link in nodes[source]["links"]
            if link["from"] in before.boxes
        )
    )


def is_under(above: Box, below: Box) -> bool:
    """In one column."""
    return below[1] >= above[3] and abs(below[0] - above[0]) <= GAP


def lacks_room(batch: Batch, before: Canvas, after: Canvas, source: str, target: str) -> bool:
    """Whether the nodes between which something has to stand leave less room than it takes: those do not move."""
    feeds = {(link["from"], node["id"]) for node in after.nodes for link in node["links"]}
    together = together_in(batch, before, after)
    inside = together if {source, target} & together else chain_of(before, feeds, {source, target})
    sources = {one for one, other in feeds if other in inside and one not in inside and one in after.boxes}
    targets = {other for one, other in feeds if one in inside and other not in inside}
    if not inside:
        return False
    boxes = [after.boxes[node] for node in inside]
    width = (
        max(box[2] for box in boxes) - min(box[0] for box in boxes)
        if inside == together
        else sum(box[2] - box[0] + GAP for box in boxes) + GAP
    )
    left = [before.boxes[node][2] for node in sources & set(before.boxes)]
    right = [before.boxes[node][0] for node in targets & set(before.boxes)]
    if not left or not right:
        return False
    room = min(right) - max(left)
    is_free = (
        inside != together and len(targets) == 1 and can_move_on(before, feeds, next(iter(targets)), width)
    )
    return room < width and not is_free


def can_move_on(before: Canvas, feeds: set[tuple[str, str]], end: str, width: float) -> bool:
    """Whether it is an end, and the canvas right of it is free for so much, as is that right of its frames."""
    if any(one == end for one, _ in feeds):
        return False
    left, top, right, bottom = before.boxes[end]
    frames = [frame for _, frame in before.frames if is_amid(frame, before.boxes[end])]
    taken = [[left, top, right + width + GAP, bottom]]
    taken += [[box[2], box[1], box[2] + width, box[3]] for box in frames]
    others = [box for node, box in before.boxes.items() if node != end]
    others += [frame for _, frame in before.frames if frame not in frames]
    return not any(overlap(one, other) for one in taken for other in others)


def together_in(batch: Batch, before: Canvas, after: Canvas) -> frozenset[str]:
    """Nodes that are laid out anew, or come into one frame."""
    grouped = batch.grouped and batch.grouped | new_among(before, after)
    return (batch.arranged | grouped) & set(after.boxes)


def new_among(before: Canvas, after: Canvas) -> frozenset[str]:
    return frozenset(set(after.boxes) - set(before.boxes))


def chain_of(before: Canvas, feeds: set[tuple[str, str]], ends: set[str]) -> set[str]:
    """The new nodes that wires join to these, through new ones."""
    chain = {node for node in ends if node not in before.boxes}
    while True:
        around = {each for pair in feeds if set(pair) & chain for each in pair if each not in before.boxes}
        if around <= chain:
            return chain
        chain |= around


def runs_back(source: Box, target: Box) -> bool:
    return target[0] < source[2]


def ran_back(before: Canvas, nodes: dict[str, Node], source: str, target: str) -> bool:
    """Whether one of the nodes that were there and that the wire joins now, through new ones, lay left of the other."""
    targets: dict[str, set[str]] = {}
    for node in nodes.values():
        for link in node["links"]:
            targets.setdefault(link["from"], set()).add(node["id"])
    sources = {node_id: {link["from"] for link in node["links"]} for node_id, node in nodes.items()}
    return any(
        runs_back(before.boxes[one], before.boxes[other])
        for one in old_ones(before, source, sources)
        for other in old_ones(before, target, targets)
    )


def old_ones(before: Canvas, start: str, along: dict[str, set[str]]) -> set[str]:
    found, waiting, met = set(), [start], set()
    while waiting:
        node_id = waiting.pop()
        if node_id in met:
            continue
        met.add(node_id)
        if node_id in before.boxes:
            found.add(node_id)
        else:
            waiting.extend(along.get(node_id, ()))
    return found


def untold(batch: Batch, before: Canvas, after: Canvas, done: dict[str, Any]) -> Iterator[str]:
    """Nodes that moved and that no word of the result names, and what was laid out elsewhere without a word."""
    words = f"{done['summary']} {json.dumps(done.get('data', {}).get('changes', {}))}"
    for node_id in sorted(moved(before, after) & set(before.boxes)):
        is_all = batch.arranged == set(before.boxes)
        if not (is_all and " all " in words) and not re.search(
            rf"(?<![\w.]){re.escape(node_id)}(?!\w|\.\w)", words
        ):
            yield node_id
    if batch.arranged and "moved " not in done["summary"]:
        was, now = corner(before, batch), corner(after, batch)
        if max(abs(was[0] - now[0]), abs(was[1] - now[1])) > NEAR:
            yield f"all of it from {was} to {now}"


def corner(canvas: Canvas, batch: Batch) -> tuple[float, float]:
    boxes = [canvas.boxes[node_id] for node_id in batch.arranged]
    return round(min(box[0] for box in boxes)), round(min(box[1] for box in boxes))
