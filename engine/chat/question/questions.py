"""The question of a request, written down with all its additions before any model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...base.messages import UIMessage, last_user_index
from ...context.documents import number_all_documents
from ...context.message_metadata import NO_METADATA, MessageMetadata, newest_metadata, skill_command
from ...llm.provider import Provider
from ...store.log.thread_log import LogEvent, fold
from ...store.threads import ThreadStore
from ..thread_context.stored_thread import StoredThread
from ..thread_context.words import MessageSkills
from ..turn.response_writer import ThreadTurnLog, TurnLog
from .message_context import MessageContext, OpenGraph, PictureNotes
from .request import ChatRequest, additions, check_answerable, workflow_file


@dataclass(frozen=True)
class Question:
    """A conversation that waits for its answer. Without a thread the client keeps it."""

    conversation: Sequence[UIMessage]
    log: TurnLog
    thread_id: str | None = None
    is_beyond_budget: bool = False


class Questions:
    """Writes down what requests add to their threads."""

    def __init__(
        self,
        threads: ThreadStore,
        skills: MessageSkills,
        message_context: MessageContext,
        pictures: PictureNotes | None = None,
    ) -> None:
        self._threads = threads
        self._skills = skills
        self._message_context = message_context
        self._pictures = pictures

    async def write_down(
        self, request: ChatRequest, stored: StoredThread | None, provider: Provider, graph: OpenGraph
    ) -> Question:
        """Write down what the request adds to its thread; without a thread only read it.

        Raises:
            RequestError: there is nothing to answer, or no such skill.
        """
        if stored is not None:
            return await self._append(request, stored, provider, graph)
        conversation = await self._skills.fill_in(number_all_documents(request.messages))
        check_answerable(conversation, has_news=True)
        return Question(conversation, TurnLog(), is_beyond_budget=request.is_beyond_budget)

    async def _append(
        self, request: ChatRequest, stored: StoredThread, provider: Provider, graph: OpenGraph
    ) -> Question:
        thread_id, thread = stored.thread_id, stored.thread
        events = additions(request, thread.messages)
        if self._pictures is not None:
            events = await self._pictures.with_notes(events)
        conversation = fold(events, thread.messages)
        if metadata := await self._new_metadata(events, request, stored, conversation, provider, graph):
            events = [_with_metadata(event, metadata.get(event.message_id, NO_METADATA)) for event in events]
            conversation = [
                metadata.get(message["id"], NO_METADATA).put_into(message) for message in conversation
            ]
        check_answerable(conversation, has_news=bool(events))
        await self._threads.append(thread_id, events)
        if metadata and (file := workflow_file(request.workflow)) not in ("", thread.workflow):
            await self._threads.keep_workflow(thread_id, file)
        conversation = await self._skills.fill_in(conversation)
        if provider.is_slim:
            conversation = await _with_open_workflow(conversation, graph, provider.window)
        return Question(
            conversation,
            ThreadTurnLog(self._threads, thread_id),
            thread_id,
            is_beyond_budget=newest_metadata(conversation).is_beyond_budget,
        )

    async def _new_metadata(
        self,
        events: Sequence[LogEvent],
        request: ChatRequest,
        stored: StoredThread,
        conversation: Sequence[UIMessage],
        provider: Provider,
        graph: OpenGraph,
    ) -> dict[str, MessageMetadata]:
        """Return the metadata of the new user messages by id: the skill of each, and all else for the newest one."""
        news = [event.message_id for event in events if event.kind == "user"]
        if not news:
            return {}
        metadata = dict.fromkeys(news, NO_METADATA)
        for message in conversation:
            if message["id"] in metadata and (command := skill_command(message)):
                metadata[message["id"]] = MessageMetadata(skill=await self._skills.find(command))
        told = await self._message_context.build(request, stored, conversation, provider, graph)
        metadata[news[-1]] = replace(told, skill=metadata[news[-1]].skill)
        return metadata


async def _with_open_workflow(
    conversation: Sequence[UIMessage], graph: OpenGraph, window: int
) -> Sequence[UIMessage]:
    """Return the conversation with the open workflow beside its newest user message, which may lack it."""
    index = last_user_index(conversation)
    kept = MessageMetadata.of(conversation[index])
    if kept.workflow:
        return conversation
    shown = (await graph.with_listing(kept, window)).put_into(conversation[index])
    return [*conversation[:index], shown, *conversation[index + 1 :]]


def _with_metadata(event: LogEvent, metadata: MessageMetadata) -> LogEvent:
    """Return the event with the message's metadata, so that the message always reads the same."""
    if event.kind != "user" or metadata == NO_METADATA:
        return event
    return replace(event, payload={**event.payload, "metadata": metadata.as_json()})
