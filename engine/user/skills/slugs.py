"""Slugs: one name of each skill for file systems, addresses and models."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from ...base.files.device_names import is_device_name

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_NUMBER = re.compile(r"\d+[ _-]+")
_SEPARATORS = re.compile(r"[ _-]+")
_NO_LETTERS = re.compile(r"[\W_]+")
_LONGEST = 63

_LATIN = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфыэіїґ", "abvgdezijklmnoprstufyeiig", strict=True))
    | {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "є": "ye"}
    | {"ё": "e", "ъ": "", "ь": "", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d"}
    | dict(zip("αβγδεζηικλμνξοπρσςτυφω", "abgdeziiklmnxoprsstyfo", strict=True))
    | {"þ": "th", "ı": "i", "θ": "th", "χ": "ch", "ψ": "ps"}
)


def slugify(name: str) -> str | None:
    """Return the slug of a name, without its order number, in lower case with hyphens; None if the name has none.

    The slug of `09_model_flux` is `model-flux`. Only ASCII letters count, and names of Windows devices have no slug,
    so that a slug means one folder on every file system, in every normal form, and in a URL.
    """
    if not name.isascii():
        return None
    slug = plain(name)
    return slug if _SLUG.fullmatch(slug) and not is_device_name(slug) else None


def slug_for(folder: str, name: str) -> str:
    """Return the slug of a skill by its folder, else by its name, else by either in Latin letters.

    If none has one, it is a hash of the folder's name, which is the same everywhere.
    """
    given = slugify(folder) or slugify(name) or slugify(_to_latin(folder)) or slugify(_to_latin(name))
    return given or f"skill-{hashlib.sha256(_compose(folder).encode()).hexdigest()[:8]}"


def plain(name: str) -> str:
    """Return a name without its order number, in lower case, its words joined by hyphens."""
    number = _NUMBER.match(name)
    return _SEPARATORS.sub("-", name[number.end() :] if number else name).strip("-").casefold()


def plain_query(words: str) -> str:
    """Return a name as users and models write it, without the blanks, quotes or slashes around it."""
    return plain(_compose(words).strip(" \t\n\"'`/"))


def _to_latin(name: str) -> str:
    """Return a name in Latin letters; "" if a letter has none, since half a name may be another's."""
    letters = unicodedata.normalize("NFKD", _compose(name).casefold().translate(_LATIN))
    without_accents = "".join(letter for letter in letters if not unicodedata.combining(letter))
    words = _NO_LETTERS.sub("-", plain(without_accents.translate(_LATIN))).strip("-")
    return words[:_LONGEST].rstrip("-") if words.isascii() else ""


def _compose(name: str) -> str:
    """Return a name in the composed normal form (NFC), whichever form the file system uses."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode())
