"""What becomes of a seed after each run, where a request says that: "lock the seed", "a new seed every time"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..workflow import Workflow

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
    rf"(?:do(?:n['’]?t| not)|never)\s+(?:change|randomi[sz]e)\s+{_THE}{_SEED}|seed\s*(?:=|:|to)?\s*fixed"
)
_ROLLED = (
    r"(?:(?:use|take|make|want|nimm|utilise|usa)\s+)?(?:an?\s+|une?\s+|eine?n?\s+)?"
    rf"{_OTHER}\s+(?:random )?{_SEED}\s+(?:{_ALWAYS})|"
    rf"(?:randomi[sz]e|change|re-?roll)\s+{_THE}{_SEED}\s+(?:{_ALWAYS})|(?:unlock|unfix|unfreeze|unpin)\s+{_THE}{_SEED}"
)
_AT = re.compile(
    rf"\W*(?:(?:now|and)\W+)*(?:"
    rf"(?:fix|lock|freeze|pin|hold|keep|fixiere?|sperre?|fixe|bloque|fija|bloquea)\s+{_THE}{_SEED}\s+(?:to|at|on|auf|bei|à|a|en)?"
    rf"\s*(?P<number>\d+)|{_SEED}\s+(?:fest|fixed|locked|fixe|fija|fijo)\s+(?:auf|to|at|à|a|en)?\s*(?P<told>\d+)|"
    rf"(?:set|setze?|make|mach)\s+{_THE}{_SEED}\s+(?:fest|fixed|locked)\s+(?:auf|to|at)\s+(?P<set>\d+)"
    rf")(?:\W+(?:fest|now))*\W*",
    re.IGNORECASE,
)
"""With the number that it is to keep: "fix the seed to 42"."""
_AROUND = r"(?:now|and|i|would|like|to|always|from now on)"
_WAYS = tuple(
    (way, re.compile(rf"\W*(?:{_AROUND}\W+)*(?:{said})(?:\W+{_AROUND})*\W*", re.IGNORECASE))
    for way, said in (("fixed", _KEPT), ("randomize", _ROLLED))
)


@dataclass(frozen=True)
class HeldSeeds:
    """The ids of the nodes whose seeds are meant, `fixed` or `randomize`, and the number that they are to keep."""

    nodes: tuple[str, ...]
    way: str
    number: int | None = None


def seeds_held(workflow: Workflow, request: str) -> HeldSeeds | None:
    """None for a request that says more, and where no seed is done anything with."""
    at = _AT.fullmatch(request)
    way = "fixed" if at else next((way for way, pattern in _WAYS if pattern.fullmatch(request)), None)
    nodes = tuple(node.id for node in workflow.nodes if node.rolls)
    number = next((int(each) for each in at.groups() if each), None) if at else None
    return HeldSeeds(nodes, way, number) if way and nodes and (number is None or len(nodes) == 1) else None
