"""What a request orders, where it orders nothing that is not read: then no model need say what that means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...environment.node_definition import NodeDefinition
from ...environment.spelled import spelled
from ..meant import plain
from ..workflow import Workflow
from .eastern_names import with_western_names, with_western_prompt
from .number_words import NUMBER_WORDS, ORDINALS
from .numbers_said import HOW_MANY, Said, as_number, words_of_files
from .orders import without_what_stays
from .quoted import QUOTED
from .run_order import without_run_order
from .seeds_held import seeds_held
from .texts_said import PROMPT
from .values_said import PARTS, not_so_yet, rest_of, values_named

_FILLING = frozenset(
    (  # noqa: SIM905 - words are read as words
        # English
        "a an and the to of for on in at with by as it its this that my be is are was set make made use "
        "using used put give me us i we you want need like would d ll could can should shall must will let "
        "so then now oh just only instead value values change "
        "changed choose pick select swap try go get have switch turn number amount image images picture "
        "pictures photo pic video format size resolution pixels pixel px sized from up down setting "
        "settings node nodes output file files save saved name named call called under load input long "
        "replace about sampler samplers scheduler loader lora loras model text latent both all each every same per "
        "once wide high tall bring keep do one too also rather around "
        "how what lets everywhere "
        "exactly u ur teh ot img maybe perhaps simply actually only nope no "
        "take takes taking drop write new many much as few total variations pics get "
        # German
        "der die das den dem des ein eine einen auf zu mit setze setz setzen stelle stell stellen mach mache "
        "machen draus daraus nimm nehmen nutze nutzen benutze benutzen verwende verwenden ändere ändern wert und "
        "dann im in soll sollen sein lauten bild bilder video größe auflösung anzahl beide alle überall erhöhe "
        "senke jetzt gleichzeitig einmal speichere speicher als unter namen ich hätte gern gerne möchte will wir "
        "mal nur so viele viel lieber vielleicht "
        # French
        "le la les l un une des à au aux de du et avec sur mets met mettre rends rendre passe passer règle utilise "
        "change changer pour image taille résolution par en nom sous je voudrais veux "
        "seulement plutôt partout "
        # Spanish
        "el los las un una a al en con y pon poner haz hacer cambia cambiar usa usar imagen tamaño "
        "resolución que sea como guarda lo quiero querría solo sólo mejor "
    ).split()
)
_NUMBER = re.compile(r"-?(?:\d+(?:[.,]\d+)*|\.\d+)")
_CLAUSES = re.compile(r"[,;.!?]\s*|\s(?:and|but|then|und|aber|dann|et|mais|y|pero)\s", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!;]\s+|\n+")
_MOST_SENTENCES = 4
"""Of a message whose sentences are read one by one, where it cannot be read whole."""
_STEM = 4


@dataclass(frozen=True)
class Orders:
    """`named` are the values that it says, `runs` tells whether the workflow is to be run then."""

    named: Said
    runs: bool

    @property
    def values(self) -> Said:
        """Those that are not so yet."""
        return not_so_yet(self.named)


def orders_read(workflow: Workflow, definitions: Mapping[str, NodeDefinition], request: str) -> Orders | None:
    """Of a workflow that is as it was when it was said; None where a word of the request says anything else."""
    if orders := _read_whole(workflow, definitions, request):
        return orders
    sentences = _SENTENCE_END.split(request.strip())
    if not 1 < len(sentences) <= _MOST_SENTENCES:
        return None
    several = [_read_whole(workflow, definitions, sentence) for sentence in sentences]
    read = [orders for orders in several if orders]
    named = [each for orders in read for each in orders.named]
    values = not_so_yet(named)
    is_each_once = len({value.name for value, _ in values}) == len(values)
    is_run_last = not any(orders.runs for orders in read[:-1])
    is_clear = len(read) == len(sentences) and is_each_once and is_run_last
    return Orders(named, read[-1].runs) if is_clear else None


def _read_whole(workflow: Workflow, definitions: Mapping[str, NodeDefinition], request: str) -> Orders | None:
    if any(seeds_held(workflow, clause) for clause in _CLAUSES.split(request)):
        return None
    request = with_western_prompt(request)
    is_text_said = PROMPT.search(request) is not None or QUOTED.search(request) is not None
    said, runs = without_run_order(request if is_text_said else without_what_stays(request))
    said = with_western_names(said)
    named = values_named(workflow, definitions, said)
    if not named:
        return Orders([], runs=True) if runs and not plain(said) else None
    pictures = HOW_MANY.match(said)
    runs = runs or (pictures is not None and pictures["makes"] is not None)
    return None if _left_over(workflow, definitions, said, named) else Orders(named, runs)


def _left_over(
    workflow: Workflow, definitions: Mapping[str, NodeDefinition], request: str, named: Said
) -> bool:
    rest = rest_of(workflow, definitions, request, named)
    if rest is None:
        return True
    news = [spelled(new) for value, new in named if isinstance(value.value, str)]
    words = {
        word
        for value, _ in named
        for word in plain(f"{value.name} {value.widget} {value.node.label}").split()
    }
    words |= {word for value, _ in named for word in words_of_files(value)}
    numbers = {as_number(number) for _, new in named for number in _NUMBER.findall(new)} | {
        value.node.id for value, _ in named
    }
    untouched = PARTS.split(request)
    for part in PARTS.split(rest):
        tokens = plain(part.lower()).split()
        unread = [token for token in tokens if not _is_read(token, words, numbers, news)]
        if not _FILLING.issuperset(unread) or (unread == tokens != [] and part in untouched):
            return True
    return False


def _is_read(token: str, words: set[str], numbers: set[str], news: Sequence[str]) -> bool:
    if token in ORDINALS or any(_is_form_of(token, word) for word in words):
        return True
    token = NUMBER_WORDS.get(token, token).rstrip(".")
    if _NUMBER.fullmatch(token):
        return as_number(token) in numbers or any(token in new for new in news)
    return len(spelled(token)) > 1 and any(spelled(token) in new for new in news)


def _is_form_of(token: str, word: str) -> bool:
    """Such as a plural, "scaling" of "scale", "moxin" of "moxinv"."""
    return token in (word, f"{word}s") or (
        min(len(token), len(word)) > _STEM and token[:_STEM] == word[:_STEM]
    )
