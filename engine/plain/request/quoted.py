"""What stands in quotation marks, of any language, in what a person writes."""

from __future__ import annotations

import re

QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"”“»]|(?<!\w)['‘]([^'‘’]+)['’](?!\w)")
"""The text within is the group of the kind of marks; see `quoted_in`."""
QUOTED_OR_EMPTY = re.compile(r"[\"“„«][^\"“”„«»]*[\"”“»]|(?<!\w)['‘][^'‘’]*['’](?!\w)")
AROUND = " \t\n\"“”„'‘’«»"
"""To be stripped of a text that was cut out of a sentence."""


def quoted_in(text: str) -> list[str]:
    return [first or second for first, second in QUOTED.findall(text)]
