"""The facts on a model by source: its server, the bundled table, an error, its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .model_table import listed_vision, listed_window
from .server_facts import ServerFacts

UNKNOWN_WINDOW = 32_000

WindowOrigin = Literal["you", "setting", "endpoint", "table", "learned", "unknown"]
FactOrigin = Literal["you", "setting", "endpoint", "name", "table", "unknown"]

_SAYS_THAT_IT_SEES = re.compile(
    r"(?:(?<![a-z])(?:vl|vlm|vision|multimodal|omni)|\dv)(?![a-z0-9])", re.IGNORECASE
)
_SILENT = ServerFacts()


@dataclass(frozen=True)
class ModelFacts:
    """The window in tokens, and whether the model sees images, or None; each with its source."""

    window: int
    window_source: WindowOrigin
    vision: bool | None = None
    vision_source: FactOrigin = "unknown"


def model_facts(
    model: str,
    *,
    override: int | None = None,
    server: ServerFacts = _SILENT,
    learned_window: int | None = None,
    is_local: bool = False,
) -> ModelFacts:
    """Return each fact from the first source that has it.

    `override` is the user's setting, `learned_window` the one in an overflow error; both are in tokens.
    """
    window, source = _window(model, override, server.window, learned_window, is_local)
    return ModelFacts(window, source, *_vision(model, server.vision))


def _window(
    model: str, override: int | None, server_window: int | None, learned_window: int | None, is_local: bool
) -> tuple[int, WindowOrigin]:
    """Return the window and its source.

    A smaller window from an error wins over any promise: the server that refused a request knows best. The table does
    not count for a local model, whose server decides how much of the model's window it allocates.
    """
    known: tuple[int, WindowOrigin]
    if override:
        known = override, "setting"
    elif server_window:
        known = server_window, "endpoint"
    elif in_table := None if is_local else listed_window(model):
        known = in_table, "table"
    else:
        return (learned_window, "learned") if learned_window else (UNKNOWN_WINDOW, "unknown")
    return (learned_window, "learned") if learned_window and learned_window < known[0] else known


def _vision(model: str, server_vision: bool | None) -> tuple[bool | None, FactOrigin]:
    """Return whether the model sees images; "vision" in its name wins over a family in the table that does not."""
    if server_vision is not None:
        return server_vision, "endpoint"
    if _SAYS_THAT_IT_SEES.search(model.rsplit("/", 1)[-1]):
        return True, "name"
    listed = listed_vision(model)
    return listed, "unknown" if listed is None else "table"
