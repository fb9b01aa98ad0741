"""What a request orders to be done to nodes and links, where each word of such an order is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...environment.slot_types import shares_type
from ...environment.snapshot import Environment
from ..call import BrowserCall
from ..connect_nodes import connect_nodes
from ..meant import plain
from ..names import role_of, values_by_name
from ..workflow import Workflow
from .comparatives import SEEDS
from .loose_ends import loose_ends_joined
from .new_node import new_node
from .nodes_named import nodes_named, words_alone
from .orders import asks, is_order
from .places import types_from
from .said import ends_said
from .seeds_held import seeds_held

Act = Literal["remove", "bypass", "mute", "active", "add", "connect", "disconnect", "seed"]

_OFF = r"\b(?=.*\b(?:off|aus|ab)\b)"
_ON = r"\b(?=.*\b(?:on|an|ein)\b)"
_AWAY = r"\b(?=.*\b(?:out|away|raus|heraus|weg)\b)"
_VERBS: dict[Act, str] = {
    "disconnect": (
        r"(?:remove|delete|cut|break)\s+(?:the\s+)?(?:links?|connections?|wires?)\s+(?:between|from|of|into)?|"
        r"disconnect|unlink|unplug|detach|unhook|unwire|trenn(?:e|en)?|déconnecte[rz]?|débranche[rz]?|desconectar?|断开"
    ),
    "connect": (r"connect|link|wire|plug|hook|attach|verbinden?|connecte[rz]?|relie[rz]?|conectar?|连接"),
    "remove": (
        r"remove|delete|drop|erase|get rid of|entfernen?|löschen?|supprime[rz]?|enlève[rz]?|enlever|retire[rz]?|"
        rf"kick{_AWAY}|eliminar?|quitar?|borrar?|删除|移除|删掉|去掉|(?:take|throw|nimm|mach|wirf){_AWAY}"
    ),
    "mute": r"mute|silence|stumm",
    "active": (
        r"unmute|unbypass|enable|re-?enable|activate|reactivate|(?:re)?aktivieren?|(?:ré)?active[rz]?|(?:re)?activar?|启用|打开|开启|"
        rf"(?:turn|switch|schalte?|mach){_ON}"
    ),
    "bypass": (
        r"bypass|skip|disable|deactivate|umgehen?|überspringen?|deaktivieren?|désactive[rz]?|contourne[rz]?|desactivar?|绕过|"
        rf"禁用|关闭|关掉|停用|(?:turn|switch|schalte?|mach){_OFF}"
    ),
    "add": (
        r"add|insert|append|include|put|füge?n?|ajoute[rz]?|insère[rz]?|insérer|añad[ea]s?|añadir|agregar?|agrega|insertar?|添加|"
        r"插入|加上|加"
    ),
}
_ACTS: dict[Act, re.Pattern[str]] = {
    act: re.compile(
        rf"(?:\b(?:{words})\b|(?:{'|'.join(re.findall('[一-鿿]+', words)) or '(?!)'}))", re.IGNORECASE
    )
    for act, words in _VERBS.items()
}
_PARTICLES: dict[Act, frozenset[str]] = {
    "remove": frozenset(["out", "away", "raus", "heraus", "weg", "from"]),
    "bypass": frozenset(["off", "aus", "ab"]),
    "active": frozenset(["on", "an", "ein", "again", "back", "wieder"]),
    "add": frozenset(["hinzu", "dazu", "ein", "in"]),
}
_DEEDS = "|".join(
    [
        *_VERBS.values(),
        r"upscale|sharpen|blur|set|change|make|use|replace|increase|decrease|raise|lower|run|start|generate|render|setz\w*|änder\w*|mach\w*|"
        r"starte?|mets|change|règle|lance|pon|cambia|usa|ejecuta|keep|lock|fix|freeze|hold",
    ]
)
_WANTED = re.compile(
    r"^\W*(?:(?:i|we)(?: would|'d)? (?:want|need|like)|ich (?:will|möchte|brauche|hätte gern)|"
    r"je (?:veux|voudrais)|quiero|necesito)\b",
    re.IGNORECASE,
)
"""Before nothing but a node it is as good as an order."""
_WORKED_ON = re.compile(
    r"^(?P<before>\W*(?:(?:i want to|also|now|then|and)\W+)*)"
    r"(?P<kind>upscale|sharpen|blur)\s+(?:(?:the|my|this|final|resulting|generated|output)\s+)*"
    r"(?:it|images?|pictures?|result|output|video|frames?)\b",
    re.IGNORECASE,
)
"""What is to be done to the picture is a node that does it."""
_SEPARATOR = re.compile(
    r"(?:\s*[;,.!?。，；]+\s*|\s+(?:and|but|then|und|aber|dann|et|mais|puis|ensuite|y|pero|luego|&)\s+)+"
    rf"(?=(?:(?:and|then|also|now|instead|und|dann|et|puis|y|luego)\s+)*"
    rf"(?:{_DEEDS})\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"^(?P<start>.+?)\s+(?:from|to|with|and|von|vom|und|mit|de|du|des|et|avec|del|y|con|à|a)\s+(?P<end>.+)$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*(?:,|&)\s*|\s+(?:and|und|et|y|as well as|plus)\s+", re.IGNORECASE)
_TEXT = re.compile(
    r"(?:(?:(?:pos|neg)(?:itiv\w*|ativ\w*)?|négati(?:f|ve)|positi(?:f|ve)|text|prompts?|提示词)\s?)+",
    re.IGNORECASE,
)
_NODE = re.compile(r"\bnodes?\b|\bencode|knoten|nœud|noeud|nodo|节点", re.IGNORECASE)
_NOT_NEEDED = re.compile(r"\b(?:i|we) (?:do not|don['’]?t) (?:need|want)\b", re.IGNORECASE)
_SLOT = re.compile(
    r"\b(?:inputs?|outputs?|slots?|sockets?|eingang|ausgang|entrée|sortie|entrada|salida)\b", re.IGNORECASE
)
_LOOSE = re.compile(
    r"^\W*(?P<node>.+?)\s+(?:(?:is|are)(?: not|n['’]?t)|ist nicht) (?:connected|wired|linked|hooked up|plugged in|"
    r"verbunden|angeschlossen)(?: (?:to|mit) (?:anything|something|nichts|etwas)| properly| any ?more)*[\s,.;!]+"
    r"(?:and\s+|so\s+)?"
    r"(?:(?:fix|repair|correct|connect|wire|do|behebe?|verbinde?|ändere?) (?:that|it|this|das|ihn|sie|es)|"
    r"reconnect(?: it)?)\W*$",
    re.IGNORECASE,
)
"""Says which node has a loose end, and that it is to have none."""
_MODES = ("bypass", "mute", "active")
_IT = ("", "it", "them", "that", "es", "sie", "ihn", "le", "la", "lo")


@dataclass(frozen=True)
class NodeOrders:
    """`operations` are those of editWorkflow, `asked` the first of them as a call in plain words, `rest` what else the
    request says."""

    operations: tuple[dict[str, Any], ...]
    asked: dict[str, Any]
    rest: str


def node_orders(workflow: Workflow, environment: Environment, request: str) -> NodeOrders | None:
    """None where the request orders nothing of the kind, or leaves a doubt about what it orders."""
    if asks(request):
        return None
    operations: list[dict[str, Any]] = []
    asked: dict[str, Any] = {}
    rest: list[str] = []
    if loose := _LOOSE.match(request):
        request = f"connect {loose['node']}"
    for part in _parts(request):
        part = _WORKED_ON.sub(r"\g<before>add \g<kind>", part)
        act = _act_of(workflow, part)
        if act and act != "seed" and rest and _object(part, act).lower().strip(" .!") in _IT:
            part = f"{part} {rest.pop()}"
        found = _READ[act](workflow, environment, part, act) if act and _is_ordered(act, part) else []
        if not found and act and not _WANTED.search(part):
            return None
        if not found or act is None:
            rest.append(part)
            continue
        operations += found
        asked = asked or _in_plain_words(act, found[0])
    return NodeOrders(tuple(operations), asked, _joined(rest)) if operations else None


def _is_ordered(act: Act, part: str) -> bool:
    """A seed is kept by saying that it is not to change, and what nobody needs is to go."""
    return act == "seed" or is_order(f"please {_NOT_NEEDED.sub(' ', part)}")


def _parts(request: str) -> Iterator[str]:
    for part in _SEPARATOR.split(request):
        if plain(part):
            yield part.strip(" \t\n.,;!。，；")


def _joined(parts: Sequence[str]) -> str:
    return ", ".join(parts)


def _act_of(workflow: Workflow, part: str) -> Act | None:
    """The only act that its words order. To remove a link is to disconnect."""
    if seeds_held(workflow, part):
        return "seed"
    found: list[Act] = [act for act in _ACTS if _ACTS[act].search(part)]
    if not found and _WANTED.search(part):
        return "add"
    if "disconnect" in found:
        return "disconnect"
    return found[0] if len(found) == 1 else None


def _object(part: str, act: Act) -> str:
    """What an order is about: its words without the verb and what goes with that."""
    text = _WANTED.sub(" ", _ACTS[act].sub(" ", part))
    particles = _PARTICLES.get(act, frozenset())
    return " ".join(word for word in text.split() if word.lower().strip(".,!") not in particles)


def _removed(workflow: Workflow, _: Environment, part: str, act: Act) -> list[dict[str, Any]]:
    nodes = _all_named(workflow, _object(part, act))
    return [{"op": "remove", "nodes": nodes}] if nodes else []


def _switched(workflow: Workflow, _: Environment, part: str, act: Act) -> list[dict[str, Any]]:
    nodes = _all_named(workflow, _object(part, act))
    return [{"op": "mode", "nodes": nodes, "mode": act}] if nodes else []


def _all_named(workflow: Workflow, phrase: str) -> list[str]:
    """The ids of all that are listed; nothing where one of them is not known, or a text may be meant in place of its
    node."""
    if _TEXT.fullmatch(words_alone(phrase)) and not _NODE.search(phrase):
        return []
    whole = nodes_named(workflow, phrase)
    several = [whole] if whole else [nodes_named(workflow, each) for each in _LISTED.split(phrase)]
    return [node.id for nodes in several for node in nodes] if all(several) else []


def _connected(workflow: Workflow, environment: Environment, part: str, _: Act) -> list[dict[str, Any]]:
    ends = ends_said(part)
    if ends is None:
        nodes = nodes_named(workflow, _object(part, "connect"))
        return loose_ends_joined(workflow, environment, nodes[0]) if len(nodes) == 1 else []
    start, end = (_end_alone(workflow, each) for each in ends)
    call = connect_nodes(workflow, environment, start, end, f"connect {start} to {end}")
    if not isinstance(call, BrowserCall):
        return []
    given = {**call.input}
    given.setdefault("toInput", _input_named(workflow, environment, given, part))
    source, target = (
        ".".join(filter(None, (given[node], given.get(slot))))
        for node, slot in (("fromNode", "fromOutput"), ("toNode", "toInput"))
    )
    return [{"op": "connect", "from": source, "to": target}]


def _end_alone(workflow: Workflow, said: str) -> str:
    """Without what names nothing. A prompt that goes nowhere has no role, but is what "the negative prompt" means."""
    alone = " ".join(word for word in _SLOT.sub(" ", said).split() if words_alone(word))
    if len(named := nodes_named(workflow, alone)) == 1:
        return named[0].id
    role = next((word for word in ("positive", "negative") if word in plain(alone).split()), "")
    encoders = [node for node in workflow.nodes if "TextEncode" in node.type]
    if not role or any(role_of(workflow, node) == role for node in encoders):
        return alone
    loose = [node for node in encoders if not any(workflow.consumers(node))]
    return loose[0].id if len(loose) == 1 else alone


def _input_named(workflow: Workflow, environment: Environment, call: Mapping[str, Any], part: str) -> str:
    """Of several that fit the one whose name is said: "the negative prompt to the sampler"."""
    target = workflow.node(str(call["toNode"]))
    given = types_from(str(call["fromNode"]), workflow, environment.nodes)
    definition = environment.nodes.get(target.type) if target else None
    slots = definition.slots(target.values) if target and definition else ()
    fitting = [slot.name for slot in slots if any(shares_type(slot.type, one) for one in given)]
    said = [name for name in fitting if plain(name) in plain(part).split()]
    return said[0] if len(fitting) > 1 and len(said) == 1 else ""


def _disconnected(workflow: Workflow, _: Environment, part: str, act: Act) -> list[dict[str, Any]]:
    phrase = _object(part, act)
    between = _BETWEEN.match(phrase)
    if between:
        ends = [nodes_named(workflow, between[end]) for end in ("start", "end")]
        if not all(len(nodes) == 1 for nodes in ends):
            return []
        [one], [other] = ends
        links = [
            (node, link)
            for node, source in ((one, other), (other, one))
            for link in node.links
            if link.source == source.id
        ]
    else:
        nodes = nodes_named(workflow, phrase)
        links = [(node, link) for node in nodes for link in node.links] if len(nodes) == 1 else []
        if len(links) != 1:
            return []
    return [
        {"op": "disconnect", "to": f"{node.id}.{link.input}"} for node, link in links if not link.is_unwired
    ]


def _seed(workflow: Workflow, _: Environment, part: str, _act: Act) -> list[dict[str, Any]]:
    held = seeds_held(workflow, part)
    if held is None:
        return []
    keeping = {"op": "set", "nodes": [*held.nodes], "widgets": {"control_after_generate": held.way}}
    if held.number is None:
        return [keeping]
    seeds = [value for value in values_by_name(workflow) if value.widget in SEEDS and value.is_number]
    if len(seeds) != 1:
        return []
    [seed] = seeds
    return [{"op": "set", "nodes": [seed.node.id], "widgets": {seed.widget: held.number}}, keeping]


def _added(workflow: Workflow, environment: Environment, part: str, act: Act) -> list[dict[str, Any]]:
    return new_node(workflow, environment, _object(part, act))


_Reader = Callable[[Workflow, Environment, str, Act], list[dict[str, Any]]]
_READ: Mapping[Act, _Reader] = {
    "remove": _removed,
    "bypass": _switched,
    "mute": _switched,
    "active": _switched,
    "connect": _connected,
    "disconnect": _disconnected,
    "add": _added,
    "seed": _seed,
}


def _in_plain_words(act: Act, operation: Mapping[str, Any]) -> dict[str, Any]:
    """As the model would have called it, which it is shown later."""
    if act == "add":
        return {"name": "addNode", "input": {"type": operation.get("type", "")}}
    if act == "connect":
        return {"name": "connectNodes", "input": {"from": str(operation["from"]), "to": str(operation["to"])}}
    node = ", ".join(operation.get("nodes", [str(operation.get("to", ""))]))
    if act == "remove":
        return {"name": "removeNode", "input": {"node": node}}
    return {"name": "bypassNode", "input": {"node": node, "mode": act}} if act in _MODES else {}
