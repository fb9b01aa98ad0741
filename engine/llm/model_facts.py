"""What is known of a model, and who says so: its server, the bundled table, an error, its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .model_table import listed_vision, listed_window
from .server_facts import ServerFacts

UNKNOWN_WINDOW = 32_000

WindowSource = Literal["setting", "endpoint", "table", "learned", "unknown"]

_SAYS_THAT_IT_SEES = re.compile(
    r"(?:(?<![a-z])(?:vl|vlm|vision|multimodal|omni)|\dv)(?![a-z0-9])", re.IGNORECASE
)
_SILENT = ServerFacts()


@dataclass(frozen=True)
class ModelFacts:
    """`window` is in tokens; `vision` says whether the model sees images, None where nobody knows."""

    window: int
    window_source: WindowSource
    vision: bool | None = None


def model_facts(
    model: str,
    *,
    override: int | None = None,
    server: ServerFacts = _SILENT,
    learned: int | None = None,
    is_local: bool = False,
) -> ModelFacts:
    """Each fact from the first who knows it. `override` is the user's setting, `learned` what an overflow told."""
    window, source = _window(model, override, server.window, learned, is_local)
    return ModelFacts(window, source, _vision(model, server.vision))


def _window(
    model: str, override: int | None, told: int | None, learned: int | None, is_local: bool
) -> tuple[int, WindowSource]:
    """What an error taught counts before a table that promises more.

    The table is not asked for a model on this machine, whose server decides how much of the model's window it makes
    room for.
    """
    if override:
        return override, "setting"
    if told:
        return told, "endpoint"
    in_table = None if is_local else listed_window(model)
    if learned and learned < (in_table or learned + 1):
        return learned, "learned"
    return (in_table, "table") if in_table else (UNKNOWN_WINDOW, "unknown")


def _vision(model: str, told: bool | None) -> bool | None:
    """A variant that is called "vision" is not taken for blind because its family is."""
    if told is not None:
        return told
    return True if _SAYS_THAT_IT_SEES.search(model.rsplit("/", 1)[-1]) else listed_vision(model)
