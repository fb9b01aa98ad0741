"""Whether an answer says that something was done to the workflow: a claim, which only a call can make true.

The rules are about what models write of their own accord, in the languages in which people most often ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from ..context.tool_facts import ToolFacts, facts_of
from ..messages import Part, tool_name

Act = Literal["any", "run"]

_WORDS: dict[Act, tuple[str, str, str, str, str, str]] = {
    "any": (
        r"set|changed|updated|modified|adjusted|removed|deleted|added|inserted|connected|linked|replaced|renamed|"
        r"bypassed|muted|disabled|enabled|undone|reverted|restored|ran|run|executed|started|queued|generated|rendered|"
        r"created|made|built|drawn|applied|moved|increased|decreased|raised|lowered|switched|turned|saved",
        r"gesetzt|geändert|angepasst|entfernt|gelöscht|hinzugefügt|eingefügt|verbunden|ersetzt|gestartet|ausgeführt|"
        r"erstellt|gespeichert",
        r"défini|réglé|changé|modifié|supprimé|retiré|ajouté|inséré|connecté|remplacé|lancé|exécuté|enregistré",
        r"establecid|cambiad|modificad|eliminad|quitad|añadid|insertad|conectad|ejecutad|guardad",
        r"设置|設置|更改|修改|更新|删除|刪除|移除|添加|新增|插入|连接|連接|运行|執行|执行",
        r"設定|変更|更新|削除|追加|挿入|接続|実行",
    ),
    "run": (
        r"ran|run|executed|started|queued|generated|rendered",
        r"gestartet|ausgeführt|generiert|gerendert",
        r"lancé|exécuté|généré",
        r"ejecutad|generad",
        r"运行|執行|执行|生成",
        r"実行|生成",
    ),
}
"""In English, German, French, Spanish, Chinese and Japanese."""
_NOW = r"(?:now |just |already |also |successfully )*"


def _claims_of(
    done: str, german: str, french: str, spanish: str, chinese: str, japanese: str
) -> list[re.Pattern[str]]:
    patterns = (
        rf"\b(?:I|we)(?:'ve| have)? {_NOW}(?:{done})\b",
        rf"\b(?:has|have) {_NOW}been {_NOW}(?:{done})\b",
        rf"\b(?:was|were|is|are) (?:now |just )*successfully (?:{done})\b",
        rf"^(?:done|ok|okay|sure)?[.,!: ]*(?:successfully )?(?:{done}) (?:the|node)\b",
        rf"\bhabe (?:.{{1,80}} )?(?:{german})\b",
        rf"\bwurden? (?:.{{1,80}} )?(?:{german})\b",
        rf"\bj'ai (?:bien )?(?:{french})",
        rf"\b(?:a|ont) été (?:{french})",
        rf"\b(?:he|se ha|ha sido|han sido) (?:{spanish})",
        rf"已(?:经|將|将|成功)*.{{0,30}}(?:{chinese})",
        rf"(?:{japanese})しました",
    )
    return [re.compile(pattern, re.IGNORECASE) for pattern in patterns]


_IS_NOW = re.compile(
    r"\b(?:is|are) now\b|\b(?:ist|sind) (?:jetzt|nun)\b|\b(?:est|sont) maintenant\b|\bahora (?:es|son|está)",
    re.IGNORECASE,
)
_CLAIMS: dict[Act, list[re.Pattern[str]]] = {
    "any": [*_claims_of(*_WORDS["any"]), _IS_NOW],
    "run": _claims_of(*_WORDS["run"]),
}


def claims_in_vain(answer: str, calls: Sequence[Part], facts: Mapping[str, ToolFacts]) -> bool:
    """Whether an answer says that something was done that none of these calls did."""
    return (_claims(answer, "any") and not has_acted(calls, facts)) or (
        _claims(answer, "run") and not has_run(calls, facts)
    )


def _claims(answer: str, act: Act) -> bool:
    return any(pattern.search(answer) for pattern in _CLAIMS[act])


def has_acted(calls: Sequence[Part], facts: Mapping[str, ToolFacts]) -> bool:
    """Whether one of these calls has changed or run something."""
    return any(known.edits or known.runs for known in _succeeded(calls, facts))


def has_run(calls: Sequence[Part], facts: Mapping[str, ToolFacts]) -> bool:
    return any(known.runs for known in _succeeded(calls, facts))


def _succeeded(calls: Sequence[Part], facts: Mapping[str, ToolFacts]) -> Iterator[ToolFacts]:
    return (
        facts_of(tool_name(part), facts)
        for part in calls
        if isinstance(output := part.get("output"), dict) and output.get("ok") is True
    )
