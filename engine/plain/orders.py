"""What of a request is a plain order: nothing is read into questions, judgements, bounds and standing prohibitions."""

from __future__ import annotations

import re

from ..sentences import sentences_in
from .quoted import QUOTED_OR_EMPTY

_POLITE = re.compile(
    r"^\W*(?:(?:hi|hello|hey|and|so|ok|okay|then|now|please|bitte)\W+)*"
    r"(?:(?:can|could|would|will) (?:you|we)|(?:can|could|may) I (?:get|have)|"
    r"please|bitte|k(?:ann|önn)\w* (?:du|sie|wir|ihr)|"
    r"(?:peux|pourrais|peut|pourrait)[ -](?:tu|on)|pou(?:vez|rriez)[ -]vous|puedes?|podrías?)\b",
    re.IGNORECASE,
)
"""A question that asks for a deed."""
_AND_NOTHING_MORE = re.compile(
    r"[,;]?\s*\b(?:and |but |und |aber )?(?:please )?(?:do not|don't|without|nicht|ohne)\s+"
    r"(?:run|start|render|generat|queue|execut|touch|chang)\w*(?:\s+(?:it|anything|the workflow|yet|else|now|more))*",
    re.IGNORECASE,
)
_NO_ORDER = re.compile(
    # What is forbidden.
    r"\b(?:never|avoid|nie|niemals|vermeide|jamais|évite|nunca|evita)\b|"
    r"\b(?:do|does|did|should|must|shall|will|would|can|could|is|are|was|were)(?:n['’]t| not)\b|\bcannot\b|"
    r"\bnot (?:above|over|below|under|more|less|higher|lower|exceed|go|use|set|change|beyond|with|at|to)\b|"
    r"\b(?:soll|darf|kann|setze?|nimm|ändere)\b.*\bnicht\b|\bn['’e] ?\w+ pas\b|"
    # What is bounded.
    r"\b(?:above|below|beyond|exceed\w*|at (?:most|least)|than|höchstens|mindestens|als|au (?:plus|moins)|"
    r"como (?:máximo|mínimo))\b|\b(?:over|under|über|unter|plus de|moins de|más de|menos de|no more)\s+(?:the\s+)?\d|"
    # What is judged, compared or told of before.
    r"\b(?:too|zu|trop) (?:many|much|few|little|high|low|large|big|small|long|short|slow|strong|weak|wide|tall|"
    r"viel|wenig|hoch|niedrig|groß|klein|lang)\w*|\btrop\b|\bdemasiad|"
    r"\b(?:looked|was|were|got|gave|took|had|came|turned out|failed|worked|crashed|war|waren|hatte|sah)\b|"
    r"\b(?:I|we) (?:have |had |already |just )*(?:set|used|tried|made|ran|changed)\b|\bich habe\b|"
    r"\b(?:looks|seems|feels|means)\b|\b(?:compare|versus|vs)\b|\bdifference\b|"
    # What depends on something.
    r"\b(?:if|unless|whenever|when|because|since|falls|wenn|weil|si)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(?:takes|has|uses|is|are|needs|runs|hat|ist|sind|braucht|nutzt|prend|est|sont|tiene|es)\b(?!\s*[:=])",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"\b(?:set|change|make|use|put|give|take|try|switch|turn|increase|decrease|raise|lower|bump|reduce|go|do|run|"
    r"generate|render|create|let|should|shall|must|want|need|needs to|like|please|load|save|replace|choose|pick|keep|"
    r"set\w*|änder\w*|mach\w*|nimm|nutze|benutze|verwende|soll\w*|möchte|will|bitte|mets?|change\w*|utilise\w*|"
    r"passe|veux|pon|cambia\w*|usa|quiero|haz)\b",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Whether a sentence of it is a question that no deed would answer."""
    return any(
        sentence.rstrip(" )'\"").endswith("?") and not _POLITE.match(sentence)
        for sentence in sentences_in(QUOTED_OR_EMPTY.sub(" ", text), of_orders=True)
    )


def plain_orders(text: str) -> str:
    """The sentences that say what is to be done, and no more; "" where one of them asks something."""
    if asks(text):
        return ""
    return " ".join(filter(is_order, sentences_in(_AND_NOTHING_MORE.sub("", text), of_orders=True)))


def is_order(sentence: str) -> bool:
    """False where the words forbid, bound, judge, compare or only tell what is."""
    said = _AND_NOTHING_MORE.sub("", QUOTED_OR_EMPTY.sub(" ", sentence))
    if _NO_ORDER.search(said):
        return False
    return not _TELLS.search(said) or _ORDERS.search(said) is not None
