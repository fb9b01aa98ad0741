"""makeColorImage: a new workflow that makes and saves one image of one color."""

from __future__ import annotations

import re

from ..tool_result import ToolFailure, failure
from .call import BrowserCall

_COLORS = {
    "red": "rot|rouge|roj",
    "green": "grün|vert|verde",
    "blue": "blau|bleu|azul",
    "yellow": "gelb|jaune|amarill",
    "orange": "orange|naranja",
    "purple": "lila|violett?|púrpura|morad",
    "pink": "rosa|rose",
    "brown": "braun|brun|marron|marrón",
    "black": "schwarz|noir|negr",
    "white": "weiß|weiss|blanc",
    "gray": "grey|grau|gris",
    "cyan": "türkis|turquoise",
    "magenta": "magenta",
}
"""By its name in English, how it begins in other languages."""
_NAMED = {color: re.compile(rf"\b(?:{color}|{others})", re.IGNORECASE) for color, others in _COLORS.items()}
_IMAGE = re.compile(
    r"image|picture|bild|imagen|canvas|background|square|png|colou?r|farb|couleur", re.IGNORECASE
)
_SHOWS = re.compile(
    r"\b(?:image|picture|photo|painting|bild|imagen?)\w*\s+(?:of|with|showing|that shows|von|mit|de|d'|con)\s*"
    r"(?!.*(?:colou?r|farbe|couleur))(?!\s*(?:size|plain|solid|pure|\d))",
    re.IGNORECASE,
)
"""What such an image cannot do."""
_HEX = re.compile(r"#?[0-9a-f]{6}", re.IGNORECASE)
_LARGEST, _USUAL = 16_384, 512


def asks_for_color(request: str) -> bool:
    """Whether a plain image of a color may be what a person wants."""
    return bool(
        any(pattern.search(request) for pattern in _NAMED.values())
        and _IMAGE.search(request)
        and not _SHOWS.search(request)
    )


def make_color_image(color: str, width: str, height: str, request: str = "") -> BrowserCall | ToolFailure:
    """Only of a color that the person named: `request` is what they wrote."""
    named = [name for name, pattern in _NAMED.items() if pattern.search(request)]
    wanted = color.strip().lower()
    known = wanted if wanted in _COLORS or _HEX.fullmatch(wanted) else next(iter(named), None)
    is_asked = not request or known in named or wanted.lstrip("#") in request.lower()
    shows = request and (_SHOWS.search(request) or not _IMAGE.search(request))
    if known is None or not is_asked or shows:
        return failure(
            f'Nothing was made: the user did not ask for a plain image of the color "{color}".',
            "To change a value of the open workflow, call setValue with its name. To make a picture of something, call "
            'setValue {"name": "positive prompt", "value": "what it shows"}, then runWorkflow.',
        )
    code = f"#{known.lstrip('#')}" if _HEX.fullmatch(known) else known
    size = f"width={_pixels(width)}, height={_pixels(height)}"
    script = f'picture = EmptyImage({size}, color="{code}")\nSaveImage(images=picture)'
    return BrowserCall("runNewWorkflow", {"script": script})


def _pixels(said: str) -> int:
    found = re.search(r"\d+", said)
    return min(int(found[0]), _LARGEST) if found and int(found[0]) > 0 else _USUAL
