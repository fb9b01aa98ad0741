"""The system messages that a thread was begun with, as they are kept with it, and what was known of each then."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...base.messages import dump
from ...context.frame import LeftOut, SystemForm, SystemMessage

_LEFT_OUT = "{form}: left out"
_RULES = "{form}: rules"
_PREFERENCES = "{form}: preferences"
_PERSONA = "{form}: persona"


class StoredSystemMessages:
    """Texts by form; beside each, as JSON, what it had no room for, and what the user told then."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)

    def get(self, form: SystemForm) -> SystemMessage | None:
        text = self._texts.get(form)
        if text is None:
            return None
        return SystemMessage(
            text,
            _read_left_out(self._texts.get(_LEFT_OUT.format(form=form), "[]")),
            _read_told(self._texts.get(_RULES.format(form=form), "")),
            _read_told(self._texts.get(_PREFERENCES.format(form=form), "")),
            persona=self._texts.get(_PERSONA.format(form=form)),
        )

    def keep(self, form: SystemForm, message: SystemMessage) -> Mapping[str, str]:
        """All that is to be kept from now on."""
        self._texts[form] = message.text
        if message.left_out:
            self._texts[_LEFT_OUT.format(form=form)] = dump([entry.as_json() for entry in message.left_out])
        if message.rules is not None:
            self._texts[_RULES.format(form=form)] = dump(list(message.rules))
        if message.preferences is not None:
            self._texts[_PREFERENCES.format(form=form)] = dump(list(message.preferences))
        if message.persona is not None:
            self._texts[_PERSONA.format(form=form)] = message.persona
        return self._texts


def _read_told(text: str) -> tuple[str, ...] | None:
    try:
        return tuple(str(told) for told in json.loads(text))
    except (ValueError, TypeError):
        return None


def _read_left_out(text: str) -> tuple[LeftOut, ...]:
    """What cannot be read any more is as if it had not been kept: it is told, and nothing else."""
    try:
        entries: Any = json.loads(text)
        return tuple(LeftOut(entry["source"], entry["amount"], entry["unit"]) for entry in entries)
    except (ValueError, TypeError, KeyError):
        return ()
