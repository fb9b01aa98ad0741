"""Days as people write them: "yesterday", "Tuesday", "2026-01-31"."""

from __future__ import annotations

import datetime as dt
import re

_WEEKDAYS = (
    ("monday", "montag", "lundi", "lunes"),
    ("tuesday", "dienstag", "mardi", "martes"),
    ("wednesday", "mittwoch", "mercredi", "miércoles"),
    ("thursday", "donnerstag", "jeudi", "jueves"),
    ("friday", "freitag", "vendredi", "viernes"),
    ("saturday", "samstag", "sonnabend", "samedi", "sábado"),
    ("sunday", "sonntag", "dimanche", "domingo"),
)
_BACK = {
    "today": 0,
    "heute": 0,
    "aujourd'hui": 0,
    "hoy": 0,
    "yesterday": 1,
    "gestern": 1,
    "hier": 1,
    "ayer": 1,
    "vorgestern": 2,
}
_NUMBERS = {name: number for number, names in enumerate(_WEEKDAYS) for name in names}
_DAY = re.compile(
    rf"\b(?:(?:from|on|of|last|vom|am|letzten|de|du|del|el)\s+)*"
    rf"(?:(?P<date>\d{{4}}-\d\d-\d\d)|(?P<word>{'|'.join([*_BACK, *_NUMBERS])}))\b",
    re.IGNORECASE,
)
_LONGEST_SEARCH = 2_000
"""The number of characters in which a day is looked for."""


def parse_day(words: str, today: dt.date) -> tuple[str, dt.date | None]:
    """Return the words without the day that they name, and that day or None. A weekday is the last one, including
    today.
    """
    for found in _DAY.finditer(words, 0, _LONGEST_SEARCH):
        rest = f"{words[: found.start()]} {words[found.end() :]}"
        if found["date"]:
            try:
                return " ".join(rest.split()), dt.date.fromisoformat(found["date"])
            except ValueError:
                continue
        word = found["word"].lower()
        back = _BACK[word] if word in _BACK else (today.weekday() - _NUMBERS[word]) % 7
        return " ".join(rest.split()), today - dt.timedelta(days=back)
    return words, None
