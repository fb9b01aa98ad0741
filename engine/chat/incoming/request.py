"""The body of a chat request, and the events that it adds to its thread."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from ...base.errors import RequestError
from ...base.messages import (
    SETTLED_STATES,
    Part,
    UIMessage,
    is_tool_part,
    message_text,
    pending_calls,
    tool_parts,
)
from ...base.request_body import Body, ListOf, PostedMessage
from ...base.text.clip import quoted_name
from ...comfy.node_definition import NodeDefinition, read_page_types
from ...context.documents import last_document_number, number_documents
from ...context.reminder import OpenWorkflow
from ...store.log.event_log import LogEvent

_MOST = 5
_NODE_PATH = re.compile(r"[\w-]+(?::[\w-]+)*")
_LONGEST_PATH = 100
_SETTLED_FIELDS = ("toolCallId", "state", "output", "errorText")


@dataclass(frozen=True)
class TurnUndos:
    """Turns that the user undid or redid in the panel, by the ids of the user messages that began them."""

    undone: tuple[str, ...] = ()
    redone: tuple[str, ...] = ()

    def notes(self, conversation: Sequence[UIMessage]) -> list[str]:
        """Return a line of the reminder for each turn, or for the newest ones of very many."""
        texts = {
            message["id"]: message_text(message) for message in conversation if message["role"] == "user"
        }
        return [
            *_lines("The user undid what you changed on", self.undone, texts),
            *_lines("The user redid what you had changed on", self.redone, texts),
        ]


NOTHING_UNDONE = TurnUndos()


def _lines(what: str, ids: Iterable[str], texts: dict[str, str]) -> list[str]:
    known = [texts[message] for message in ids if message in texts]
    return [f"{what} {quoted_name(text)}." for text in known[-_MOST:]]


@dataclass(frozen=True)
class ChatRequest:
    """A request for an answer. `thread_id` is None if the client keeps the conversation and posts all of it.

    `parent_id` is the message before a new user message in the panel's view: "" for the first message, None if it was
    not sent. `workflow` is the open workflow as the page posts it; `page_types` are the node types that only the page
    has, if it sent them. `undone` are turns undone or redone since the message before. `page` is the browser page that
    carries out the calls of browser tools. With `is_beyond_budget` the user lets this turn go on.
    """

    messages: list[UIMessage]
    thread_id: str | None = None
    trigger: Literal["submit-message", "regenerate-message"] = "submit-message"
    message_id: str | None = None
    parent_id: str | None = None
    workflow: Mapping[str, Any] | None = None
    undone: TurnUndos = NOTHING_UNDONE
    page_types: tuple[NodeDefinition, ...] | None = None
    is_beyond_budget: bool = False
    page: str | None = None


_Id = Annotated[str, Field(min_length=1, max_length=128)]
_MessageId = Annotated[str, Field(min_length=1)]


class ChatBody(Body):
    """The body of the AI SDK's chat transport, and the panel's additions."""

    messages: ListOf[PostedMessage] = Field(
        min_length=1, description="in UIMessage form; the newest ones are enough where there is an `id`"
    )
    id: _Id | None = Field(None, description="a thread; without it the client keeps the conversation")
    trigger: Literal["submit-message", "regenerate-message"] = Field(
        "submit-message", description="`regenerate-message` makes the answer `messageId` again"
    )
    message_id: _Id | None = Field(None, description="the answer that is made again; the newest without it")
    parent_id: _Id | None = Field(
        None, description="the message before a new user message, `null` for the first"
    )
    workflow: dict[str, Any] | None = Field(None, description="what is open in the page")
    undone: ListOf[_MessageId] = Field(
        [], description="turns that the person has taken back, by their messages"
    )
    redone: ListOf[_MessageId] = Field([], description="turns that the person has made again")
    page_types: list[Any] | None = Field(None, description="the node types that only the page has")
    page: _Id | None = Field(None, description="the page that makes the calls of browser tools: `sid:secret`")
    beyond_budget: bool = Field(False, description="lets the turn go on whatever budgets say")

    def request(self) -> ChatRequest:
        """
        Raises:
            RequestError: `invalid_request` for a part of a message that has another form.
        """
        is_first = self.parent_id is None and "parent_id" in self.model_fields_set
        return ChatRequest(
            [message.message(f"messages[{index}]") for index, message in enumerate(self.messages)],
            self.id,
            self.trigger,
            self.message_id,
            "" if is_first else self.parent_id,
            self.workflow,
            TurnUndos(tuple(self.undone), tuple(self.redone)),
            None if self.page_types is None else read_page_types(self.page_types),
            self.beyond_budget,
            self.page,
        )


def open_workflow(posted: Mapping[str, Any] | None) -> OpenWorkflow | None:
    """Return what a model is told of the posted workflow; None if its size is missing."""
    match posted:
        case {"name": str(name), "nodes": int(nodes), **more}:
            last_read = more.get("lastRead")
            return OpenWorkflow(
                name,
                nodes,
                last_read if isinstance(last_read, str) else "",
                bool(more.get("failure")),
                _node_paths(more.get("changed")),
            )
        case _:
            return None


def _node_paths(posted: Any) -> tuple[str, ...]:
    paths = posted if isinstance(posted, list) else []
    return tuple(path for path in paths if isinstance(path, str) and _is_node_path(path))


def _is_node_path(text: str) -> bool:
    """Return whether a text has the form of a node path: any other text could pose as words of ours."""
    return len(text) <= _LONGEST_PATH and _NODE_PATH.fullmatch(text) is not None


def workflow_file(posted: Mapping[str, Any] | None) -> str:
    """Return the file of the open workflow, "" if it was never saved."""
    file = (posted or {}).get("file")
    return file if isinstance(file, str) else ""


def additions(request: ChatRequest, stored_messages: Sequence[UIMessage]) -> list[LogEvent]:
    """Return the events that a request adds to the log of its thread.

    Known messages are recognized by id: a known user message adds nothing, and an assistant message adds only the
    results of its open calls. Nothing else that a client posts of the thread is read. The first of several new messages
    follows `parent_id`, and each other one follows the one before.

    Raises:
        RequestError: `invalid_request` for a result whose call was never made.
    """
    conversation = list(stored_messages)
    by_id = {message["id"]: message for message in stored_messages}
    events: list[LogEvent] = []
    if (
        request.trigger == "regenerate-message"
        and (target := _message_before_answer(request.message_id, stored_messages)) is not None
    ):
        events.append(LogEvent("rewind", target, {}))
    for message in request.messages:
        if message["role"] == "assistant":
            events += _results(message, by_id.get(message["id"]))
        elif message["role"] == "user" and message["id"] not in by_id:
            is_first = len(conversation) == len(stored_messages)
            newest = stored_messages[-1]["id"] if stored_messages else ""
            if is_first and request.parent_id is not None and request.parent_id != newest:
                events += _rewind_to(request.parent_id, by_id)
            parts = number_documents(message["parts"], conversation, after=last_document_number(conversation))
            events.append(LogEvent("user", message["id"], {"parts": parts}))
            by_id[message["id"]] = {**message, "parts": parts}
            conversation.append(by_id[message["id"]])
    return events


def check_answerable(conversation: Sequence[UIMessage], *, has_news: bool) -> None:
    """Refuse a request that leaves nothing to answer.

    Raises:
        RequestError: `already_answered` (409) or `invalid_request`.
    """
    last = conversation[-1] if conversation else None
    if last is None or last["role"] == "system":
        raise _invalid("messages", "without a user message", "at least one user message")
    if last["role"] == "user":
        if not message_text(last).strip() and not any(part["type"] == "file" for part in last["parts"]):
            raise _invalid("the newest message", "without text", "a text or a file")
        return
    if pending_calls(last):
        names = ", ".join(part["toolCallId"] for part in pending_calls(last))
        raise RequestError(
            "invalid_request",
            f"The calls {names} have no result yet.",
            hint="Send the results of all calls of the step at once, or a new user message to go on without them.",
        )
    if not has_news and not _awaits_model(last):
        raise RequestError(
            "already_answered",
            "This message has been answered already.",
            hint="Open the chat again to see the answer, or use Retry for another one.",
            status=409,
        )


def _awaits_model(message: UIMessage) -> bool:
    """Return whether the newest step ended with tool results or a failure, so that the model has to go on."""
    steps = [i for i, part in enumerate(message["parts"]) if part["type"] == "step-start"]
    newest = message["parts"][steps[-1] :] if steps else message["parts"]
    return any(is_tool_part(part) or part["type"] == "data-error" for part in newest)


def answer_id(conversation: Sequence[UIMessage]) -> str:
    """Return the id of the assistant message that the response goes into: a continuation keeps its message's id."""
    last = conversation[-1]
    return last["id"] if last["role"] == "assistant" else f"msg_{secrets.token_hex(12)}"


