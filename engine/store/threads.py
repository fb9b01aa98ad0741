"""The store of threads: create, list, append, read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ..base.errors import RequestError
from ..base.messages import UIMessage
from .compactions import StoredCompaction
from .database import Database
from .log.branches import Branch
from .log.event_log import Damage, LogEvent
from .log.thread_reader import MOST_BYTES, ActiveThreads, ChosenProvider, Thread, branch_tree, read_thread
from .log.thread_writer import DraftPiece, DraftWriter, append_events, save_pieces
from .pins import Pin
from .rows import require_thread, stored_json, stored_text
from .thread_list import (
    ThreadSummary,
    change_thread,
    create_thread,
    delete_thread,
    list_threads,
    rename_workflow,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

Value = TypeVar("Value")

logger = logging.getLogger(__name__)

_LONGEST_FILE = 1_000


@dataclass(frozen=True)
class ThreadState:
    """The pins and compactions of a thread."""

    pins: Sequence[Pin] = ()
    compactions: Sequence[StoredCompaction] = ()


@dataclass(frozen=True)
class StoredThread:
    """A thread as it was before a request."""

    thread_id: str
    thread: Thread
    state: ThreadState


class ThreadStore:
    """The record of every conversation. Events are only appended; a thread is deleted with all its events."""

    def __init__(self, database: Database, *, most_kept_bytes: int = MOST_BYTES) -> None:
        self.active = ActiveThreads(most_bytes=most_kept_bytes)
        self.draft_writer = DraftWriter(self.save_drafts)
        self._database = database
        self._named_damage: set[tuple[str, int]] = set()

    @property
    def notice(self) -> str | None:
        """A notice for the user about the database, such as its recovery from damage, or None."""
        return self._database.notice

    async def create(self) -> ThreadSummary:
        return await self._database.run(create_thread)

    async def list(self) -> list[ThreadSummary]:
        return await self._database.run(list_threads)

    async def read(self, thread_id: str) -> Thread:
        """Return a thread with its conversation, and with the draft of an interrupted step at its end.

        Raises:
            RequestError: `unknown_thread`.
        """
        thread, _ = await self.read_with(thread_id, lambda *_: None)
        return thread

    async def read_with(
        self, thread_id: str, also: Callable[[Connection, str], Value]
    ) -> tuple[Thread, Value]:
        """Return a thread and the value that `also` reads of it, both from the same transaction.

        Raises:
            RequestError: `unknown_thread`.
        """
        read = await self._database.run(
            lambda connection: (
                read_thread(connection, thread_id, self.active),
                also(connection, thread_id),
            )
        )
        self._name_damage(thread_id, read[0].damage)
        return read

    async def branches(self, thread_id: str) -> list[Branch]:
        """Return all branches of a thread, oldest first.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(_branches, thread_id)

    async def switch(self, thread_id: str, branch_id: str) -> None:
        """Make a branch the current one. The log gains an event; nothing is rewritten.

        Raises:
            RequestError: `unknown_thread` or `not_found`.
        """
        await self._database.run(_switch, thread_id, branch_id)

    async def messages(self, thread_id: str) -> list[UIMessage]:
        """Return the messages of a thread's current branch.

        Raises:
            RequestError: `unknown_thread`.
        """
        return (await self.read(thread_id)).messages

    async def append(self, thread_id: str, events: Sequence[LogEvent]) -> None:
        """Append events durably.

        A step replaces its draft, and is written ahead of all waiting work, since no draft has its end. A draft whose
        step never came, because its process ended, is appended first, so that its text stays.

        Raises:
            RequestError: `unknown_thread`; it may have been deleted while the model was answering.
        """
        if events:
            has_step = any(event.kind == "step" for event in events)
            run = self._database.run_next if has_step else self._database.run
            with self.draft_writer.replace(thread_id):
                await run(append_events, thread_id, events)

    async def save_drafts(self, pieces: Sequence[DraftPiece]) -> None:
        """Save the streamed pieces of running steps, in case this process ends before the steps do."""
        await self._database.run_next(save_pieces, pieces)

    async def keep_system_forms(self, thread_id: str, forms: Mapping[str, str]) -> None:
        """Save the system messages that a thread was begun with, by form."""
        await self._database.run(_keep_system_forms, thread_id, forms)

    async def rename(self, thread_id: str, title: str) -> None:
        """Set the title of a thread, at most 200 characters of it.

        Raises:
            RequestError: `unknown_thread`.
        """
        await self._database.run(change_thread, thread_id, title=stored_text(title[:200]))

    async def persona(self, thread_id: str) -> str:
        """Return the slug of the thread's persona, or "".

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(
            lambda connection: require_thread(connection, thread_id).persona or ""
        )

    async def choose_persona(self, thread_id: str, slug: str) -> None:
        """Set the thread's persona by its slug; "" for none.

        Raises:
            RequestError: `unknown_thread`.
        """
        await self._database.run(change_thread, thread_id, persona=slug or None)

    async def searches_all(self, thread_id: str) -> bool:
        """Return whether the user lets the thread search their other chats.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(
            lambda connection: bool(require_thread(connection, thread_id).searches_all)
        )

    async def let_search_all(self, thread_id: str, *, is_let: bool) -> None:
        """Allow or forbid a thread to search the user's other chats.

        Raises:
            RequestError: `unknown_thread`.
        """
        await self._database.run(change_thread, thread_id, searches_all=is_let)

    async def keep_workflow(self, thread_id: str, file: str) -> None:
        """Set the workflow file that the newest message is about.

        Raises:
            RequestError: `unknown_thread`.
        """
        await self._database.run(change_thread, thread_id, workflow=stored_text(file[:_LONGEST_FILE]))

    async def rename_workflow(self, old: str, new: str) -> list[str]:
        """Move threads from a workflow's old file to its new one, and return their ids."""
        return await self._database.run(
            rename_workflow, stored_text(old[:_LONGEST_FILE]), stored_text(new[:_LONGEST_FILE])
        )

    async def provider(self, thread_id: str) -> ChosenProvider:
        """Return the provider, model and persona that were chosen for the thread.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(_chosen_provider, thread_id)

    async def choose_provider(self, thread_id: str, provider_id: str, model: str) -> None:
        """Set the thread's provider and model; "" for the default.

        Raises:
            RequestError: `unknown_thread`.
        """
        values = {"provider": provider_id or None, "model": stored_text(model) or None}
        await self._database.run(change_thread, thread_id, **values)

    async def pin(self, thread_id: str, *, is_pinned: bool) -> None:
        """Pin a thread, so that it stays however long it is idle, or unpin it.

        Raises:
            RequestError: `unknown_thread`.
        """
        await self._database.run(change_thread, thread_id, pinned=is_pinned, expires_at=None)

    async def delete(self, thread_id: str) -> None:
        """Delete a thread with all that belongs to it, from the disk as well.

        Raises:
            RequestError: `unknown_thread`.
        """
        await self._database.delete(_delete, thread_id, self.active)

    async def back_up(self) -> None:
        """Copy the database if there is no backup of today."""
        await self._database.back_up()

    async def export(self, thread_id: str) -> bytes:
        """Return everything that is stored of a thread, as a JSON document.

        Raises:
            RequestError: `unknown_thread`.
        """
        from .thread_export import export_thread

        return await self._database.run(export_thread, thread_id)

    def _name_damage(self, thread_id: str, damage: Sequence[Damage]) -> None:
        for seq, problem in damage:
            if (thread_id, seq) not in self._named_damage:
                self._named_damage.add((thread_id, seq))
                logger.warning("thread %s: entry %d could not be read whole: %s", thread_id, seq, problem)


def _branches(connection: Connection, thread_id: str) -> list[Branch]:
    return branch_tree(connection, require_thread(connection, thread_id)).branches()


def _chosen_provider(connection: Connection, thread_id: str) -> ChosenProvider:
    row = require_thread(connection, thread_id)
    return ChosenProvider(row.provider or "", row.model or "", row.persona or "")


def _switch(connection: Connection, thread_id: str, branch_id: str) -> None:
    tree = branch_tree(connection, require_thread(connection, thread_id))
    if branch_id not in tree:
        raise RequestError(
            "not_found",
            f'The thread has no branch "{branch_id[:32]}".',
            hint="GET /api/assistant/threads/{id}/branches lists those that it has.",
            status=404,
        )
    if branch_id != tree.current:
        append_events(connection, thread_id, [LogEvent("switch", "", {"branch": branch_id})])


def _keep_system_forms(connection: Connection, thread_id: str, forms: Mapping[str, str]) -> None:
    from .schema import thread

    values = {"system_forms": stored_json(dict(forms))}
    connection.execute(thread.update().where(thread.c.id == thread_id).values(values))


def _delete(connection: Connection, thread_id: str, active: ActiveThreads) -> None:
    active.forget(thread_id)
    delete_thread(connection, thread_id)
