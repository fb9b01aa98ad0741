"""What a request wants to see in the picture, where it says nothing else; and whether that is to be made at once."""

from __future__ import annotations

import re

from ...text.sentences import sentences_in
from ..color_image import asks_for_color
from .asked_before import asks_for_subject, asks_for_text
from .comparatives import COMPARING
from .orders import asks, is_order
from .quoted import AROUND, QUOTED

_PICTURE = (
    r"(?:(?:the|this|my|das|dieses|l['’]|la|el|cette) ?(?:picture|image|photo|video|clip|painting|scene|bild|"
    r"foto|vidéo|vídeo|imagen)|it|es)"
)
_PLAIN_MADE = r"(?:picture|pic|image|video|clip|bild|vidéo|imagen|vídeo)s?"
_MADE = (
    rf"(?:{_PLAIN_MADE}|(?:photo|photograph|painting|drawing|sketch|render|illustration|portrait|poster|logo|shot|foto|gemälde|"
    r"zeichnung|skizze|aquarell|porträt|peinture|dessin|aquarelle|tableau|affiche|pintura|dibujo|acuarela|retrato)s?)"
)
_OF_STYLE = rf"(?P<style>(?:[\w-]+ ){{0,3}}\w*?{_MADE}(?: (?!of|von|de|avec|con|mit|en|d['’])[\w-]+)?)"
"""What a picture is to be beside what it shows: "realistic photo"."""
_NO_STYLE = re.compile(
    r"(?:(?:new|nice|good|great|other|different|next|single|quick|test|random|neues|"
    r"schönes|nouvelle|belle|nueva|bonita) )*"
    rf"{_PLAIN_MADE}",
    re.IGNORECASE,
)
_SUBJECT = r"(?:subject|scene|motif|motive|content|theme|topic|motiv|thema|inhalt|sujet|thème|tema|contenido)"
_THING = r"(?P<text>\S.*?)"
_TOLD_OF = r"(?P<text>\S+(?:\s+\S+){3,}?)"
"""In four words or more: "make it a forest" may mean the place alone, and the rest of the prompt as it is."""
_AN = r"(?=(?:an?|one|two|three|some|my|ein\w*|zwei|drei|une?|deux|des|un[ao]?s?|dos)\s)"
_BEFORE = r"^\W*(?:(?:so|and|now|no)\W+)*"
_INSTEAD = r"(?:instead|stattdessen|à la place|en su lugar|en vez de eso)"
_WISH = (
    r"(?:(?:i|we)(?: would|['’]d)? (?:rather )?(?:want|like|love|prefer|have|see)(?: to (?:see|have))?|"
    r"(?:give|show) me|ich (?:will|möchte|hätte gern\w*)|je (?:veux|voudrais)|quiero|quisiera|me gustaría)"
)
_CHANGED = [
    re.compile(_BEFORE + pattern, re.IGNORECASE)
    for pattern in (
        rf"{_WISH}\s+(?:{_PICTURE} to (?:be|show) )?{_AN}{_THING}\s+{_INSTEAD}\b.*$",
        rf"(?:i|we)(?: would|['’]d) rather (?:have|see)\s+{_AN}{_THING}$",
        rf"{_INSTEAD},?\s+{_WISH}\s+{_AN}{_THING}$",
        rf"{_WISH}\s+{_PICTURE} to (?:be|show)\s+{_THING}$",
        rf"{_WISH}\s+{_AN}{_THING}\s+(?:in|on|im|dans|en) {_PICTURE}$",
        rf"{_PICTURE}\s+(?:should|must|soll|doit|debe)\s+(?:show|be of|depict|be|zeigen|montrer|mostrar)\s+{_THING}$",
        rf"{_PICTURE}\s+soll\s+{_AN}{_THING}\s+zeigen$",
        rf"(?:make|let) {_PICTURE} (?:show|be about|be)\s+{_THING}$",
        rf"(?:make|turn|change|switch) {_PICTURE} (?:(?:in)?to )?{_AN}{_TOLD_OF}$",
        rf"mach\w*\s+(?:es zu|daraus|draus)\s+{_AN}{_TOLD_OF}$",
        rf"(?:change|set|switch|make|änder\w*|setz\w*|change|cambia)\s+(?:the |das |den |le |la |el )?{_SUBJECT}\s+"
        rf"(?:to|into|be|zu|auf|in|en|por|a)\s+{_THING}$",
        rf"(?:the |das |le |la |el )?(?:{_SUBJECT}|prompt) (?:should|must|soll|doit|debe) (?:be about|be|sein|être|ser)"
        rf"\s+{_THING}$",
        rf"(?:write|use|put|enter|take|{_WISH})\s+{_THING}\s+as (?:the |my |a )?(?:new |positive )?prompt$",
        r"(?:把(?:它|图片|画面|图像|提示词)?)?(?:换成|改成|变成|改为|换为)(?P<text>\S.*)$",
    )
]
_TO_BE_MADE = [
    re.compile(_BEFORE + pattern, re.IGNORECASE)
    for pattern in (
        r"(?:make|create|generate|render|draw|paint|produce|do|give|show)\s+(?:me |us )?(?P<one>an?|another|some|the)"
        rf"\s+{_OF_STYLE} (?:of|with|showing|that shows)\s+{_THING}$",
        rf"(?:draw|paint)\s+(?:me |us )?{_AN}{_THING}$",
        rf"(?:mach\w*|erstell\w*|erzeug\w*|generier\w*|mal\w*)\s+(?:mir |uns )?(?P<one>ein\w*)\s+{_OF_STYLE} "
        rf"(?:von|mit|eine[rs])\s+{_THING}$",
        rf"(?:crée|génère|fais|dessine)\w*(?:-moi)?\s+(?P<one>une?)\s+{_OF_STYLE} (?:de|d['’]|avec)\s*{_THING}$",
        rf"(?:crea|genera|haz|dibuja)(?:me)?\s+(?P<one>una?)\s+{_OF_STYLE} (?:de|con)\s+{_THING}$",
        r"(?:给我)?(?:(?:画|生成|做)一(?:张|幅|个|只)|画(?![质面布家作]))(?P<text>\S.*?)(?:的?(?:图片?|图像|视频))?$",
    )
]
_THING_TO_BE_MADE = re.compile(
    rf"{_BEFORE}(?:make|create|generate|render|produce|show)\s+(?:me |us )?{_AN}{_TOLD_OF}$", re.IGNORECASE
)
"""Without a word for a picture: "generate a cat wearing sunglasses"."""
_OF_FILES = re.compile(
    r"\b(?:images?|pictures?|photos?|frames?|variations?|versions?|grids?|collages?|lists?|folders?|copy|copies|backups?|"
    r"(?:for|of|to|from) the|better|best|nicer|undo|redo|songs?|music|audio|sounds?|voices?|speech|"
    r"texts?|story|stories|captions?|descriptions?|poems?|names?|scripts?|codes?|tools?|buttons?|plans?|ways?|examples?|"
    r"groups?|subgraphs?|notes?|passes|pass|setups?|pipelines?|loops?|fix|hires|detailers?|(?:in|out)paint\w*|"
    r"\w+2\w+|depth|canny|pose|tests?|runs?|times|seconds|second|long|gifs?|animations?|json|png|jpe?g)\b",
    re.IGNORECASE,
)
"""Things that are no picture, made of pictures or of nodes, or for what is in the picture already."""
_PART = re.compile(
    r"\w+\s+(?:[\w-]+\s+){0,2}(?:backgrounds?|backdrops?|foregrounds?|borders?|frames?|skies|sky|shadows?|reflections?|"
    r"faces?|eyes?|hands?|hair|shapes?|colou?rs?|hintergrund|vordergrund|fond|fondo)\b"
    r"(?! (?:image|picture|photo|of)\b)",
    re.IGNORECASE,
)
"""Of a picture that may be the one that there is: "make a background with no people"."""
_OF_SIZE = re.compile(
    r"\d{2}|\b(?:small|smaller|big|bigger|large|larger|wide|wider|tall|square|landscape|portrait|vertical|horizontal|hi-?res|"
    r"high-res\w*|low-res\w*|klein\w*|groß\w*|petite?|grande?|pequeñ\w+)\s",
    re.IGNORECASE,
)
"""Before a picture: it is no word for the prompt, or not only."""
_IN_PLACE_OF = re.compile(
    r"\s+(?:instead of|rather than|in place of|statt|anstatt|anstelle (?:von|des|der)|au lieu d[eu']|à la place d[eu']|"
    r"en vez de|en lugar de)\s+[^,;.!?]+$",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"[\s,;.!]*(?:\b(?:and|but|und|et|y)\s+)?\b(?:(?:change|adjust|update)\s+(?:only\s+)?the\s+prompt\b.*|"
    r"(?:keep|leave|don['’]?t (?:change|touch)|change nothing|nothing else|lass|behalte|garde|deja|mantén)\b.*|"
    r"(?:instead|now|then|stattdessen|"
    r"à la place|en su lugar|for me|too|there|here|wäre toll))[\s.!]*$",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"^\W*(?:change|adjust|update) "
    r"(?:the prompt|what (?:the )?(?:picture|image|video|it) shows?|the (?:picture|image|motif|subject))\s*[?.!:]*$",
    re.IGNORECASE,
)
"""A sentence that says that another picture is wanted, before the one that says which."""
_WANTED = re.compile(rf"{_BEFORE}{_WISH}\s+{_AN}{_THING}$", re.IGNORECASE)
_ALONE = re.compile(
    rf"{_BEFORE}(?P<text>(?:an?|one|two|three|four|some|ein\w*|zwei|drei|une?|deux|un[ao]?s?|dos|tres)\s+(?:[^\s,]+[\s,]+){{3,}}\S.*"
    r"|(?:[^\n,.!?:]{2,60},\s*){4,}[^\n,.!?:]{2,60},?)$",
    re.IGNORECASE,
)
"""Nothing but what there is to see: "a red fox in the snow at dawn", or five keywords."""
_TOLD = re.compile(
    r"\b(?:i|i['’]m|you|u|we|me|my|your|can|could|should|would|how|why|what|which|does|do|don['’]?t|not|"
    r"links?|connections?|wires?|inputs?|outputs?|vae|clip|models?|loaders?|encoders?|decoders?|errors?|files?|folders?|"
    r"it|the (?:images?|pictures?|photos?|videos?|backgrounds?|foreground|results?|subject|style|colou?rs?|light\w*)|"
    r"(?:an?|one|some) (?:different|better|new|other|same|similar|whole|bit|little|lot)|"
    r"masks?|values?|numbers?|widgets?|prompts?|questions?|ideas?|cfg|denoise|scheduler|batch|width|height|size|"
    r"ich|du|mein\w*|kannst|wie|warum|was|je|tu|mon|ma|comment|pourquoi|yo|tú|mi|cómo|por qué)\b",
    re.IGNORECASE,
)
"""In words to somebody, or about the workflow."""
_NO_SUBJECT = re.compile(
    r"\b(?:how|why) (?:it|to|this|the)\b|^(?:no|not|without|only|ohne|kein\w*|sans|sin|pas)\b|"
    r"^(?:it|that|this|them|something|anything|more|less|better|nicer|another|different|same)\b|"
    r"^(?:a )?(?:bit|little bit|lot|tad|touch)\b|^(?:in|auf|en) \w+$|^(?:shorter|longer|simpler)\b|"
    # A picture of another kind, of which nothing is said.
    r"^(?:an?|another|one|some) (?:[\w-]+ )?(?:images?|pictures?|photos?|videos?|one|version|result|png|jpe?g|"
    r"webp|gif|portrait|landscape|square|batch|copy|file|painting|drawing|sketch|cartoon|comic|anime|watercolou?r)"
    r"(?! (?:of|with|showing|that shows)\b)|^(?:an? )?list\b|"
    # What there is already.
    r"^(?:the|this|these|those|my|your|its|our) (?:[\w-]+ )?(?:results?|outputs?|settings?|values?|parameters|prompts?|"
    r"images?|pictures?|photos?|videos?|current|same|last|errors?|logs?|files?|canvas|panel|chat)\b|^图$|"
    # What is said of the workflow.
    r"\b(?:workflow|nodes?|template|preview|lora|upscaler|controlnet|checkpoint|samplers?|seed|steps|cfg|resolution|"
    r"pixels?)s?\b|\d\s*[x×](?:\s*\d|\b)|\bupscal\w*|\bbatch\b|\bfrom (?:node )?#?\d+ to\b|"
    # What there is, in another light.
    r"^an? (?:[\w-]+ ){1,2}(?:scene|version|look|style|mood|atmosphere|setting|close-?up|shot|view)$|"
    r"[竖横豎橫](?:版|屏|构图|的)|方形|比例|工作流|节点|模型|采样|调度|分辨率|尺寸|步数|种子|提示词|格式|\d\s*步|^(?:另|图片|图像|照片|视频|画)",
    re.IGNORECASE,
)


