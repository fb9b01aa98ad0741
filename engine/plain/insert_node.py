"""insertNode: a new node on a link, or behind an output, where it is said in words."""

from __future__ import annotations

from collections.abc import Sequence

from ..environment.node_definition import NodeDefinition
from ..environment.slot_types import shares_type
from ..environment.snapshot import Environment
from ..tool_result import ToolFailure, failure
from .call import BrowserCall, edit, not_found
from .meant import NotFound, plain, types_meant
from .request.places import Place, ends, is_complete, last_link, passes, places_meant, types_from
from .workflow import Workflow

_TRIED, _FIRST = 12, 3
_STEM, _SHORTEST = 5, 4
_NEW = "new"


def insert_node(
    workflow: Workflow, environment: Environment, wanted: str, place: str
) -> BrowserCall | ToolFailure:
    types = types_meant(environment, wanted)[:_TRIED]
    found = _likely(types, wanted)
    if not found:
        return failure(f'No installed node is like "{wanted}".', "Say it in other words, or tell the user.")
    definitions = environment.nodes
    try:
        places = (
            places_meant(workflow, place, definitions) if place.strip() else last_link(workflow, definitions)
        )
    except NotFound as error:
        return not_found("place", place, error)
    return inserted(workflow, environment, found, places, can_end=len(types) == 1)


def inserted(
    workflow: Workflow,
    environment: Environment,
    found: Sequence[NodeDefinition],
    places: Sequence[Place],
    *,
    can_end: bool,
) -> BrowserCall | ToolFailure:
    """The first type and place that fit together. `can_end`: what hands on something else may stand behind one."""
    for is_fit in (_is_whole, _passes):
        for definition in found:
            for each in sorted(places, key=lambda place: _rank(definition, place)):
                if is_fit(definition, each, workflow, environment):
                    return _between(definition, each, places)
    for definition in found:
        for each in places:
            is_end = not definition.outputs or can_end
            if is_end and (slot := ends(definition, each.type)) is not None:
                return _behind(definition, slot, each)
    return failure(
        f"{_names(found)} cannot stand there: {places[0].type or 'that'} goes through this place.",
        "Name another node or another place.",
    )


def _likely(found: Sequence[NodeDefinition], wanted: str) -> list[NodeDefinition]:
    """Those whose names have something of what is wanted; of one word also the first that a search finds for it."""
    words = plain(wanted).split()
    stems = [word[:_STEM] for word in words if len(word) >= _SHORTEST]
    first = _FIRST if len(words) == 1 else 0
    return [
        definition
        for place, definition in enumerate(found)
        if place < first
        or any(
            stem in plain(f"{definition.type} {definition.display_name}").replace(" ", "") for stem in stems
        )
    ]


def _rank(definition: NodeDefinition, place: Place) -> int:
    """What a node gives first is what it is for."""
    types = [output.type for output in definition.outputs]
    fitting = (number for number, one in enumerate(types) if shares_type(one, place.type))
    return next(fitting, len(types))


def _is_whole(definition: NodeDefinition, place: Place, workflow: Workflow, environment: Environment) -> bool:
    """It passes on what goes through the link, and needs nothing that is not there."""
    given = [place.type, *types_from(place.link.source, workflow, environment.nodes)]
    return passes(definition, place.type) and is_complete(definition, given)


def _passes(definition: NodeDefinition, place: Place, *_: object) -> bool:
    return passes(definition, place.type)


def _between(definition: NodeDefinition, place: Place, places: Sequence[Place]) -> BrowserCall:
    """Behind a node, all that takes the same of it takes it through the new one."""
    insert = {"op": "insert", "type": definition.type, "to": _input(place)}
    others = [each for each in places if place.is_behind and each != place and _is_beside(each, place)]
    output = next((one.name for one in definition.outputs if shares_type(one.type, place.type)), "")
    if not others:
        return edit(insert)
    connects = [{"op": "connect", "from": f"{_NEW}.{output}", "to": _input(each)} for each in others]
    return edit({**insert, "as": _NEW}, *connects)


def _is_beside(one: Place, other: Place) -> bool:
    """Whether both take the same output of one node, by wires of one graph."""
    takes, taken = (
        (place.type, place.link.source, place.link.output, place.target.id.rpartition(":")[0])
        for place in (one, other)
    )
    return takes == taken and not (one.link.is_unwired or other.link.is_unwired)


def _input(place: Place) -> str:
    return f"{place.target.id}.{place.link.input}"


def _behind(definition: NodeDefinition, slot: str, place: Place) -> BrowserCall:
    source = place.link.source + (f".{place.link.output}" if place.link.output else f".{place.type}")
    return edit({"op": "add", "type": definition.type, "inputs": {slot: source}})


def _names(found: Sequence[NodeDefinition]) -> str:
    return found[0].display_name
