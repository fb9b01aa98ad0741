"""How many nodes of a kind the open workflow has, where a question asks for that alone."""

from __future__ import annotations

import re

from ..names import titles
from ..told_in_part import MOST_TOLD, more_told
from ..workflow import Workflow
from .nodes_named import nodes_named

_ASKED = re.compile(
    r"^\W*(?:how many|wie viele|combien de|combien d['’]|cuánt[oa]s) (?P<kind>.+?)\s+"
    r"(?:are there|(?:are|is) (?:in )?(?:here|this workflow)|"
    r"do(?:es)? (?:it|this|this workflow|the workflow|i|we) (?:have|use)|"
    r"gibt es|sind (?:es|da|hier)|y a[- ]t[- ]il|il y a|hay)"
    r"(?:\s+(?:here|in (?:this|my|the) workflow|hier))?[\s?.!]*$",
    re.IGNORECASE,
)
_NODES = re.compile(r"(?:nodes?|knoten|nœuds?|noeuds?|nodos?)", re.IGNORECASE)
_LONGEST = 120


def nodes_counted(workflow: Workflow, request: str) -> str:
    """The number and which they are, "" for every other request, also where there are none or a value may be meant."""
    found = _ASKED.match(request) if len(request) <= _LONGEST else None
    if found is None:
        return ""
    if _NODES.fullmatch(found["kind"]):
        return str(len(workflow.nodes))
    named = titles(workflow)
    kind = f"all {found['kind']}"
    nodes = nodes_named(workflow, kind) or nodes_named(workflow, kind.removesuffix("s"))
    listed = ", ".join(f"{named[node.id]} (node {node.id})" for node in nodes[:MOST_TOLD])
    more = more_told(nodes)
    return f"{len(nodes)}: {listed}{f' {more}' if more else ''}" if nodes else ""
