"""Which text that a model reads was written by others, and where it stood: what it calls then is asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...context.project import told_files
from ...context.rendering import WORKFLOW
from ...context.slash_skill import used_skill
from ...context.tool_facts import ToolFacts, facts_of
from ...messages import Part, UIMessage, tool_name
from ...own_metadata import own_metadata
from ...text.clip import clip_line, quoted_name

OPEN_WORKFLOW = "the open workflow"
_ATTACHED_TEXT = re.compile(r'<attached name="([^"\n]*)">\n')
"""Written by the panel: an error of a run, with what the workflow says around it."""
_LONGEST_PLACE = 200
_MOST_PLACES = 6
_MOST_OF_TYPES = 20_000  # characters
ANY_TYPE = "*"


def outside_places(conversation: Sequence[UIMessage]) -> tuple[str, ...]:
    """The newest first. The whole conversation counts, since each request has the model read it again.

    Each result tells of the open workflow; the newest one says what stands there now.
    """
    told: dict[str, str] = {}
    for message in reversed(conversation):
        for place in _places(message):
            is_open = place.startswith(OPEN_WORKFLOW)
            told.setdefault(OPEN_WORKFLOW if is_open else place, clip_line(place, _LONGEST_PLACE))
    return tuple(told.values())[:_MOST_PLACES]


def influenced_types(conversation: Sequence[UIMessage], facts: Mapping[str, ToolFacts]) -> tuple[str, ...]:
    """Types of nodes that calls have changed after such text was read; `ANY_TYPE` where that is not known.

    They are told with each later call, so that a run asks about them also in a page that has not seen the edits.
    """
    types = tuple(
        dict.fromkeys(
            name
            for message in conversation
            for part in message["parts"]
            for name in _influenced_by(part, facts)
        )
    )
    return types if sum(map(len, types)) <= _MOST_OF_TYPES else (ANY_TYPE,)


def _influenced_by(part: Part, facts: Mapping[str, ToolFacts]) -> Sequence[str]:
    """Looks first at what only calls have: the parts of a long conversation are tens of thousands."""
    output = part.get("output")
    if isinstance(output, dict) and output.get("code") != "stopped":
        told = output.get("influenced")
        return [name for name in told if isinstance(name, str)] if isinstance(told, list) else ()
    # Its page was gone before it told the end, and may have done it.
    metadata = part.get("callProviderMetadata")
    was_told = metadata is not None and own_metadata(metadata).get("outside")
    return (ANY_TYPE,) if was_told and facts_of(tool_name(part), facts).edits else ()


def _places(message: UIMessage) -> Iterator[str]:
    if message["role"] == "user":
        for part in message["parts"]:
            if part["type"] == "file":
                yield f"the attached file {quoted_name(part.get('filename') or part.get('mediaType') or '')}"
            for name in _ATTACHED_TEXT.findall(part.get("text") or ""):
                yield f"the attached text {quoted_name(name)}"
        for file in told_files(message):
            if not file.is_gone:
                yield f"the project file {quoted_name(file.title)}"
        skill = used_skill(message)
        if skill is not None and skill.is_users:
            yield f"the skill {quoted_name(skill.name)}"
        if message.get("metadata", {}).get(WORKFLOW):
            yield OPEN_WORKFLOW
    for part in message["parts"]:
        output = part.get("output")
        told = output.get("outside") if isinstance(output, dict) else None
        if isinstance(told, list):
            yield from (place for place in told if isinstance(place, str))
