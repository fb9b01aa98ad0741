"""Whether an answer says that something was done to the workflow: a claim, which only a call can make true.

The rules are about what models write of their own accord, in the languages in which people most often ask.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..context.tool_facts import ToolFacts, facts_of
from ..messages import Part, tool_name

_DONE = (
    r"set|changed|updated|modified|adjusted|removed|deleted|added|inserted|connected|linked|replaced|renamed|"
    r"bypassed|muted|disabled|enabled|undone|reverted|restored|ran|run|executed|started|queued|generated|created|saved"
)
_GERMAN = (
    r"gesetzt|geändert|angepasst|entfernt|gelöscht|hinzugefügt|eingefügt|verbunden|ersetzt|gestartet|ausgeführt|"
    r"erstellt|gespeichert"
)
_FRENCH = (
    r"défini|réglé|changé|modifié|supprimé|retiré|ajouté|inséré|connecté|remplacé|lancé|exécuté|enregistré"
)
_SPANISH = r"establecid|cambiad|modificad|eliminad|quitad|añadid|insertad|conectad|ejecutad|guardad"
_CHINESE = r"设置|設置|更改|修改|更新|删除|刪除|移除|添加|新增|插入|连接|連接|运行|執行|执行"
_NOW = r"(?:now |just |already |also |successfully )*"
_CLAIMS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:I|we)(?:'ve| have)? {_NOW}(?:{_DONE})\b",
        rf"\b(?:has|have) {_NOW}been {_NOW}(?:{_DONE})\b",
        rf"\b(?:was|were|is|are) (?:now |just )*successfully (?:{_DONE})\b",
        rf"^(?:done|ok|okay|sure)?[.,!: ]*(?:successfully )?(?:{_DONE}) (?:the|node)\b",
        rf"\bhabe (?:.{{1,80}} )?(?:{_GERMAN})\b",
        rf"\bwurden? (?:.{{1,80}} )?(?:{_GERMAN})\b",
        rf"\bj'ai (?:bien )?(?:{_FRENCH})",
        rf"\b(?:a|ont) été (?:{_FRENCH})",
        rf"\b(?:he|se ha|ha sido|han sido) (?:{_SPANISH})",
        rf"已(?:经|將|将|成功)*.{{0,30}}(?:{_CHINESE})",
        r"(?:設定|変更|更新|削除|追加|挿入|接続|実行)しました",
    )
]


def claims_an_act(answer: str) -> bool:
    return any(pattern.search(answer) for pattern in _CLAIMS)


def has_acted(calls: Sequence[Part], facts: Mapping[str, ToolFacts]) -> bool:
    """Whether one of these calls has changed or run something."""
    return any(
        (known.edits or known.runs)
        and isinstance(output := part.get("output"), dict)
        and output.get("ok") is True
        for part in calls
        if (known := facts_of(tool_name(part), facts))
    )
