"""Whether an answer says that something was done to the workflow: a claim, which only a call can make true.

The rules are about what models write of their own accord, in the languages in which people most often ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from ...context.tool_facts import ToolFacts, facts_of
from ...messages import Part, tool_name
from ...plain.request.wish import wish_of
from ...text.sentences import sentences_in

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


def _told_by_doer(
    done: str, german: str, french: str, spanish: str, chinese: str, japanese: str
) -> list[re.Pattern[str]]:
    return _compiled(
        rf"\b(?:I|we)(?:'ve| have)? {_NOW}(?:{done})\b",
        rf"^(?:done|ok|okay|sure)?[.,!: ]*(?:successfully )?(?:{done}) (?:the|node)\b",
        rf"\bhabe (?:.{{1,80}} )?(?:{german})\b",
        rf"\bj'ai (?:bien )?(?:{french})",
        rf"\bhe (?:{spanish})",
        rf"已(?:经|將|将|成功)*.{{0,30}}(?:{chinese})",
        rf"(?:{japanese})しました",
    )


def _told_of_thing(
    done: str, german: str, french: str, spanish: str, _chinese: str, _japanese: str
) -> list[re.Pattern[str]]:
    return _compiled(
        rf"\b(?:has|have) {_NOW}been {_NOW}(?:{done})\b",
        rf"\b(?:was|were|is|are) (?:now |just )*successfully (?:{done})\b",
        rf"\bwurden? (?:.{{1,80}} )?(?:{german})\b",
        rf"\b(?:a|ont) été (?:{french})",
        rf"\b(?:se ha|ha sido|han sido) (?:{spanish})",
    )


def _compiled(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE) for pattern in patterns]


_IS_NOW = re.compile(
    r"\b(?:is|are) now\b(?! \w+(?:ed|en|t) (?:by|into|in|from|through|with)\b)|\b(?:ist|sind) (?:jetzt|nun)\b|"
    r"\b(?:est|sont) maintenant\b|\bahora (?:es|son|está)",
    re.IGNORECASE,
)
_BY_DOER = {act: _told_by_doer(*words) for act, words in _WORDS.items()}
_OF_THING = {act: _told_of_thing(*words) for act, words in _WORDS.items()}
_EARLIER = re.compile(
    r"\b(?:last|previous|earlier|first|former) (?:turn|time|message|request|step|answer|chat)s?\b|"
    r"\b(?:earlier|previously|before|formerly|vorhin|zuvor|früher|auparavant|antes)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|as soon as|once|after|when|if|unless|until|weil|wenn|sobald|nachdem|parce que|si|porque|"
    r"cuando)\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""What is said of the world beside what was done."""
_OF_THE_PAST = re.compile(
    r"^\W*(?:did|have|has|had|was|were|hast|hat|wurde|as-tu|avez-vous|has|ha)\b[^.!?]*\?\W*$", re.IGNORECASE
)
_ALREADY_NAMED = re.compile(
    r"\b(?:it|that|this|them|run|again|das|es|ça|cela|eso|lo)\b|^\W*\w+\W*$", re.IGNORECASE
)
_EVERYWHERE = ("workflow",)
_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]{4,}")
_STEM = 4
_VALUE = re.compile(r"[^\W\d][\w ]{0,60} = \S.*")
"""How changes are told that no model was asked for, which models copy."""


def claims_in_vain(
    answer: str, calls: Sequence[Part], facts: Mapping[str, ToolFacts], request: str = ""
) -> bool:
    """Whether an answer says that something was done that none of these calls did.

    `request` is what the person wrote: an answer to a question claims nothing, and what is told of a thing, without
    saying who did it, only counts for what the person named.
    """
    if wish_of(request) == {"know"} or _OF_THE_PAST.match(request):
        return False
    if _tells_values(answer) and "?" not in request:
        return not has_acted(calls, facts)
    return (_claims(answer, "any", request) and not has_acted(calls, facts)) or (
        _claims(answer, "run", request) and not has_run(calls, facts)
    )


def _tells_values(answer: str) -> bool:
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    return bool(lines) and all(map(_VALUE.fullmatch, lines))


def _claims(answer: str, act: Act, request: str) -> bool:
    for sentence in sentences_in(answer):
        said = _REASON.sub("", sentence)
        if _EARLIER.search(said):
            continue
        if any(pattern.search(said) for pattern in _BY_DOER[act]):
            return True
        passive = [*_OF_THING[act], *([_IS_NOW] if act == "any" else [])]
        if any(pattern.search(said) for pattern in passive) and _is_about(said, request):
            return True
    return False


def _is_about(sentence: str, request: str) -> bool:
    """Whether it is about what the person named; true where they named it by no name."""
    if not request or _ALREADY_NAMED.search(request):
        return True
    named = {word[:_STEM].lower() for word in (*_WORD.findall(request), *_EVERYWHERE)}
    return any(word[:_STEM].lower() in named for word in _WORD.findall(sentence))


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
