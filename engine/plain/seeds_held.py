"""What becomes of a seed after each run, where a request says that: "lock the seed", "a new seed every time"."""

from __future__ import annotations

import re

from .workflow import Workflow

_SEED = r"(?:noise )?(?:seed|graine|semilla)s?"
_THE = r"(?:(?:the|this|that|my|same|current|den|die|diesen|gleichen|la|même|misma)\s+)*"
_ALWAYS = (
    r"(?:every|each)(?: single)? (?:time|run|image|picture|generation)|(?:on|for|after|with) (?:every|each) "
    r"(?:run|image|picture|generation)|always|automatically|"
    r"jedes mal|bei jedem lauf|immer|à chaque fois|cada vez|siempre"
)
_OTHER = r"(?:new|different|another|random|other|fresh|neue\w*|andere\w*|nouvelle|autre|nueva|otra)"
_KEPT = (
    rf"(?:fix|lock|freeze|hold|keep|re-?use|pin|behalte?|fixiere?|sperre?|garde|fixe|bloque|fija|bloquea)\s+"
    rf"{_THE}{_SEED}"
    rf"(?:\s+(?:fixed|locked|constant|the same|as it is|fest|bei|{_ALWAYS}))*|"
    rf"(?:make|set|turn|mach|setze?)\s+{_THE}{_SEED}\s+(?:to )?(?:fixed|locked|constant|fest)|"
    r"(?:use|take|nimm|utilise|usa)\s+(?:the |den |la )?(?:same|gleichen|même|misma)\s+"
    rf"{_SEED}(?:\s+(?:{_ALWAYS}|again))?|"
    rf"(?:do(?:n['’]?t| not)|never)\s+change\s+{_THE}{_SEED}|seed\s*(?:=|:|to)?\s*fixed"
)
_ROLLED = (
    r"(?:(?:use|take|make|want|nimm|utilise|usa)\s+)?(?:an?\s+|une?\s+|eine?n?\s+)?"
    rf"{_OTHER}\s+(?:random )?{_SEED}\s+(?:{_ALWAYS})|"
    rf"(?:randomi[sz]e|change|re-?roll)\s+{_THE}{_SEED}\s+(?:{_ALWAYS})|(?:unlock|unfix|unfreeze|unpin)\s+{_THE}{_SEED}"
)
_AROUND = r"(?:please|pls|bitte|now|and|i|would|like|to|you|can|could|always|from now on|thanks)"
_WAYS = tuple(
    (way, re.compile(rf"\W*(?:{_AROUND}\W+)*(?:{said})(?:\W+{_AROUND})*\W*", re.IGNORECASE))
    for way, said in (("fixed", _KEPT), ("randomize", _ROLLED))
)


def seeds_held(workflow: Workflow, request: str) -> tuple[list[str], str] | None:
    """The ids of the nodes whose seeds are meant, and `fixed` or `randomize`; None for a request that says more."""
    way = next((way for way, pattern in _WAYS if pattern.fullmatch(request)), None)
    nodes = [node.id for node in workflow.nodes if node.rolls]
    return (nodes, way) if way and nodes else None
