"""A search for code that decides by the words of a sentence for readers, instead of a field or a code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

SENTENCES = frozenset({"error", "errorText", "error_text", "message", "summary", "hint"})
"""The names of our sentences, as attributes, keys and variables."""

_SEARCHES = frozenset(
    {
        "startswith",
        "endswith",
        "find",
        "index",
        "rfind",
        "split",
        "rsplit",
        "partition",
        "rpartition",
        "count",
    }
)
_PATTERNS = frozenset({"search", "match", "fullmatch", "findall", "finditer"})
_UNCHANGED = frozenset({"lower", "casefold", "upper", "strip"})


def sentences_read_back(source: str) -> list[str]:
    """Return each expression that looks into a sentence, as source text."""
    tree = ast.parse(source)
    names = SENTENCES | {*_other_names(tree)}
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if any(_is_sentence(looked_into, names) for looked_into in _looked_into(node))
    ]


def _other_names(tree: ast.Module) -> Iterator[str]:
    """Yield the variables that are assigned a sentence."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _is_sentence(node.value, SENTENCES):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        if isinstance(node, ast.NamedExpr) and _is_sentence(node.value, SENTENCES):
            yield node.target.id


def _looked_into(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions whose words an expression depends on."""
    if isinstance(node, ast.Compare):
        for operator, left, right in zip(
            node.ops, [node.left, *node.comparators], node.comparators, strict=False
        ):
            if isinstance(operator, (ast.In, ast.NotIn)):
                yield right
            if isinstance(operator, (ast.Eq, ast.NotEq)) and _is_words(right):
                yield left
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _SEARCHES and node.args:
            yield node.func.value
        if node.func.attr in _PATTERNS:
            yield from node.args


def _is_words(node: ast.expr) -> bool:
    """Return whether an expression is a text with a blank, as sentences have and codes do not."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value


def _is_sentence(node: ast.expr, names: Set[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in SENTENCES
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Subscript):
        return _is_key(node.slice)
    if isinstance(node, ast.BoolOp):
        return any(_is_sentence(value, names) for value in node.values)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id == "str" and any(_is_sentence(value, names) for value in node.args)
    if not isinstance(node.func, ast.Attribute):
        return False
    is_field = node.func.attr == "get" and any(map(_is_key, node.args[:1]))
    return is_field or (node.func.attr in _UNCHANGED and _is_sentence(node.func.value, names))


def _is_key(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in SENTENCES
