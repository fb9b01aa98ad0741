"""Whether a request asks for nothing but what the open workflow does as a whole, and in which language it asks."""

from __future__ import annotations

import re
from typing import Literal

Language = Literal["en", "de", "fr", "es", "zh"]

_LONGEST = 200
_ASKING: dict[Language, str] = {
    "en": (
        r"explain\w*|describe\w*|summari[sz]e\w*|summary|overview|eli5|walk|understand|break(?:down)?|explanation|"
        r"what|whats|what's|how|purpose|tell|sum"
    ),
    "de": r"erklär\w*|erläuter\w*|beschreib\w*|zusammenfass\w*|fass|überblick|was|wofür|wozu|wie|zweck|verstehe\w*",
    "fr": (
        r"(?:m')?expliqu\w*(?:-\w+)?|décri\w*(?:-\w+)?|résum\w*(?:-\w+)?|aperçu|que|qu'est-ce|quoi|comment|sert|"
        r"qu'est"
    ),
    "es": r"expl[ií]c\w*|descr[ií]\w*|resum\w*|qué|que|cómo|como|sirve",
}
"""One of these words has to be there."""
_DOING: dict[Language, str] = {
    "en": (
        r"does|do|doing|done|happens?|happening|going|makes?|made|making|produces?|creates?|for|about|works?|working|"
        r"good|used|meant|supposed|is|looking|steps?|nodes?"
    ),
    "de": (
        r"macht|mache\w*|tut|tue\w*|passiert|geschieht|ist|sind|gut|da|dient|funktioniert|erzeugt|erstellt|läuft|"
        r"schritte?|nodes?|abläuft|soll"
    ),
    "fr": r"fait|font|faire|sert|servir|passe|fonctionne|marche|est|crée|produit|génère|étapes?|nœuds?|noeuds?",
    "es": r"hace|hacer|sirve|pasa|funciona|es|crea|produce|genera|pasos?|nodos?",
}
_MEANT: dict[Language, str] = {
    "en": (
        r"this|it|here|workflow|work-?flow|graph|pipeline|setup|set-?up|thing|template|everything|whole|canvas|flow|"
        r"each|every"
    ),
    "de": r"das|dies\w*|es|hier|workflow\w*|ablauf|graph\w*|alles|ganze\w*|vorlage|jede\w*|ding",
    "fr": r"ce|cet|cette|ça|cela|workflow|flux|graphe|tout|il|ici|chaque",
    "es": r"este|esta|esto|eso|flujo|workflow|grafo|todo|aquí|cada",
}
"""So has one of these, which speak of the open workflow."""
_FILLING: dict[Language, str] = {
    "en": (
        r"me|to|a|an|of|in|with|through|give|get|"
        r"short|quick|brief|briefly|simple|simply|words?|terms|exactly|actually|so|and|just|kind|like|i'm|im|"
        r"five|5|down|on|up|at|want|need|know|quickly|detail|details?|dont|don't|help|what|how|workflow's|we|are|am|"
        r"again|basically|sentences?|one|two|few|beginner|someone|"
        r"the|one|all|they|these|i|i'm|my|current|open|opened|trying|only|be|it's|its|tell|us|see|ur|u|r|by"
    ),
    "de": (
        r"der|den|die|dem|einzelne\w*|offene\w*|mein\w*|du|mir|mal|kurz|einfach|eigentlich|genau|in|ein\w*|worten|denn|und|so|"
        r"was|wie|ich|nicht|würdest|können|sie|von|über|zusammen|wenige\w*|sätze\w*|gerade|nochmal|schnell|für|zu|ja"
    ),
    "fr": (
        r"ci|le|la|les|mon|travail|de|des|se|te|vous|tu|me|m'|moi|un|une|en|bref|mots|"
        r"quelques|à|a|c'est|c|cest|qu'|exactement|donc|est-ce|et|pour|simplement|brièvement|on|que|quoi|l'|d'|dans|"
        r"ce|qui|ça|j'ai|pas|n'|du|-moi|au|juste"
    ),
    "es": (
        r"el|la|los|mi|trabajo|de|que|se|por|me|un|una|en|breve|pocas|palabras|exactamente|y|para|lo|"
        r"brevemente|simplemente|explícame|dime|cuéntame|tú|tu|con|al|del|no|entiendo|qué|cómo|sencillas"
    ),
}
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PARTS: dict[Language, list[re.Pattern[str]]] = {
    language: [
        re.compile(rf"(?:{words[language]})", re.IGNORECASE) for words in (_ASKING, _DOING, _MEANT, _FILLING)
    ]
    for language in _ASKING
}
_CHINESE = re.compile(
    r"(?:你|给我|給我|一下|解释|解釋|说明|說明|介绍|介紹|描述|总结|總結|看看|讲讲|這個|这个|"
    r"这|這|此|该|当前|整个|工作流程?|工作流|流程|workflow|图|是|做|干|用来|用來|来|來|什么|什麼|怎么|怎麼|如何|工作|运行|"
    r"的|有|用|用途|作用|吗|嗎|呢|啊|么|麼|为|為|在|里|简单|地|帮我|幫我)+"
)
_CHINESE_ASKING = re.compile(
    r"解释|解釋|说明|說明|介绍|介紹|描述|总结|總結|讲讲|什么|什麼|怎么|怎麼|如何|用途|作用"
)
_OF_THE_ASSISTANT = re.compile(
    r"\b(?:(?:can|do|could|are|will|would|should) (?:you|i|we) do|(?:who|what) are you|how are you|what's up|"
    r"how good|wie gut|"
    r"was kannst du|wer bist du|qui es-tu|qué puedes|que peux-tu|how (?:do|can|should) i|(?:do|did) you|"
    r"what (?:do|can|should|did|have) (?:i|you|we)|wie (?:geht|kann|mache)|comment (?:je|faire|ça va|vas)|"
    r"what to do|cómo (?:hago|puedo|estás))\b|你是|你能做",
    re.IGNORECASE,
)
_ONE_OF_MANY = re.compile(
    r"\b(?:this|that|dies\w*|jenes?|ce|cette|este|esta|ese) (?:last |next |selected )?"
    r"(?:nodes?|steps?|schritt\w*|nœuds?|noeuds?|étapes?|nodos?|pasos?)\b",
    re.IGNORECASE,
)
_LOOKED_AT = re.compile(r"\blooking at\b", re.IGNORECASE)


def explanation_asked(request: str) -> Language | None:
    """The language; None for every other request, also for one that asks for a part of the workflow.

    Each of its words has to be one that such a question is made of.
    """
    text = request.strip()
    if not text or len(text) > _LONGEST or _ONE_OF_MANY.search(text):
        return None
    if _OF_THE_ASSISTANT.search(text) and not _LOOKED_AT.search(text):
        return None
    letters = "".join(re.findall(r"\w+", text.lower()))
    if _CHINESE.fullmatch(letters) and _CHINESE_ASKING.search(letters):
        return "zh"
    words = _words(text)
    return next((language for language in _PARTS if _asks_in(language, words)), None)


def _words(text: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(text)]


def _asks_in(language: Language, words: list[str]) -> bool:
    asking, _, meant, _ = _PARTS[language]
    is_whole = all(any(part.fullmatch(word) for part in _PARTS[language]) for word in words)
    if not is_whole or not (asks := [word for word in words if asking.fullmatch(word)]):
        return False
    rest = [word for word in words if word not in asks[:1]]
    return any(map(meant.fullmatch, rest))
