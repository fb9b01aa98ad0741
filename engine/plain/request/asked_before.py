"""What the assistant asked in its last message: a short answer means something by that alone."""

from __future__ import annotations

import re

from ...text.sentences import sentences_in

_LAST = 3
"""Sentences at the end of a message, one of which may be the question."""
_OF_A_SUBJECT = re.compile(
    r"\b(?:pictures?|images?|photos?|videos?|scenes?|prompts?|subjects?|show|draw|paint|see|describe|depict|motifs?|generate|"
    r"create|bild\w*|motiv|zeigen|malen|sehen|sujet|montrer|dessiner|imagen|mostrar|dibujar)\b|画|图|描",
    re.IGNORECASE,
)
_OF_ANYTHING_ELSE = re.compile(
    r"\b(?:nodes?|files?|models?|checkpoints?|loras?|samplers?|schedulers?|workflows?|sizes?|formats?|resolutions?|widths?|"
    r"heights?|seeds?|steps?|values?|errors?|modes?|names?|named|called|saved?|folders?|which|mean|meant|first|second|before|"
    r"negative|many|knoten|dateien?|größe|welche\w*|wie viele|nœuds?|fichiers?|taille|lequel|laquelle|nodos?|archivos?|"
    r"tamaño|cuál)\b|^\W*(?:shall|should|do you want me|would you like me|is|are|can i|may i|"
    r"soll|dois-je|debo)\b|节点|哪",
    re.IGNORECASE,
)
_OF_A_RUN = re.compile(
    r"\b(?:run|runs|start|generate|render|queue|execute|go|ausführen|starten|laufen|lancer|exécuter|ejecutar|generar)\b|运行|执行",
    re.IGNORECASE,
)
_OF_A_TEXT = re.compile(r"\b(?:prompts?|texts?|say|write)\b|提示词", re.IGNORECASE)


def question_in(answer: str) -> str:
    """The last question at the end of an answer of the assistant; "" where it asked none."""
    last = sentences_in(answer)[-_LAST:]
    return next((each for each in reversed(last) if each.rstrip(" )*_\"'").endswith(("?", "？"))), "")


def asks_for_subject(question: str) -> bool:
    """Whether the answer says what a picture is to show: "What should the picture show?"."""
    return _OF_A_SUBJECT.search(question) is not None and not _OF_ANYTHING_ELSE.search(question)


def asks_for_text(question: str) -> bool:
    """Whether it asks for the prompt as such, and not for a picture to be made."""
    return _OF_A_TEXT.search(question) is not None


def asks_for_run(question: str) -> bool:
    return _OF_A_RUN.search(question) is not None
