"""The reminder at the end of a user message, which the model reads last: date, goals, persona, reminders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..base.text.clip import clip_words, quoted_name
from ..base.text.sentences import split_sentences

CITATION = "Where your answer uses a document, cite its number in brackets, as in [1]."
MOST_CHARACTERS = 600
"""The most characters of all the user's reminders together, since every message has them."""

_LONGEST_GOALS = 240
_MOST_CHANGED = 8
_MARKS = re.compile(r"^(?:[-*+>]|\d{1,3}[.)])\s+")
_LETTER = re.compile(r"\w")


@dataclass(frozen=True)
class OpenWorkflow:
    """The open workflow, as the page reports it; `last_read` is another one that the model has read."""

    name: str
    nodes: int
    last_read: str = ""
    has_failed: bool = False
    """Whether its last run failed, whoever began it."""
    changed: tuple[str, ...] = ()
    """The nodes that the user has changed since the model read them."""


def reminder(
    *,
    now: str = "",
    pins: Sequence[str] = (),
    reminders: Sequence[str] = (),
    goals: str = "",
    persona: str = "",
    notes: Sequence[str] = (),
    workflow: OpenWorkflow | None = None,
    cites: bool = False,
    has_user_skill_tool: bool = True,
) -> str:
    """Write the block after a user's text; "" if there is nothing to say.

    It is stored with the message when that arrives, so the message reads the same in every later request. `cites` is
    set if the thread has documents; the citation rule comes last, after all that the user wrote.
    """
    lines = [
        f"Date: {now}." if now else "",
        f"Persona: {line}" if (line := _first_sentences(persona)) else "",
        f"The user's standing goals: {line}" if (line := _first_sentences(goals)) else "",
        *_reminders(reminders, has_user_skill_tool=has_user_skill_tool),
        *(f"Pinned by the user: {pin}" for pin in pins),
        *notes,
        _open_workflow(workflow) if workflow else "",
        CITATION if cites else "",
    ]
    entries = [line for line in lines if line]
    return "\n".join(["<reminder>", *entries, "</reminder>"]) if entries else ""


def reminders_that_fit(reminders: Sequence[str]) -> list[str]:
    """Return the reminders that fit into a message, whole and in their order."""
    fitting: list[str] = []
    room = MOST_CHARACTERS
    for text in reminders:
        if len(text) <= room:
            fitting.append(text)
            room -= len(text)
    return fitting


def _reminders(reminders: Sequence[str], *, has_user_skill_tool: bool) -> list[str]:
    told = reminders_that_fit(reminders)
    lines = [f"Reminder of the user: {_plain(text)}" for text in told]
    if more := len(reminders) - len(told):
        how = '; read them with getUserSkill "reminders"' if has_user_skill_tool else ""
        lines.append(
            f"{more} more {'reminder' if more == 1 else 'reminders'} of the user, too long to be told{how}."
        )
    return lines


def _plain(text: str) -> str:
    """Return the user's words without anything that could pose as a tag of ours."""
    return text.replace("</", "‹/")


def _open_workflow(workflow: OpenWorkflow) -> str:
    nodes = f"{workflow.nodes} node{'' if workflow.nodes == 1 else 's'}"
    other = f"; you last read {quoted_name(workflow.last_read)}" if workflow.last_read else ""
    failed = " Its last run failed: getWorkflowInfo tells why." if workflow.has_failed else ""
    return f"Open workflow: {quoted_name(workflow.name)}, {nodes}{other}.{_changed(workflow.changed)}{failed}"


def _changed(nodes: Sequence[str]) -> str:
    if not nodes:
        return ""
    more = len(nodes) - _MOST_CHANGED
    which = f"{', '.join(nodes[:_MOST_CHANGED])}{f' and {more} more' if more > 0 else ''}"
    noun = "node" if len(nodes) == 1 else "nodes"
    return (
        f" The user changed {noun} {which} since you read it: getWorkflowInfo with view changes tells what."
    )


def _first_sentences(text: str) -> str:
    """Return the first whole sentences of a text, without its headings."""
    lines = (line.strip() for line in text.splitlines())
    words = (_MARKS.sub("", line).strip(" \t*_") for line in lines if not line.startswith("#"))
    told = ""
    for sentence in (
        sentence for line in words for sentence in split_sentences(line) if _LETTER.search(sentence)
    ):
        longer = f"{told} {sentence}".strip()
        if len(longer) > _LONGEST_GOALS:
            return told or clip_words(sentence, _LONGEST_GOALS)
        told = longer
    return told
