"""Reads a thread from its rows, as far as they are readable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...base.messages import UIMessage
from ...context.rendering import RenderingMemo
from ..rows import read_json, require_thread
from .active_threads import ActiveThreads
from .branches import FIRST_BRANCH, BranchTree
from .drafts import unfinished_step
from .event_log import Damage, fold, read_log

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True)
class ChosenProvider:
    """The choices made for a thread: "" for the default provider, its default model, or no persona."""

    id: str = ""
    model: str = ""
    persona: str = ""


@dataclass(frozen=True)
class Thread:
    """A stored thread on its current branch.

    `system_forms` has the system messages that it was begun with, by form. `damage` lists what could not be read and
    is missing from `messages`. `updated_at` is in seconds since the epoch. `memo` has what was rendered of the
    messages for a model, and stays with the thread while it is in use.
    """

    title: str | None
    messages: list[UIMessage]
    system_forms: dict[str, str]
    updated_at: float = 0.0
    branch_id: str = FIRST_BRANCH
    damage: list[Damage] = field(default_factory=list)
    memo: RenderingMemo = field(default_factory=RenderingMemo)
    persona: str = ""
    """The slug of the persona chosen for the thread."""
    workflow: str = ""
    """The file that was open with the newest message."""
    searches_all: bool = False
    """Whether the user lets the thread search their other chats."""
    provider: str = ""
    model: str = ""
    answers_from: str = ""
    """The origin that the newest request was sent to."""
    has_draft: bool = False
    """Whether the last step is a draft: being written, or unfinished when its process ended."""

    @property
    def chosen(self) -> ChosenProvider:
        return ChosenProvider(self.provider, self.model, self.persona)


def read_thread(connection: Connection, thread_id: str, active: ActiveThreads) -> Thread:
    """Return a thread, with the draft of an interrupted step at its end.

    Raises:
        RequestError: `unknown_thread`.
    """
    row = require_thread(connection, thread_id)
    conversation = active.read(connection, thread_id)
    messages, damage = list(conversation.messages), list(conversation.damage)
    draft_step, lost = unfinished_step(connection, thread_id)
    if draft_step is not None:
        event, problem = draft_step.read()
        messages = fold([event] if event else [], messages)
        damage += [(0, f"the draft of the last step: {each}") for each in (problem, lost) if each]
    forms = read_json(row.system_forms or "{}", None)
    if not _are_texts(forms):
        forms = {}
        damage.append((0, "its system messages are not texts by form"))
    return Thread(
        row.title,
        messages,
        forms,
        row.updated_at,
        conversation.branch_id,
        damage,
        conversation.memo,
        row.persona or "",
        row.workflow or "",
        row.searches_all,
        row.provider or "",
        row.model or "",
        row.answers_from or "",
        draft_step is not None,
    )


def branch_tree(connection: Connection, thread: Any) -> BranchTree:
    """Return the branches of the thread in a row."""
    return BranchTree(read_log(connection, thread.id), created_at=thread.created_at)


def _are_texts(forms: Any) -> bool:
    return isinstance(forms, dict) and all(isinstance(form, str) for form in forms.values())