def _results(message: UIMessage, stored_message: UIMessage | None) -> list[LogEvent]:
    calls = {part["toolCallId"]: part for part in tool_parts(stored_message)} if stored_message else {}
    events: list[LogEvent] = []
    for part in tool_parts(message):
        if part["state"] not in SETTLED_STATES:
            continue
        call = calls.get(part["toolCallId"])
        if call is None:
            raise RequestError(
                "invalid_request",
                f'There is a result for the tool call "{part["toolCallId"][:64]}", which was never made.',
                hint="Reload ComfyUI to see the chat as it is stored, then go on.",
            )
        if call["state"] not in SETTLED_STATES:
            events.append(LogEvent("result", message["id"], _settled_fields(part)))
    return events


def _settled_fields(part: Part) -> Part:
    return {name: part[name] for name in _SETTLED_FIELDS if name in part}


def _message_before_answer(message_id: str | None, stored_messages: Sequence[UIMessage]) -> str | None:
    """Return the id of the message before the answer that is to be made again; None if there is no answer yet."""
    answers = [i for i, message in enumerate(stored_messages) if message["role"] == "assistant"]
    matches = [i for i in answers if stored_messages[i]["id"] == message_id] or (
        answers[-1:] if message_id is None else []
    )
    if not matches:
        # After a failure before the first word the panel names an answer that was never stored.
        return None
    return stored_messages[matches[0] - 1]["id"] if matches[0] else ""


def _rewind_to(parent_id: str, by_id: Mapping[str, UIMessage]) -> list[LogEvent]:
    return [LogEvent("rewind", parent_id, {})] if parent_id == "" or parent_id in by_id else []


def _invalid(name: str, value: Any, expected: str) -> RequestError:
    text = value if isinstance(value, str) else type(value).__name__
    return RequestError(
        "invalid_request",
        f'{name} is "{text[:60]}"; expected {expected}.',
        hint="See docs/api.md for the form.",
    )
