"""The incoming message of a request, stored with all its additions before any model is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ...base.extension_metadata import FileMetadata
from ...base.messages import Part, UIMessage, last_user_index
from ...comfy.pictures.picture_facts import PictureFacts
from ...comfy.snapshot import Environment
from ...context.compaction import newest_valid
from ...context.documents import documents, newest_files, number_all_documents
from ...context.frame import SystemForm
from ...context.message_metadata import (
    NO_FILES,
    NO_METADATA,
    MessageMetadata,
    SentFiles,
    newest_metadata,
    skill_command,
)
from ...context.tokens import count_text
from ...llm.provider import Provider
from ...small_windows.listing import listed_names, write_listing
from ...small_windows.open_workflow import Workflow, read_workflow
from ...store.compactions import active_compactions
from ...store.log.event_log import LogEvent, fold
from ...store.threads import StoredThread, ThreadStore
from ...tools.tool import EnvironmentSource
from ...user.project.project_files import ProjectRoom, ThreadProject
from ...user.text_changes import (
    is_persona_news,
    persona_mark,
    persona_note,
    preference_change_notes,
    rule_change_notes,
)
from ..thread_context.live_options import LiveOptions
from ..thread_context.thread_system_message import StoredSystemMessages
from ..thread_context.words import MessageSkills, PromptSource, UserTextsInEffect, message_reminder
from ..turn.cross_chat_search import SEARCHES_ALL
from ..turn.response_writer import ThreadTurnLog, TurnLog
from .request import ChatRequest, additions, check_answerable, open_workflow, workflow_file

LISTING_SHARE = 0.2
"""The share of the window that the list of the open workflow may take."""
_MOST_OF_A_RESULT = 16


@dataclass(frozen=True)
class IncomingMessage:
    """A conversation that waits for its answer. Without a thread the client keeps it."""

    conversation: Sequence[UIMessage]
    log: TurnLog
    thread_id: str | None = None
    is_beyond_budget: bool = False


class IncomingMessages:
    """Completes the incoming messages of requests and stores them in their threads."""

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

    async def store(
        self, request: ChatRequest, stored: StoredThread | None, provider: Provider, graph: OpenGraph
    ) -> IncomingMessage:
        """Write down what the request adds to its thread; without a thread only read it.

        Raises:
            RequestError: there is nothing to answer, or no such skill.
        """
        if stored is not None:
            return await self._append(request, stored, provider, graph)
        conversation = await self._skills.fill_in(number_all_documents(request.messages))
        check_answerable(conversation, has_news=True)
        return IncomingMessage(conversation, TurnLog(), is_beyond_budget=request.is_beyond_budget)

    async def _append(
        self, request: ChatRequest, stored: StoredThread, provider: Provider, graph: OpenGraph
    ) -> IncomingMessage:
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
        return IncomingMessage(
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


@dataclass(frozen=True)
class MessageContext:
    """The builder of a new message's metadata: reminder, persona, workflow and project files."""

    words: PromptSource
    live_options: LiveOptions
    project: ThreadProject | None = None

    async def build(
        self,
        request: ChatRequest,
        stored: StoredThread,
        conversation: Sequence[UIMessage],
        provider: Provider,
        graph: OpenGraph,
    ) -> MessageMetadata:
        """Return the metadata of the new message, which is the newest of the conversation."""
        thread = stored.thread
        project, user = await asyncio.gather(
            self._project_news(stored, conversation, provider),
            self.words.user(thread.persona),
        )
        cites = any(documents(conversation)) or bool(project != NO_FILES or newest_files(thread.messages))
        form = self.live_options.next_form(conversation, provider)
        persona, changes = _change_notes(stored, conversation, form, user)
        pins, workflow = [pin.text for pin in stored.state.pins], open_workflow(request.workflow)
        leave = [SEARCHES_ALL] if thread.searches_all else []
        notes = [*request.undone.notes(conversation), *changes, *leave]
        metadata = MessageMetadata(
            reminder=message_reminder(
                user, pins, workflow, is_slim=provider.is_slim, notes=notes, cites=cites
            ),
            persona=persona,
            project=project,
            is_beyond_budget=request.is_beyond_budget,
        )
        return await graph.with_listing(metadata, provider.window) if provider.is_slim else metadata

    async def _project_news(
        self, stored: StoredThread, conversation: Sequence[UIMessage], provider: Provider
    ) -> SentFiles:
        if self.project is None:
            return NO_FILES
        compaction = newest_valid(active_compactions(stored.state.compactions), stored.thread.messages)
        room = ProjectRoom.of(await self.live_options.budget(provider), is_slim=provider.is_slim)
        return await self.project.tell(conversation, compaction=compaction, room=room)


