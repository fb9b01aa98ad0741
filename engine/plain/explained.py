"""What the open workflow does, as sentences that are made from its nodes and values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..text.clip import clip_words
from .explaining_words import WORDS
from .names import role_of, titles, values_by_name
from .request.explain_asked import Language
from .workflow import Node, Workflow

_LONGEST_PROMPT, _LONGEST_LIST = 120, 12
_FILE = re.compile(r"\.(?:safetensors|ckpt|pth?|bin|gguf|sft|onnx)$", re.IGNORECASE)
_RESULTS = (
    ("video", re.compile(r"video|webm|animated", re.IGNORECASE)),
    ("audio", re.compile(r"audio", re.IGNORECASE)),
    ("model", re.compile(r"glb|3d|mesh", re.IGNORECASE)),
    ("image", re.compile(r"image|svg", re.IGNORECASE)),
)
"""By the types of the nodes at the end."""
_VIDEO = re.compile(r"\b(?:video|clip|animation|film|movie|vidéo|vídeo)s?\b|视频|影片", re.IGNORECASE)
_ENDS = re.compile(r"save|preview|combine", re.IGNORECASE)
_MASKED = re.compile(r"inpaint|noisemask", re.IGNORECASE)
_TEXTS = ("text", "prompt", "t5xxl", "value", "string")
_OF_SAMPLERS = ("sampler_name", "noise_seed")
_TOLD_BEFORE = re.compile(r"^subgraph |loader|^empty", re.IGNORECASE)
_STRENGTHS = ("strength_model", "strength")

Say = Callable[..., str]


def explained(workflow: Workflow, language: Language) -> str:
    """A sentence on what comes of it, then what happens, in the order in which it runs."""
    words = WORDS[language]

    def say(sentence: str, /, **values: Any) -> str:
        return words[sentence].format(**values)

    if not workflow.nodes:
        return say("empty")
    told = [*_loaded(workflow, say), *_prompts(workflow, say), *_begun(workflow, say), *_made(workflow, say)]
    lines = [f"{number}. {line}" for number, line in enumerate(told, start=1)]
    return "\n".join([_purpose(workflow, say), "", *lines, *(f"\n{line}" for line in _faults(workflow, say))])


def makes(workflow: Workflow, request: str) -> bool:
    """Whether it can make what a request speaks of: no video where it makes images."""
    return not _VIDEO.search(request) or _result(workflow) == "video"


def _result(workflow: Workflow) -> str:
    ends = " ".join(node.type for node in _active(workflow) if _ENDS.search(node.type))
    return next((name for name, types in _RESULTS if types.search(ends)), "")


def _purpose(workflow: Workflow, say: Say) -> str:
    result = _result(workflow)
    made = say(result) if result else say("result")
    encoded = any(role_of(workflow, node) for node in workflow.nodes)
    pictures = [*_pictures(workflow)]
    if any(_MASKED.search(node.type) for node in _active(workflow)) and pictures:
        return say("repaints", made=made, picture=pictures[0])
    sources = [say("a_prompt")] if encoded else []
    sources += [say("the_picture", name=name) for name in pictures[:2]]
    return (
        say("makes_from", made=made, sources=say("and").join(sources)) if sources else say("makes", made=made)
    )


def _loaded(workflow: Workflow, say: Say) -> Iterator[str]:
    files: list[str] = []
    for value in values_by_name(workflow):
        if not (isinstance(value.value, str) and _FILE.search(value.value)):
            continue
        strength = next((value.node.values[name] for name in _STRENGTHS if name in value.node.values), None)
        more = "" if strength is None else say("strength", strength=strength)
        files.append(f"{value.name} “{value.value}”{more}{_mode(value.node, say)}")
    if files:
        yield say("loads", files=_listed(files))


def _prompts(workflow: Workflow, say: Say) -> Iterator[str]:
    texts: dict[str, str] = {}
    for node in workflow.nodes:
        if role := role_of(workflow, node):
            known = {**_handed_in(workflow, node), **node.values}
            text = next((known[name] for name in _TEXTS if isinstance(known.get(name), str)), "")
            if text.strip():
                texts.setdefault(role, clip_words(text, _LONGEST_PROMPT))
    for role, text in sorted(texts.items(), reverse=True):
        yield say(role, text=text)


def _begun(workflow: Workflow, say: Say) -> Iterator[str]:
    for name in _pictures(workflow):
        yield say("takes", name=name)
    for node in _active(workflow):
        values = node.values
        if "width" in values and "height" in values and "batch_size" in values:
            size = {name: values[name] for name in ("width", "height")}
            yield say("frames" if "length" in values else "size", **size, length=values.get("length"))


def _made(workflow: Workflow, say: Say) -> Iterator[str]:
    named = titles(workflow)
    others: list[str] = []
    for node in sorted(_active(workflow), key=_is_end):
        if _is_end(node) or any(name in node.values for name in _OF_SAMPLERS):
            yield from _then(others, say)
            others = []
        if _is_end(node):
            prefix = node.values.get("filename_prefix")
            yield (
                say("saves", node=named[node.id], prefix=prefix)
                if prefix
                else say("shows", node=named[node.id])
            )
        elif any(name in node.values for name in _OF_SAMPLERS):
            yield say("samples", node=named[node.id], values=_sampling(workflow, node, say))
        elif node.links and not role_of(workflow, node) and not _TOLD_BEFORE.search(node.type):
            others.append(named[node.id])
    yield from _then(others, say)


def _then(others: Sequence[str], say: Say) -> Iterator[str]:
    if others:
        yield say("then", nodes=_listed(others))


def _is_end(node: Node) -> bool:
    return _ENDS.search(node.type) is not None


def _handed_in(workflow: Workflow, node: Node) -> dict[str, Any]:
    """Values that a node takes from others: from a widget of that name around it, or one that hands on just that."""
    found = {}
    for link in node.links:
        values = source.values if (source := workflow.node(link.source)) else {}
        if link.input in values or len(values) == 1:
            found[link.input] = values[link.input] if link.input in values else next(iter(values.values()))
    return found


def _sampling(workflow: Workflow, node: Node, say: Say) -> str:
    known = {**_handed_in(workflow, node), **node.values}
    told = [say("steps", steps=known["steps"])] if "steps" in known else []
    told += [str(known[name]) for name in ("sampler_name", "scheduler") if name in known]
    told += [f"{name} {known[name]}" for name in ("cfg", "denoise") if name in known]
    return ", ".join(told)


def _faults(workflow: Workflow, say: Say) -> Iterator[str]:
    named = titles(workflow)
    if off := [f"{named[node.id]}{_mode(node, say)}" for node in workflow.nodes if node.mode != "active"]:
        yield say("off", nodes=_listed(off))
    absent = [named[node.id] for node in workflow.nodes if not node.is_installed]
    absent += [
        f"“{node.values.get(name)}”"
        for node in workflow.nodes
        for name in node.missing
        if name in node.values
    ]
    if absent:
        yield say("missing", things=_listed([*dict.fromkeys(absent)]))
    if loose := [
        f"{named[node.id]} ({', '.join(node.open_inputs)})" for node in workflow.nodes if node.open_inputs
    ]:
        yield say("open", nodes=_listed(loose))


def _active(workflow: Workflow) -> Iterator[Node]:
    return (node for node in workflow.nodes if node.mode == "active")


def _pictures(workflow: Workflow) -> Iterator[str]:
    return (
        str(node.values["image"])
        for node in _active(workflow)
        if node.type.startswith("LoadImage") and isinstance(node.values.get("image"), str)
    )


def _mode(node: Node, say: Say) -> str:
    return (
        "" if node.mode == "active" else f" ({say(node.mode)})" if node.mode in ("bypassed", "muted") else ""
    )


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _LONGEST_LIST
    return ", ".join(names[:_LONGEST_LIST]) + (f" … (+{rest})" if rest > 0 else "")
