"""A node that a request wants added: which type, where it belongs, and what it takes from where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...environment.node_definition import NodeDefinition
from ...environment.slot_types import shares_type
from ...environment.snapshot import Environment
from ..call import BrowserCall
from ..insert_node import inserted
from ..meant import NotFound, plain, type_named
from ..workflow import Workflow
from .nodes_named import words_alone
from .number_words import ORDINALS
from .numbers_said import SIZE
from .places import Place, home_of, last_link, places_meant, types_from

_EVERYDAY: dict[str, tuple[str, ...]] = {
    "lora": ("LoraLoader", "LoraLoaderModelOnly"),
    "preview": ("PreviewImage",),
    "upscale": ("ImageUpscaleWithModel", "ImageScaleBy"),
    "controlnet": ("ControlNetApplyAdvanced", "ControlNetApply"),
    "save": ("SaveImage",),
    "blur": ("ImageBlur",),
    "sharpen": ("ImageSharpen",),
    "invert": ("ImageInvert",),
}
"""What people call types by what they are for, the first that is installed and fits there."""
_SAID = {
    "lora loader": "lora", "load lora": "lora", "preview image": "preview", "image preview": "preview",
    "image upscaler": "upscale", "upscaling": "upscale", "upscale image": "upscale", "control net": "controlnet",
    "image save": "save", "save image": "save", "blurring": "blur", "sharpening": "sharpen", "sharpener": "sharpen",
    "inverter": "invert", "image blur": "blur", "preview preview": "preview",
}  # fmt: skip
_SIDES = (
    (r"\b(?:vor|avant|antes de|antes del)\b", "before"),
    (r"\b(?:nach|hinter|après|después de|después del|behind|following)\b", "after"),
    (r"\b(?:zwischen|entre)\b", "between"),
)
_AND = re.compile(r"\s(?:und|et|y)\s", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:right |just |directly |straight )?(?P<place>(?:before|after|between)\b.*|(?:at|to) the (?:very )?end\b.*|"
    r"am ende\b.*|"
    r"à la fin\b.*|al final\b.*)$",
    re.IGNORECASE,
)
_END = re.compile(r"\bend\b|ende\b|fin\b|final\b|sav(?:e|ed|ing)\b|speicher|enregistre|guarda", re.IGNORECASE)
_OF_THE_RESULT = re.compile(
    r"\b(?:of|for|von|vom|für|de|pour|para|to|zum|zu|au|al)\s+(?:(?:the|my|this|dem|den|der|das|des|le|la|les|el|l)\W+)*"
    r"(?:(?:final|decoded|finished|result\w*|output|whole|fertige\w*|generated)\s*)*"
    r"(?:images?|pictures?|frames?|video|results?|output|(?:base )?model|checkpoint|workflow|"
    r"graph|it|pipeline|end|bild\w*|ergebnis\w*|imagen|resultado|flujo)\s*$",
    re.IGNORECASE,
)
_STRENGTH = re.compile(
    r"\b(?:with|at|of|mit|avec|con)?\s*(?:a |the )?(?:strength|stärke|force|fuerza)\s*"
    r"(?:of|von|de|:|=)?\s*(\d+(?:[.,]\d+)?)",
    re.IGNORECASE,
)


_FACTOR = re.compile(
    r"\b(?:by\s+)?(?:a factor of\s+)?(\d(?:[.,]\d+)?)\s*(?:x|times)\b|\bx\s?(\d)\b|\bby\s+(\d(?:[.,]\d+)?)\b",
    re.IGNORECASE,
)
_FURTHER = re.compile(
    rf"\b(?:{'|'.join(word for word, place in ORDINALS.items() if place > 0)})\b", re.IGNORECASE
)


def new_node(workflow: Workflow, environment: Environment, phrase: str) -> list[dict[str, Any]]:
    """The operations of editWorkflow; none where a word is left over, or the type or the place is in doubt."""
    text = phrase
    for pattern, side in _SIDES:
        text = re.sub(pattern, side, text, flags=re.IGNORECASE)
    strength, size, factor = (pattern.search(text) for pattern in (_STRENGTH, SIZE, _FACTOR))
    for found in filter(None, (strength, size, factor if not size else None)):
        text = text.replace(found[0], " ")
    place = _PLACE.search(text)
    about = _FURTHER.sub(" ", text[: place.start()] if place else text).strip()
    if not place:
        about = _OF_THE_RESULT.sub(" ", about)
    widgets: dict[str, Any] = {}
    if size:
        widgets |= {"width": int(size[1]), "height": int(size[2])}
    elif factor:
        widgets["scale_by"] = _number(next(filter(None, factor.groups())))
    if strength:
        widgets["strength_model"] = _number(strength[1])
    known = _types(environment, words_alone(about))
    definitions = [each for each in known if all(_has(each, name) for name in widgets)]
    if not definitions:
        return []
    places = _places(workflow, environment, definitions, place["place"] if place else "", about)
    if places is None:
        return []
    operations = _operations(workflow, environment, definitions, places)
    if widgets and operations:
        operations = [
            {**each, "widgets": widgets} if each["op"] in ("add", "insert") else each for each in operations
        ]
    try:
        return [*_with_loaders(workflow, environment, operations)]
    except _Incomplete:
        return []


def _number(written: str) -> float:
    return float(written.replace(",", "."))


def _types(environment: Environment, words: str) -> list[NodeDefinition]:
    if named := type_named(environment, words):
        return [named]
    said = _SAID.get(words, words)
    return [environment.nodes[name] for name in _EVERYDAY.get(said, ()) if name in environment.nodes]


def _has(definition: NodeDefinition, widget: str) -> bool:
    return any(each.name == widget and each.is_widget for each in definition.slots())


def _places(
    workflow: Workflow, environment: Environment, definitions: Sequence[NodeDefinition], said: str, about: str
) -> list[Place] | None:
    """None where the place that is said is not known; none where the node stands alone."""
    if not said or _is_end_alone(said):
        return [place for each in definitions[:1] for place in home_of(each, workflow, environment.nodes)]
    kind = words_alone(about)
    where = re.sub(r"\b(?:one|eine[nrm]?)\b", kind, _AND.sub(" and ", said))
    head, _, rest = where.partition(" ")
    ends = [words_alone(each) for each in re.split(r"\s+(?:and|to)\s+", rest)]
    try:
        return places_meant(workflow, f"{head} {' and '.join(ends)}", environment.nodes)
    except NotFound:
        return last_link(workflow, environment.nodes) if _END.search(said) else None


def _is_end_alone(said: str) -> bool:
    return not said.lower().startswith(("before", "after", "between"))


def _operations(
    workflow: Workflow,
    environment: Environment,
    definitions: Sequence[NodeDefinition],
    places: Sequence[Place],
) -> list[dict[str, Any]]:
    if not places:
        return _alone(workflow, environment, definitions[0])
    call = inserted(workflow, environment, definitions, places, can_end=True)
    return list(call.input["operations"]) if isinstance(call, BrowserCall) else []


def _alone(workflow: Workflow, environment: Environment, definition: NodeDefinition) -> list[dict[str, Any]]:
    """What only shows or saves something takes it from where there is such a thing, though no link has it yet; nothing
    where that is nowhere, or in several places."""
    taken = next((slot for slot in definition.slots() if slot.required and not slot.is_widget), None)
    if definition.outputs or taken is None:
        return [{"op": "add", "type": definition.type}]
    giving = [
        f"{node.id}.{found}"
        for node in workflow.nodes
        if (found := _type_from(workflow, environment, node.id, taken.type))
    ]
    return (
        [{"op": "add", "type": definition.type, "inputs": {taken.name: giving[0]}}]
        if len(giving) == 1
        else []
    )


def _type_from(workflow: Workflow, environment: Environment, node_id: str, kind: str) -> str | None:
    given = types_from(node_id, workflow, environment.nodes)
    return next((one for one in given if shares_type(one, kind)), None)


def _with_loaders(
    workflow: Workflow, environment: Environment, operations: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Before a node what it cannot do without, where nothing there gives it: a ControlNet has to be loaded."""
    for operation in operations:
        if operation["op"] != "insert":
            yield operation
            continue
        target = workflow.node(str(operation["to"]).rpartition(".")[0])
        links = {link.input: link.source for link in target.links} if target else {}
        given = types_from(
            links.get(str(operation["to"]).rpartition(".")[2], ""), workflow, environment.nodes
        )
        definition = environment.nodes[operation["type"]]
        inputs: dict[str, str] = {}
        for slot in definition.slots():
            passes = any(shares_type(output.type, slot.type) for output in definition.outputs)
            is_given = any(shares_type(slot.type, one) for one in given)
            if not slot.required or slot.is_widget or is_given or (passes and slot.name in links):
                continue
            source = _source_there(workflow, environment, slot.type)
            loader = None if source else _loader(environment, slot.type)
            if loader is not None:
                yield {"op": "add", "type": loader.type, "as": f"new_{slot.name}"}
                source = f"new_{slot.name}.{loader.outputs[0].name}"
            if source is None:
                raise _Incomplete
            inputs[slot.name] = source
        yield {**operation, **({"inputs": inputs, "as": "new"} if inputs else {})}


class _Incomplete(Exception):
    """A node needs what nothing gives."""


def _source_there(workflow: Workflow, environment: Environment, kind: str) -> str | None:
    """Of nodes that take nothing from others, so that nothing runs in a circle."""
    found = (
        f"{node.id}.{given}"
        for node in workflow.nodes
        if not node.links and (given := _type_from(workflow, environment, node.id, kind))
    )
    return next(found, None)


def _loader(environment: Environment, kind: str) -> NodeDefinition | None:
    found = [
        definition
        for definition in environment.nodes.values()
        if definition.outputs
        and shares_type(definition.outputs[0].type, kind)
        and not definition.is_deprecated
        and not any(slot.required and not slot.is_widget for slot in definition.slots())
        and "load" in plain(definition.type)
    ]
    return min(found, key=lambda each: (not each.is_basic, len(each.type)), default=None)
