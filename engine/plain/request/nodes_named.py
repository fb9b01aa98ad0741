"""The nodes that a phrase names: by title, type, number or what they are for, one of them or several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..meant import NotFound, node_meant, plain, words_for, words_of_node
from ..names import role_of
from ..workflow import Node, Workflow
from .number_words import ORDINALS

_BESIDE = frozenset(
    (  # noqa: SIM905 - words are read as words
        "the a an u my this that these those you i we "
        "us me want to need like d id also too now just then instead so for it is of in at which "
        "who node nodes workflow there here any more again no longer dont don't needed anymore completely yes and oh "
        "der die das den dem des ein eine einen du mir mal noch auch jetzt node knoten "
        "le la les l un une des du de ce cette nœud noeud aussi "
        "el los las un una del nodo también este esta wieder komplett ganz "
        "another new extra additional autre nouveau nouvelle otro otra neuen neue neues weitere "
        "weiteres see voir sehen ver "
        "把 吧 这个 那个 节点 一个 的"
    ).split()
)
_EVERY = frozenset(
    ["all", "both", "every", "each", "alle", "beide", "tous", "toutes", "deux", "todos", "todas", "ambos"]
)
_PHRASES = {
    "vista previa": " preview ",
    "one more": " ",
    "第一个": " first ", "第二个": " second ", "第三个": " third ", "最后一个": " last ",
    "节点": " ", "预览": " preview ", "保存": " save ", "采样器": " ksampler ",
    "模型": " model ", "图像": " image ", "图片": " image ", "解码": " decode ",
    "一个": " ", "把": " ", "的": " ",
}  # fmt: skip
_WORDS = {
    "vorschau": "preview", "speichern": "save", "aperçu": "preview", "enregistrement": "save", "bild": "image",
    "vista": "preview", "guardar": "save", "imagen": "image", "saver": "save", "upscaler": "upscale", "loras": "lora",
    "picture": "image", "skalierung": "scale",
}  # fmt: skip
_VAGUE = frozenset(
    ["image", "images", "picture", "text", "prompt", "model", "latent", "video", "load", "loader", "encode"]
)
"""In the titles of nodes, and no name of one."""
_NUMBER = re.compile(r"\d+(?::\d+)*")
_STEM = 4


def nodes_named(workflow: Workflow, phrase: str) -> list[Node]:
    """One node, or all that "both previews" are; nothing where a word is left over or it could be another node."""
    titled = [node for node in workflow.nodes if plain(node.label) == plain(phrase)]
    words = words_alone(phrase).split()
    if len(titled) == 1:
        return titled
    if not words:
        return []
    ids = [word.removeprefix("#") for word in words]
    if all(map(_NUMBER.fullmatch, ids)):
        nodes = [node for each in ids if (node := workflow.node(each))]
        return nodes if len(nodes) == len(ids) else []
    ordinals = [ORDINALS[word] for word in words if word in ORDINALS]
    is_every = any(word in _EVERY for word in words)
    about = [word for word in words if word not in ORDINALS and word not in _EVERY]
    if not about or len(ordinals) > 1 or any(map(_NUMBER.fullmatch, about)):
        return _numbered(workflow, " ".join(words)) if about else []
    if _VAGUE.issuperset(about):
        return []
    for is_it in (_is_called, _is_of, _is_of_file):
        if fitting := [node for node in workflow.nodes if is_it(about, workflow, node)]:
            break
    is_several = is_every or phrase.lower().rstrip(" .!").endswith("s")
    if len(fitting) > 1 and not is_several and (used := [each for each in fitting if _is_used(about, each)]):
        fitting = used
    if ordinals:
        return fitting[ordinals[0] :][:1] if len(fitting) > 1 else []
    return fitting if len(fitting) == 1 or is_several else []


def words_alone(phrase: str) -> str:
    """In small letters, without articles, courtesies and what else names nothing."""
    phrase = phrase.lower() if "vista previa" in phrase.lower() else phrase
    for said, word in _PHRASES.items():
        phrase = phrase.replace(said, word)
    return " ".join(_WORDS.get(word, word) for word in plain(phrase).split() if word not in _BESIDE)


def _numbered(workflow: Workflow, text: str) -> list[Node]:
    """Such as "lora 2", and not "5 steps"."""
    try:
        node = node_meant(workflow, text, is_exact=True)
    except NotFound:
        return []
    words = [word for word in text.split() if word != node.id]
    return [node] if all(word.isdigit() or _is_of_file([word], workflow, node) for word in words) else []


def _is_called(words: Sequence[str], _: Workflow, node: Node) -> bool:
    return plain(" ".join(words)) in (plain(node.label), plain(node.type), plain(node.type).replace(" ", ""))


def _is_of(words: Sequence[str], workflow: Workflow, node: Node) -> bool:
    own = set(plain(f"{node.label} {node.type.replace('LoRA', 'lora')} {role_of(workflow, node)}").split())
    own |= words_for(node)
    return all(_is_form_of_one(word, own) for word in words)


def _is_of_file(words: Sequence[str], workflow: Workflow, node: Node) -> bool:
    own = words_of_node(workflow, node)
    return all(_is_form_of_one(word, own) for word in words)


def _is_form_of_one(word: str, own: Iterable[str]) -> bool:
    return any(
        word == each
        or (min(len(word), len(each)) >= _STEM and (word[:_STEM] == each[:_STEM] or each.endswith(word)))
        for each in own
    )


def _is_used(words: Sequence[str], node: Node) -> bool:
    """Not the loader of a ControlNet, but what applies it."""
    own = plain(node.type).split()
    return bool(node.links) and all(_is_form_of_one(word, own) for word in words)
