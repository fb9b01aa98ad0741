"""Which nodes a person names in a request: what the model makes of it is checked against that."""

from __future__ import annotations

import re
from collections import Counter

from ...environment.snapshot import Environment
from ..meant import AROUND_TYPES, plain, types_meant
from ..workflow import Node, Workflow
from .number_words import NUMBER_WORDS, SMALL_NUMBERS
from .places import SIDES

_ENDS = re.compile(
    r"\b(?:connect|link|wire|plug|hook|attach|join|feed|verbinde|connecte|relie|conecta)\w*\s+(?:up\s+)?(?P<start>.+?)"
    r"\s+(?:back\s+)?(?:to|with|into|in|and|mit|und|à|et|con|y)\s+(?P<end>[^,;!?]+)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:before|after|behind|between|from|feeds?|connected|except|but|keep|leave|not|without|instead|and|vor|nach|hinter|"
    r"zwischen|außer|und|avant|après|entre|et|y)\b",
    re.IGNORECASE,
)
_ADDED = re.compile(
    r"\b(?:add|insert|put)\s+(.+?)(?=\s+(?:of|to|for|that|which|so|with|and|in|on|at)\b|[,.;!?]|$)",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?P<number>\d{1,2}|\w+)\s*(?:times|x\b|mal|fois|veces)|\b(?P<word>twice|thrice|zweimal|dreimal)\b",
    re.IGNORECASE,
)
_TIMES_IN_WORDS = {
    **NUMBER_WORDS,
    **SMALL_NUMBERS,
    **dict.fromkeys(["twice", "zweimal"], "2"),
    **dict.fromkeys(["thrice", "dreimal"], "3"),
}
_MOST_TIMES = 24
_SHOWN = re.compile(
    r"\b(?:I(?:'d| would)? (?:want|like|love|prefer)(?: to (?:see|have))?(?: it to (?:be|show))?|(?:make|give|show) me|"
    r"draw|paint|(?:should|to) show|picture of|image of|photo of|(?:change|turn|make) it (?:to|into)|"
    r"ich (?:will|möchte|hätte gern)|je (?:veux|voudrais)|quiero)\s+"
    r"(?P<text>(?:an?|the|some|one|two|three|my|ein\w*|une?|un[ao]?s?)\s+[^,.;!?\n]+)",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\s+(?:instead|now|stattdessen|à la place|en su lugar)\b.*$", re.IGNORECASE)
_SHORTEST = 3
_STEM = 4


def ends_said(request: str) -> tuple[str, str] | None:
    """What "connect … to …" names; None where it is not said just once."""
    found = [*_ENDS.finditer(request)]
    return (found[0]["start"], found[0]["end"].rstrip(". ")) if len(found) == 1 else None


def type_said(environment: Environment, request: str, kind: str) -> str:
    """The only installed type that the request names whole, before it comes to the place; else what it wants added,
    where `kind`, which the model made of it, has nothing of it; else `kind`.

    Names of one word are words of the language too, unless they are written as types are.
    """
    about = SIDES.split(request)[0]
    text = f" {plain(about)} "
    names = {
        name: definition.type
        for definition in environment.nodes.values()
        if not definition.is_deprecated
        for name in (plain(definition.type), plain(definition.display_name))
        if f" {name} " in text and (" " in name or definition.type in about)
    }
    longest = {names[name] for name in names if not any(name != other and name in other for other in names)}
    if longest:
        return longest.pop() if len(longest) == 1 else kind
    wanted = _thing_added(about)
    squeezed = plain(kind).replace(" ", "")
    is_of_it = not wanted or any(word[:_STEM] in squeezed for word in wanted.split())
    return kind if is_of_it or not types_meant(environment, wanted) else wanted


def _thing_added(request: str) -> str:
    """What "add …" names, without the words around it."""
    found = _ADDED.findall(request)
    if len(found) != 1:
        return ""
    return " ".join(word for word in plain(found[0]).split() if word not in AROUND_TYPES)


def times_said(request: str) -> int:
    """How often something is to be run; 0 where the request does not say that it is more than once."""
    found = [
        int(number) if (number := _TIMES_IN_WORDS.get(word.lower(), word)).isdigit() else 0
        for match in _TIMES.finditer(request)
        for word in [match["number"] or match["word"]]
    ]
    return found[0] if len(found) == 1 and 2 <= found[0] <= _MOST_TIMES else 0


def shown_said(request: str) -> str:
    """What "I want a dragon on a castle instead" wants to see; "" where it says no such thing, or more than one."""
    found = [*_SHOWN.finditer(request)]
    return _BESIDE.sub("", found[0]["text"]).strip() if len(found) == 1 else ""


def is_spoken_of(node: Node, request: str) -> bool:
    """Whether the request has its number or a word of its title or type."""
    own = {word for word in plain(f"{node.label} {node.type}").split() if len(word) >= _SHORTEST} | {node.id}
    said = set(plain(request).split())
    return bool(own & said) or any(plain(name).replace(" ", "") in said for name in (node.label, node.type))


def node_said(workflow: Workflow, request: str) -> Node | None:
    """The only node that the request names by its title, type or number; None where there are none or several.

    "The node before Save Image" is not Save Image, nor is the preview of "the preview, keep Save Image".
    """
    if _RELATIVE.search(request):
        return None
    text = f" {plain(request)} "
    labels = Counter(plain(node.label) for node in workflow.nodes)
    types = Counter(plain(node.type) for node in workflow.nodes)
    found = {
        node.id: max(names, key=len)
        for node in workflow.nodes
        if (
            names := [
                name
                for name, number in (
                    (plain(node.label), labels[plain(node.label)]),
                    (plain(node.type), types[plain(node.type)]),
                    (f"node {node.id}", 1),
                )
                if number == 1 and len(name) >= _SHORTEST and f" {name} " in text
            ]
        )
    }
    longest = [
        node_id
        for node_id, name in found.items()
        if not any(name != other and name in other for other in found.values())
    ]
    return workflow.node(longest[0]) if len(longest) == 1 else None
