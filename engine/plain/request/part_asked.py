"""What a node or a value of the open workflow is for, or what a node is connected with, where a question asks for
nothing else: "what does the canny node do". Told from ComfyUI's own help page or the node's definition, and from what
it is connected with here. A page of a package is text by others, which an answer would pass on as the assistant's: that
is read by a tool, which says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...environment.snapshot import Environment
from ...text.clip import clip
from ..meant import plain
from ..names import input_of, titles, values_by_name
from ..told_in_part import MOST_TOLD, more_told
from ..workflow import Node, Workflow
from .nodes_named import nodes_named

_ASKED = re.compile(
    r"^\W*(?:what (?:do|does) (?P<does>.+?) do|what(?:['’]?s| is| are) (?P<what>.+?) (?:for|about|used for|doing)|"
    r"what(?:['’]?s| is) the (?:purpose|point|job|role) of (?P<purpose>.+?)|explain (?P<explain>.+?))"
    r"(?:\s+(?:here|in (?:this|my|the) workflow|exactly|to me))*[\s?.!]*$",
    re.IGNORECASE,
)
_CONNECTED_ASKED = re.compile(
    r"^\W*(?:(?:what|which nodes?)(?:['’]?s| is| are)? (?:all )?(?:connected|linked|wired|attached|plugged in)(?: up)? "
    r"(?:to|with|into) (?P<beside>.+?)|"
    r"(?:what|which nodes?) (?:feeds?|goes into|comes (?:before|after)|leads (?:to|into)) (?P<at>.+?)|"
    r"what(?:['’]?s| is| are) (?P<what>.+?) (?:connected|linked|wired|attached) (?:to|with)|"
    r"where (?:does|do) (?P<where>.+?) (?:go|lead|connect|output)(?: to)?)"
    r"(?:\s+(?:here|in (?:this|my|the) workflow|exactly|right now))*[\s?.!]*$",
    re.IGNORECASE,
)
_ARTICLES = re.compile(
    r"^(?:the|this|my|a|an)\s+|\s+(?:nodes?|values?|settings?|parameters?)$", re.IGNORECASE
)
_LONGEST, _LONGEST_VALUE = 120, 60


def part_explained(workflow: Workflow, environment: Environment, request: str) -> str:
    """ "" where the request asks for anything else, or nothing is known of what it names."""
    if len(request) > _LONGEST:
        return ""
    if said := _said(_CONNECTED_ASKED.match(request)):
        return _connections_told(workflow, said)
    if not (said := _said(_ASKED.match(request))):
        return ""
    return _value_explained(workflow, environment, said) or _node_explained(workflow, environment, said)


def _said(found: re.Match[str] | None) -> str:
    return next(filter(None, found.groups()), "") if found else ""


def _connections_told(workflow: Workflow, said: str) -> str:
    nodes, named = nodes_named(workflow, said), titles(workflow)
    here = [_connections(workflow, node, named) for node in nodes[:MOST_TOLD]]
    return "\n\n".join(filter(None, [*here, more_told(nodes)]))


def _value_explained(workflow: Workflow, environment: Environment, said: str) -> str:
    name = plain(_ARTICLES.sub("", _ARTICLES.sub("", said)))
    values = [value for value in values_by_name(workflow) if name in (plain(value.base), plain(value.widget))]
    known = {field.tooltip for value in values if (field := input_of(value, environment.nodes))}
    if len(known) != 1 or not (told := known.pop()):
        return ""
    here = ", ".join(
        f"{value.name} = {clip(str(value.value), _LONGEST_VALUE)}" for value in values[:MOST_TOLD]
    )
    more = more_told([value.node for value in values])
    return f"{told}\n\nHere: {here}{f' {more}' if more else '.'}"


def _node_explained(workflow: Workflow, environment: Environment, said: str) -> str:
    nodes = nodes_named(workflow, said)
    definition = environment.nodes.get(nodes[0].type) if nodes else None
    if definition is None or len({node.type for node in nodes}) != 1:
        return ""
    pages = environment.help_pages
    page = pages.first_paragraph(definition.type) if pages.is_own(definition.type) else ""
    told = page or definition.description
    named = titles(workflow)
    here = [_here(workflow, node, named) for node in nodes[:MOST_TOLD]]
    more = more_told(nodes)
    return "\n\n".join(filter(None, [told, *here, more])) if told else ""


def _here(workflow: Workflow, node: Node, named: Mapping[str, str]) -> str:
    """Which values it has, and what it is connected with."""
    values = ", ".join(f"{name} {clip(str(value), _LONGEST_VALUE)}" for name, value in node.values.items())
    return f"Here, {_connections(workflow, node, named, values and f'its values are {values}')}"


def _connections(workflow: Workflow, node: Node, named: Mapping[str, str], before: str = "") -> str:
    """A sentence on what it is connected with, `before` which something else is said of it."""
    taken = ", ".join(
        f"{link.input} from {named[link.source]}" for link in node.links if link.source in named
    )
    given = ", ".join(dict.fromkeys(named[target.id] for target, _ in workflow.consumers(node)))
    parts = [before, taken and f"it takes {taken}", given and f"it feeds {given}"]
    return f"{named[node.id]} (node {node.id}): {'; '.join(filter(None, parts)) or 'it stands alone'}."
