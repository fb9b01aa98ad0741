"""Which value, node or node type is meant by what a model calls it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from ..environment.node_definition import NodeDefinition
from ..environment.snapshot import Environment
from .names import Value, role_of
from .request.number_words import ORDINALS
from .workflow import Node, Workflow

_FILLING = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "for",
        "my",
        "this",
        "that",
        "node",
        "nodes",
        "value",
        "widget",
        "set",
        "please",
        "its",
        "it",
        "into",
        "and",
        "current",
        "loader",
    ]
)
AROUND_TYPES = frozenset(["a", "an", "the", "new", "another", "second", "some", "node", "nodes"])
_OTHER_WORDS = {
    "prompt": "positive prompt",
    "text": "positive prompt",
    "positive": "positive prompt",
    "negative": "negative prompt",
    "images": "batch size",
    "sampler name": "sampler",
    "filename": "file name",
    "filename prefix": "file name",
    "frames": "length",
    "guidance": "cfg",
    "cfg scale": "cfg",
    "strength": "denoise",
    "model": "checkpoint",
    "picture": "input image",
    "image": "input image",
}
_LONGEST_NAME = 60
_ALIKE, _NEAR = 0.8, 0.65
_MOST_OTHERS = 12
_ALIKE_TYPE, _LONG = 0.75, 8
"""Of a node type that a model has made up from one that there is, such as LoraLoaderSimple."""


class NotFound(Exception):
    """Nothing, or more than one thing, is meant; `candidates` are what it could be, `others` what there is else."""

    def __init__(self, candidates: Sequence[str], others: Sequence[str] = ()) -> None:
        super().__init__()
        self.candidates = list(candidates)
        self.others = list(others)


def values_meant(values: Sequence[Value], said: str) -> list[Value]:
    """One value; or several of the same base that are equal now, which are meant together.

    Raises:
        NotFound
    """
    wanted = plain(said)
    if named := [value for value in values if plain(value.name) == wanted]:
        return named[:1]
    for words in dict.fromkeys((wanted, _OTHER_WORDS.get(wanted, wanted))):
        if exact := [value for value in values if words in _names(value)]:
            return _together(exact)
    words = set(wanted.split()) - _FILLING
    if words:
        fitting = [value for value in values if words <= _words(value)]
        if not fitting:
            fitting = [value for value in values if set(plain(value.name).split()) <= words]
            longest = max((len(value.name) for value in fitting), default=0)
            fitting = [value for value in fitting if len(value.name) == longest]
        if fitting:
            return _together(fitting)
    alike = [(max(_alike(wanted, name) for name in _names(value)), value) for value in values]
    best = max((score for score, _ in alike), default=0.0)
    if best >= _ALIKE:
        return _together([value for score, value in alike if score == best])
    near = sorted((each for each in alike if each[0] >= _NEAR), key=lambda each: -each[0])[:4]
    raise NotFound([value.name for _, value in near], [value.name for value in values][:_MOST_OTHERS])


def node_meant(workflow: Workflow, said: str, *, is_exact: bool = False) -> Node:
    """The only node that it fits; where it is not `is_exact`, a close spelling is enough.

    Raises:
        NotFound
    """
    text = said.strip()
    if node := workflow.node(text.removeprefix("#")):
        return node
    numbers = re.search(r"(?:^|node\s*|#|\()(\d+(?::\d+)*)\b(?!\.\w)", text, re.IGNORECASE)
    if numbers and (node := workflow.node(numbers[1])):
        return node
    wanted = plain(text)
    for names in (_labels, _kinds):
        if exact := [node for node in workflow.nodes if wanted in names(workflow, node)]:
            return _only(exact)
    tokens = wanted.split()
    ordinal = next((ORDINALS[token] for token in tokens if token in ORDINALS), None)
    numbered = re.search(r"\b(\d)$", wanted)
    if ordinal is None and numbered:
        ordinal = int(numbered[1]) - 1
    words = {token for token in tokens if token not in ORDINALS and not token.isdigit()} - _FILLING
    fitting = [node for node in workflow.nodes if words and words <= words_of_node(workflow, node)]
    if fitting and ordinal is not None and -1 <= ordinal < len(fitting):
        return fitting[ordinal]
    if fitting:
        fewest = min(len(plain(node.label).split()) for node in fitting)
        return _only([node for node in fitting if len(plain(node.label).split()) == fewest])
    wanted = " ".join(token for token in tokens if token not in _FILLING)
    scored = [
        (max(_alike(wanted, name) for name in _labels(workflow, node) | _kinds(workflow, node)), node)
        for node in workflow.nodes
    ]
    best = max((score for score, _ in scored), default=0.0)
    if best >= _ALIKE and not is_exact:
        return _only([node for score, node in scored if score == best])
    raise NotFound([], [f"{node.id} {node.label}" for node in workflow.nodes][:_MOST_OTHERS])


def named_by(request: str, names: Sequence[str], *, value: str = "") -> str | None:
    """The only one of some names that has words of its own in the request; its number may be said in words.

    `value` is what is to be set: its words name nothing.
    """
    if not names:
        return None
    said = [word for word in plain(request).split() if word not in plain(value).split()]
    places = [ORDINALS[word] for word in said if word in ORDINALS]
    numbers = {place % len(names) + 1 for place in places if place < len(names)}
    words = {*said, *map(str, numbers)}
    tokens = [set(plain(name).split()) for name in names]
    shared = set[str]().union(*tokens).intersection(*tokens)
    found = [name for name, own in zip(names, tokens, strict=True) if (own - shared) & words]
    return found[0] if len(found) == 1 else None


def types_meant(environment: Environment, said: str) -> list[NodeDefinition]:
    """The node types that may be meant, best first; the only one where it is named."""
    wanted = plain(said)
    current = [definition for definition in environment.nodes.values() if not definition.is_deprecated]
    words = [word for word in wanted.split() if word not in AROUND_TYPES]
    squeezed = "".join(words) or wanted
    if named := type_named(environment, said):
        return [named]
    closest = _spelt_alike(current, squeezed) if len(squeezed) >= _LONG else None
    query = " ".join(word for word in wanted.split() if word not in _FILLING)
    found = [definition for definition in environment.index.search(query) if not definition.is_deprecated]
    return [closest, *found] if closest is not None else found


def type_named(environment: Environment, said: str) -> NodeDefinition | None:
    """The type whose name it is, in whatever order its words are said."""
    wanted = plain(said)
    words = [word for word in wanted.split() if word not in AROUND_TYPES]
    squeezed = "".join(words) or wanted
    current = [definition for definition in environment.nodes.values() if not definition.is_deprecated]
    for is_named in (
        lambda name: name.replace(" ", "") in (squeezed, wanted.replace(" ", "")),
        lambda name: sorted(name.split()) == sorted(words),
    ):
        for each in current:
            if any(map(is_named, (plain(each.type), plain(each.display_name)))):
                return each
    return None


def _spelt_alike(definitions: Sequence[NodeDefinition], wanted: str) -> NodeDefinition | None:
    """The closest type; most of some thousand are ruled out without comparing letter by letter."""
    matcher = SequenceMatcher(b=wanted)
    best: NodeDefinition | None = None
    score = _ALIKE_TYPE
    for definition in definitions:
        matcher.set_seq1(plain(definition.type).replace(" ", ""))
        is_near = matcher.real_quick_ratio() >= score and matcher.quick_ratio() >= score
        if is_near and (ratio := matcher.ratio()) >= score and (best is None or ratio > score):
            best, score = definition, ratio
    return best


def plain(text: str) -> str:
    """In small letters, with spaces where programs write anything else."""
    return _plain_name(text) if len(text) <= _LONGEST_NAME else _spoken(text)


def _spoken(text: str) -> str:
    text = re.sub(
        r"(?<=[a-z\d])(?=[A-Z][a-z])|(?<=[A-Z]{2})(?=[A-Z][a-z])", " ", text.replace("LoRA", "Lora")
    )
    return " ".join(re.sub(r"[^\w.+]|_", " ", text.lower()).split())


_plain_name = lru_cache(maxsize=8_192)(_spoken)
"""Each call compares with the names of all types, thousands with many packages."""


def _names(value: Value) -> set[str]:
    own = {plain(name) for name in (value.name, value.base, value.widget)}
    of_node = {plain(f"{value.node.label} {name}") for name in (value.base, value.widget)}
    return (
        own | of_node | {plain(f"{value.node.id}.{value.widget}"), plain(f"{value.node.id} {value.widget}")}
    )


def _words(value: Value) -> set[str]:
    text = f"{value.name} {value.widget} {value.node.label} {value.node.type} {value.node.id}"
    words = set(plain(text).split()) | _words_in_files(value.node)
    return words | _ordinal_words(value.name)


def _ordinal_words(name: str) -> set[str]:
    numbers = {int(each) - 1 for each in re.findall(r"\b(\d)\b", name)}
    return {word for word, number in ORDINALS.items() if number in numbers}


def _labels(_: Workflow, node: Node) -> set[str]:
    return {plain(node.label), plain(f"{node.id} {node.label}"), plain(f"{node.label} node")}


def _kinds(workflow: Workflow, node: Node) -> set[str]:
    role = role_of(workflow, node)
    return {plain(node.type), plain(node.type).replace(" ", ""), *([f"{role} prompt", role] if role else [])}


def words_of_node(workflow: Workflow, node: Node) -> set[str]:
    """By which it may be called: of its title, type and files, and what it is for."""
    text = f"{node.label} {node.type} {role_of(workflow, node)}"
    return (
        set(plain(text).split())
        | set(plain(text.replace("LoRA", "lora")).split())
        | _words_in_files(node)
        | words_for(node)
    )


def _words_in_files(node: Node) -> set[str]:
    return set(re.findall(r"[a-z]+", " ".join(node.files).lower()))


def words_for(node: Node) -> set[str]:
    """What people call such a node, whatever its title."""
    return (
        {"prompt", "text"}
        if "TextEncode" in node.type
        else {"lora"}
        if "lora" in node.type.lower()
        else set()
    )


def _alike(first: str, second: str) -> float:
    return SequenceMatcher(None, first, second).ratio()


def _together(values: Sequence[Value]) -> list[Value]:
    """What is one thing to a person: prompts of one node, or what is equal now."""
    has_one_name = len({value.base for value in values}) == 1
    if has_one_name and min(len({one.node.id for one in values}), len({one.value for one in values})) == 1:
        return list(values)
    raise NotFound([value.name for value in values][:6])


def _only(nodes: Sequence[Node]) -> Node:
    if len(nodes) == 1:
        return nodes[0]
    raise NotFound([f"{node.id} {node.label}" for node in nodes])
