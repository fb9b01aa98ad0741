"""What goes out with a new message of the person, and is kept with it, so that it reads the same in later requests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ...base.messages import UIMessage
from ...context.compaction import newest_valid
from ...context.documents import documents, newest_tellings
from ...context.frame import SystemForm
from ...context.message_metadata import NOTHING_TOLD, MessageMetadata, Telling
from ...llm.provider import Provider
from ...user.persona_changes import is_persona_news, note_of_persona, persona_mark
from ...user.project.project_of_thread import ProjectOfThread, ProjectRoom
from ...user.rule_changes import notes_of_preference_changes, notes_of_rule_changes
from ..thread_context.live_options import LiveOptions
from ..thread_context.stored_thread import StoredThread, active
from ..thread_context.system_messages import StoredSystemMessages
from ..thread_context.words import UserWords, Words, reminder_of_message
from ..turn.cross_chat_search import SEARCHES_ALL
from .open_graph import OpenGraph
from .request import ChatRequest, open_workflow


@dataclass(frozen=True)
class MessageContext:
    """The builder of what goes out with a new message: reminder, persona, workflow and project."""

    words: Words
    live_options: LiveOptions
    project: ProjectOfThread | None = None

    async def build(
        self,
        request: ChatRequest,
        stored: StoredThread,
        conversation: Sequence[UIMessage],
        provider: Provider,
        graph: OpenGraph,
    ) -> MessageMetadata:
        """The metadata of the new message, which is the newest of the conversation."""
        thread = stored.thread
        project, user = await asyncio.gather(
            self._project_news(stored, conversation, provider),
            self.words.user(thread.persona),
        )
        cites = any(documents(conversation)) or bool(
            project != NOTHING_TOLD or newest_tellings(thread.messages)
        )
        form = self.live_options.form_of(conversation, provider)
        persona, changes = _changed_words(stored, conversation, form, user)
        pins, workflow = [pin.text for pin in stored.state.pins], open_workflow(request.workflow)
        leave = [SEARCHES_ALL] if thread.searches_all else []
        notes = [*request.undone.notes(conversation), *changes, *leave]
        metadata = MessageMetadata(
            reminder=reminder_of_message(
                user, pins, workflow, is_slim=provider.is_slim, notes=notes, cites=cites
            ),
            persona=persona,
            project=project,
            is_beyond_budget=request.is_beyond_budget,
        )
        return await graph.listed_in(metadata, provider.window) if provider.is_slim else metadata

    async def _project_news(
        self, stored: StoredThread, conversation: Sequence[UIMessage], provider: Provider
    ) -> Telling:
        if self.project is None:
            return NOTHING_TOLD
        compaction = newest_valid(active(stored.state.compactions), stored.thread.messages)
        room = ProjectRoom.of(await self.live_options.budget(provider), is_slim=provider.is_slim)
        return await self.project.tell(conversation, compaction=compaction, room=room)


def _changed_words(
    stored: StoredThread, conversation: Sequence[UIMessage], form: SystemForm, user: UserWords
) -> tuple[str, list[str]]:
    """What a message tells of changes, with the mark of a persona that it tells whole, or "".

    Against the form of the system message that the thread goes on with, where it has it already.
    """
    kept = StoredSystemMessages(stored.thread.system_forms).get(form)
    if kept is None or kept.rules is None:
        return "", []
    preferences = [f"{name}: {value}" for name, value in user.preferences]
    notes = [
        *notes_of_rule_changes(kept.rules, user.rules),
        *notes_of_preference_changes(
            preferences if kept.preferences is None else kept.preferences, preferences
        ),
    ]
    condensings = len(stored.state.compactions)
    if not is_persona_news(kept.persona, conversation, user.soul, condensings=condensings):
        return "", notes
    return persona_mark(user.soul, condensings=condensings), [*notes, note_of_persona(user.soul)]
