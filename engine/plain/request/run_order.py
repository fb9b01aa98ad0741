"""The order to run the workflow that stands alone or at the end of a request: "set the steps to 30 and run it"."""

from __future__ import annotations

import re

_BEFORE = (
    r"(?:(?:and|then|now|also|afterwards|after that|so|just|und|dann|danach|jetzt|"
    r"et|puis|ensuite|maintenant|y|luego|después|ahora)\b[\s,]*)*"
)
_RUN = (
    r"(?:(?:re-?)?run|(?:re-?)?start|execute|queue|generate|go|kick off|press run|hit run|"
    r"starte\w*|führe|lass|generiere?|rendere|lance\w*|exécut\w*|génère\w*|démarre\w*|ejecut\w*|genera\w*|lanza\w*|"
    r"corre\w*|arranca\w*|ausführen)"
)
_RUN_IT = r"(?:fire|launch|render|running)"
"""Alone these may be the end of a prompt: "a dragon, fire"."""
_IT = (
    r"(?:\W+(?:it|an?|this|that|the|my|workflow|graph|queue|prompt|generation|image|picture|video|now|again|once|"
    r"everything|all|whole thing|for me|for us|rendering|generating|running|"
    r"off|up|ahead|es|ihn|den|das|die|bild|video|jetzt|nochmal|noch einmal|mal|laufen|aus|"
    r"generierung|génération|generación|"
    r"le|la|l|lo|el|flux|flujo|image|imagen|maintenant|ahora|"
    r"de nouveau|otra vez))"
)
_DONE = rf"(?:{_RUN}{_IT}*|{_RUN_IT}{_IT}+)"
_ORDER = re.compile(
    rf"(?:^|[.,;!\n]\s*|\s(?=(?:and|then|und|dann|danach|et|puis|ensuite|y|luego)\b)){_BEFORE}"
    rf"{_DONE}[\s.!]*$|"
    r"(?:^|[，,。;；、\s]|然后|再|并)(?:开始)?(?:运行|執行|执行|跑)(?:一下|一次|它|这个|当前|整个|工作流程?|流程)*[\s。！!]*$",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"^\W*(?:(?:re-?)?run|(?:re-?)?start|execute|queue|starte\w*|lance\w*|relance\w*|ejecut\w*)"
    rf"{_IT}*\s+(?:with|using|mit|avec|con)\s+(?=.*(?:\d|\bseed))",
    re.IGNORECASE,
)
"""Before the values with which it is to run."""


def without_run_order(request: str) -> tuple[str, bool]:
    """What else a request says, and whether it ends in the order to run, or begins with it: "run it with 30 steps"."""
    found = _ORDER.search(request)
    if found is None and (begun := _WITH.match(request)):
        return request[begun.end() :], True
    return (request, False) if found is None else (request[: found.start()].rstrip(), True)
