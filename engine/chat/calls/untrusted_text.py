"""The places of text by others that a model has read; questions to the user name them, except the workflow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...base.messages import UIMessage
from ...base.text.clip import clip_line, quoted_name
from ...context.message_metadata import MessageMetadata

OPEN_WORKFLOW = "the open workflow"
_ATTACHED_TEXT = re.compile(r'<attached name="([^"\n]*)">\n')
"""The panel's form for the error of a run, with its surroundings in the workflow."""
_LONGEST_PLACE = 200
_MOST_PLACES = 6


def untrusted_places(conversation: Sequence[UIMessage]) -> tuple[str, ...]:
    """Return the places, newest first. The whole conversation counts, since the model reads it with each request.

    Every result names the open workflow; the newest one describes its present content.
    """
    told: dict[str, str] = {}
    for message in reversed(conversation):
        for place in _places(message):
            is_open = place.startswith(OPEN_WORKFLOW)
            told.setdefault(OPEN_WORKFLOW if is_open else place, clip_line(place, _LONGEST_PLACE))
    return tuple(told.values())[:_MOST_PLACES]


def _places(message: UIMessage) -> Iterator[str]:
    if message["role"] == "user":
        for part in message["parts"]:
            if part["type"] == "file":
                yield f"the attached file {quoted_name(part.get('filename') or part.get('mediaType') or '')}"
            for name in _ATTACHED_TEXT.findall(part.get("text") or ""):
                yield f"the attached text {quoted_name(name)}"
        kept = MessageMetadata.of(message)
        for file in kept.project.files:
            if not file.is_gone:
                yield f"the project file {quoted_name(file.title)}"
        if kept.skill is not None and kept.skill.is_users:
            yield f"the skill {quoted_name(kept.skill.name)}"
        if kept.workflow:
            yield OPEN_WORKFLOW
    for part in message["parts"]:
        output = part.get("output")
        told = output.get("outside") if isinstance(output, dict) else None
        if isinstance(told, list):
            yield from (place for place in told if isinstance(place, str))