_NO_ANSWER = re.compile(
    r"^(?:no|nope|nah|none|nothing|anything|whatever|something|yes|yeah|yep|ok|okay|sure|dunno|"
    r"idk|stop|cancel|never ?mind|undo|"
    r"help|same|surprise|nein|ja|egal|nichts|non|oui|rien|sí|nada|go|run|start|continue|skip|later|wait|\W*\d+)\b|"
    r"^(?:the |das |le |la |el )?(?:first|second|third|last|other|left|right|upper|lower|one|both|all)\b|^[不是好没]",
    re.IGNORECASE,
)
"""To a question after what a picture is to show."""


def subject_said(request: str, asked: str = "") -> tuple[str, bool] | None:
    """The text for the positive prompt, and whether the picture is to be made; None for all other requests.

    `asked` is what the assistant asked before: by that a bare "a lighthouse" is what the picture is to show, or not.
    """
    sentences = sentences_in(request)
    is_announced = len(sentences) == 2 and _ANNOUNCED.match(sentences[0]) is not None
    if is_announced:
        sentences = sentences[1:]
    if len(sentences) != 1 or asks(sentences[0]):
        return None
    said = _alone(sentences[0])
    kinds = [(_CHANGED, False), (_TO_BE_MADE, True), *([([_WANTED], False)] if is_announced else [])]
    if not _TOLD.search(said) and not asked:
        kinds.append(([_ALONE], True))
    thing = _THING_TO_BE_MADE.match(said)
    if (
        thing
        and not any(kind.search(thing["text"]) for kind in (_TOLD, _OF_FILES))
        and not _PART.match(thing["text"])
    ):
        kinds.append(([_THING_TO_BE_MADE], True))
    for patterns, runs in kinds:
        for pattern in patterns:
            if found := pattern.match(said) or (pattern.match(sentences[0]) if not runs else None):
                text = _alone(_with_style(found)).strip(" \t\n,.!")
                text = text.strip(AROUND) if QUOTED.fullmatch(text) else text
                is_plain = runs and asks_for_color(said)
                return (text, runs) if text and _is_subject(text) and not is_plain else None
    is_answer = asks_for_subject(asked) and not _TOLD.search(said) and not _NO_ANSWER.match(said)
    return (said, not asks_for_text(asked)) if is_answer and said and _is_subject(said) else None


def _with_style(found: re.Match[str]) -> str:
    """What is to be seen, of "a realistic photo of a cat" all; "" where it is a size that is said there."""
    style = found.groupdict().get("style")
    if not style or _NO_STYLE.fullmatch(style):
        return found["text"]
    if _OF_SIZE.search(style):
        return ""
    is_one = re.fullmatch(r"an?|ein\w*|une?|una", found["one"], re.IGNORECASE)
    return found.string[found.start("one" if is_one else "style") : found.end("text")]


def _alone(said: str) -> str:
    """Without what stands around it; one after the other."""
    said = _IN_PLACE_OF.sub("", said.strip().rstrip("?.!。！"))
    while (shorter := _BESIDE.sub("", said).rstrip(" ,.;!")) != said:
        said = shorter
    return said


def _is_subject(text: str) -> bool:
    return not _NO_SUBJECT.search(text) and not COMPARING.search(text) and is_order(f"please {text}")
