"""What of a request is a plain order: nothing is read into questions, judgements, bounds and standing prohibitions."""

from __future__ import annotations

import re

from ...text.sentences import sentences_in
from .quoted import QUOTED_OR_EMPTY

_UNMARKED = re.compile(
    r"^\W*(?:(?:and|so|but)\W+)*(?:"
    r"(?:tell|show|teach|explain|remind)(?: to)?(?: me| us)? (?:how|why|what|where|which|when|who|whether|if)\b|"
    r"explain\b|how (?!about\b)|(?:what|why|who|when|where|which)\b(?! about| if\b)|"
    r"(?:do|did|does|have|has) (?:i|you|we|they|u)\b|"
    r"(?:is|are|was|were|did|does) (?:i|you|we|it|there|this|that|these|those|the|my|your|\d+)\b|"
    r"(?:should|would|may|might|must|can|could) (?:i|we|it|that|this|the|\d+)\b(?! (?:get|have))|"
    r"(?:wie(?! wär)|warum|wieso|weshalb|wer|wann|welche[nrsm]?|kann (?:ich|man)|soll(?:te)? (?:ich|man))\b|"
    r"(?:comment|pourquoi|combien|quel(?:le)?s?|est-ce|dois-je|puis-je)\b|"
    r"¿|(?:cómo|por qué|cuánt[oa]s?|cuál(?:es)?|qué|debo|puedo)\b)",
    re.IGNORECASE,
)
"""Begins as a question does, whether it ends in its mark or not."""
_KEPT_AS_IT_IS = (
    r"(?:(?:do not|don['’]?t|never)\s+(?:ever\s+)?(?:run|start|render|generat|queue|execut|"
    r"touch|chang|alter|modify)\w*|"
    r"(?:there['’]?s |there is )?no need to\s+\w+|"
    r"without\s+(?:run|start|render|generat|queue|execut|touch|chang|alter|modify)\w*|"
    r"(?:nicht|ohne)\s+(?:run|start|render|generat|queue|execut|touch|chang)\w*|"
    r"nicht\s+(?=[^,;.!?]*\b(?:ändern|verändern|anfassen|starten|ausführen)\b)|"
    r"(?:ver)?änder\w*\s+(?=[^,;.!?]*\bnicht\b)|(?:lass|lasse|fass)\s+(?=[^,;.!?]*\b(?:so|wie|ruhe|nicht)\b)|"
    r"ne\s+(?:touche|change|modifie|lance)\w*\s+pas|sans\s+(?:toucher|changer|modifier|lancer)|"
    r"no\s+(?:cambi|toqu|modifi|ejecut)\w+|sin\s+(?:cambiar|tocar|modificar|ejecutar)|"
    r"(?:leave|keep)\s+(?!(?:it|this|that|them)\b)(?=(?:the |my )?[^\W\d_]+"
    r"(?: (?!(?:low|high|short|long|simple|small|big|large|at|on|to|under|below)\b)[^\W\d_]+)?"
    r"(?:\s+(?:alone|unchanged|untouched|as (?:it |they )?(?:is|are)|the same))?\s*(?:[,;.!?]|\b(?:but|and)\b|$)))"
)
_GOES_ON = (
    r"[,;.!?]|\b(?:but|just|only|instead|nur|aber|sondern|mais|seulement|pero|sino|solo|sólo)\b|"
    r"\b(?:and|und|et|y)\s+(?:then\s+)*(?:set|change|make|use|put|give|take|try|switch|turn|increase|"
    r"decrease|raise|lower|reduce|double|run|start|generate|render|setz|stell|mach|nimm|mets|passe|pon|usa)\w*\b"
)
_LEFT_ALONE = re.compile(
    rf"[,;]?\s*(?:\b(?:and|but|und|aber|et|mais|y|pero)\s+)?\b{_KEPT_AS_IT_IS}"
    rf"(?:(?!{_GOES_ON}).)*(?:[,;]?\s*\b(?:but|instead|aber|sondern|mais|pero|sino)\b\s*)?|"
    r"[，,]?\s*(?:请)?(?:不要|别|不用|勿)(?:再)?(?:改|动|碰|变|运行|执行|跑)[^，,。；;！？]*[，,]?",
    re.IGNORECASE,
)
"""A clause that says what is not to be done, up to the next that says what is."""
_NO_ORDER = re.compile(
    # What is forbidden.
    r"\b(?:never|avoid|no need|nie|niemals|vermeide|jamais|évite|nunca|evita)\b|"
    r"\b(?:do|does|did|should|must|shall|will|would|can|could|is|are|was|were)(?:n['’]?t| not)\b|\bcannot\b|"
    r"\b(?:ca|wo)n['’]?t\b|\bno (?:cambi|toqu|modifi|pong|us|hag)\w*|\bkeine?[nmrs]?\b|不要|别|不用|"
    r"不想|不需要|ないで|しない|いらない|"
    r"\bnicht\b.*\b(?:ändern|setzen|stellen|anfassen|verändern|verwenden|nehmen)\b|"
    r"\bnot (?:above|over|below|under|more|less|higher|lower|exceed|go|use|set|change|beyond|with|at|to)\b|"
    r"\b(?:soll|darf|kann|setze?|nimm|ändere)\b.*\bnicht\b|\bn['’e] ?\w+ pas\b|"
    # What is bounded.
    r"\b(?:above|below|beyond|exceed\w*|at (?:most|least)|than|höchstens|mindestens|als|au (?:plus|moins)|"
    r"como (?:máximo|mínimo))\b|\b(?:max|min)(?:imum|imal)?\.?\s+\d|\b(?:over|under|über|unter|"
    r"plus de|moins de|más de|menos de|no more)\s+(?:the\s+)?\d|"
    # What is judged, compared or told of before.
    r"\b(?:too|zu|trop) (?:many|much|few|little|high|low|large|big|small|long|short|slow|strong|weak|wide|tall|"
    r"viel|wenig|hoch|niedrig|groß|klein|lang)\w*|\btrop\b|\bdemasiad|"
    r"\b(?:looked|was|were|got|gave|took|had|came|turned out|failed|worked|crashed|war|waren|hatte|sah)\b|"
    r"\b(?:is|are) (?:already |still |now |currently )*(?:set|used|loaded|connected|fixed|locked)\b|"
    r"\b(?:need|want|with some|get) help\b|"
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
        sentence.rstrip(" )'\"").endswith("?") or _UNMARKED.match(sentence)
        for sentence in sentences_in(QUOTED_OR_EMPTY.sub(" ", text), of_orders=True)
    )


def without_what_stays(request: str) -> str:
    """Without the clauses that say what is not to be done: "don't touch the seed, just make it 40 steps"."""

    def joint(clause: re.Match[str]) -> str:
        return ", " if clause.start() and re.search(r"\w", request[clause.end() :]) else ""

    return _LEFT_ALONE.sub(joint, request)


def plain_orders(text: str) -> str:
    """The sentences that say what is to be done, and no more; "" where one of them asks something."""
    if asks(text):
        return ""
    return " ".join(filter(is_order, sentences_in(without_what_stays(text), of_orders=True)))


def is_order(sentence: str) -> bool:
    """False where the words forbid, bound, judge, compare or only tell what is."""
    said = without_what_stays(QUOTED_OR_EMPTY.sub(" ", sentence))
    if _NO_ORDER.search(said) or (sentence.strip() and not re.search(r"\w", said)):
        return False
    return not _TELLS.search(said) or _ORDERS.search(said) is not None