def _change_notes(
    stored: StoredThread, conversation: Sequence[UIMessage], form: SystemForm, user: UserTextsInEffect
) -> tuple[str, list[str]]:
    """Return the notes on changed rules, preferences and persona, with the mark of a persona that is sent whole, or "".

    Changes are those since the stored system message of this form was composed; without one there are none.
    """
    kept = StoredSystemMessages(stored.thread.system_forms).get(form)
    if kept is None or kept.rules is None:
        return "", []
    preferences = [f"{name}: {value}" for name, value in user.preferences]
    notes = [
        *rule_change_notes(kept.rules, user.rules),
        *preference_change_notes(preferences if kept.preferences is None else kept.preferences, preferences),
    ]
    condensings = len(stored.state.compactions)
    if not is_persona_news(kept.persona, conversation, user.soul, condensings=condensings):
        return "", notes
    return persona_mark(user.soul, condensings=condensings), [*notes, persona_note(user.soul)]


class OpenGraph:
    """The open workflow as the page posted it: read once, and not on ComfyUI's event loop."""

    def __init__(self, posted: Mapping[str, Any] | None, environment: EnvironmentSource) -> None:
        self._posted = posted
        self._source = environment
        self._read: asyncio.Task[tuple[Workflow | None, Environment]] | None = None

    async def read(self) -> tuple[Workflow | None, Environment]:
        """Return the workflow, None if the page did not send it, and the installed nodes and models."""
        if self._read is None:
            self._read = asyncio.create_task(self._read_now())
        return await asyncio.shield(self._read)

    async def with_listing(self, metadata: MessageMetadata, window: int) -> MessageMetadata:
        """Return a message's metadata with the list of nodes and values, made for a window of so many tokens.

        Without a workflow from the page the metadata is returned unchanged.
        """
        if self._posted is None or "graph" not in self._posted:
            return metadata
        workflow, _ = await self.read()
        if workflow is None:
            return metadata
        listing, names = await asyncio.to_thread(_listing, workflow, window)
        return replace(metadata, workflow=listing, workflow_names=names)

    async def _read_now(self) -> tuple[Workflow | None, Environment]:
        environment = await self._source.snapshot()
        return await asyncio.to_thread(read_workflow, self._posted, environment.nodes), environment


def _listing(workflow: Workflow, window: int) -> tuple[str, Mapping[str, str]]:
    listing = write_listing(workflow, room=int(window * LISTING_SHARE), count=count_text)
    return listing, listed_names(listing, workflow)


class PictureNotes:
    """Descriptions of pictures, stored beside them in the log: the file may be another one later."""

    def __init__(self, facts: PictureFacts) -> None:
        self._facts = facts

    async def with_notes(self, events: Sequence[LogEvent]) -> list[LogEvent]:
        """Return the events with a description of each picture in messages and results."""
        return [await self._event(event) for event in events]

    async def _event(self, event: LogEvent) -> LogEvent:
        if event.kind == "user":
            parts = [await self._attached(part) for part in event.payload["parts"]]
            return replace(event, payload={**event.payload, "parts": parts})
        if event.kind == "result":
            return replace(event, payload=await self._result(event.payload))
        return event

    async def _attached(self, part: Part) -> Part:
        if part["type"] != "file" or not part["mediaType"].startswith("image/"):
            return part
        about = await self._facts.describe(str(part.get("filename") or ""))
        own = {"providerMetadata": FileMetadata(about=about).as_json()} if about else {}
        return {**{name: part[name] for name in part if name != "providerMetadata"}, **own}

    async def _result(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        output = payload.get("output")
        data = output.get("data") if isinstance(output, dict) else None
        images = data.get("images") if isinstance(data, dict) else None
        if not (isinstance(output, dict) and isinstance(data, dict) and isinstance(images, list)):
            return {**payload}
        told = [await self._shown(image) for image in images[:_MOST_OF_A_RESULT]]
        data = {**data, "images": [*told, *images[_MOST_OF_A_RESULT:]]}
        return {**payload, "output": {**output, "data": data}}

    async def _shown(self, image: Any) -> Any:
        if not isinstance(image, dict) or not isinstance(image.get("source"), str):
            return image
        about = await self._facts.describe(_name(image["source"]))
        return {**image, "about": about} if about else image


def _name(source: str) -> str:
    """Return the file behind an address of ComfyUI's `/view`, as `output/fox.png`; "" for any other address."""
    try:
        query = {name: values[-1] for name, values in parse_qs(urlsplit(source).query).items()}
    except ValueError:
        return ""
    place = (query.get("type", "output"), query.get("subfolder", ""), query.get("filename", ""))
    return "/".join(filter(None, place)) if place[-1] else ""
