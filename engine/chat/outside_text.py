"""Which text that a model reads was written by others, and where it stood: what it calls then is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..clip import clip_line
from ..context.project import told_files
from ..context.rendering import WORKFLOW
from ..context.slash_skill import used_skill
from ..messages import UIMessage, tool_parts

OPEN_WORKFLOW = "the open workflow"
_LONGEST_PLACE = 120
_MOST_PLACES = 6


def outside_places(conversation: Sequence[UIMessage]) -> tuple[str, ...]:
    """The newest first. The whole conversation counts, since each request has the model read it again."""
    places = (place for message in reversed(conversation) for place in _places(message))
    return tuple(dict.fromkeys(clip_line(place, _LONGEST_PLACE) for place in places))[:_MOST_PLACES]


def _places(message: UIMessage) -> Iterator[str]:
    if message["role"] == "user":
        for part in message["parts"]:
            if part["type"] == "file":
                yield f"the attached file {part.get('filename') or part.get('mediaType')}"
        for file in told_files(message):
            if not file.is_gone:
                yield f"the project file {file.title}"
        skill = used_skill(message)
        if skill is not None and skill.is_users:
            yield f"the skill {skill.name}"
        if message.get("metadata", {}).get(WORKFLOW):
            yield OPEN_WORKFLOW
    for part in tool_parts(message):
        output = part.get("output")
        told = output.get("outside") if isinstance(output, dict) else None
        if isinstance(told, list):
            yield from (place for place in told if isinstance(place, str))
