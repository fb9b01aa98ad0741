"""Blocks as OpenAI chat messages with their tokens, and the memory of those that were rendered before."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from ..base.extension_metadata import CallMetadata
from ..base.messages import Message, Part, ToolCallMessage, answer_text, dump, message_text, tool_name
from ..base.text.portable_text import reveal_tags
from .compaction import Block
from .documents import attached_text, is_document, project_text
from .key_sentences import key_passages
from .message_metadata import NO_FILES, MessageMetadata, SentFiles, with_skill, without_skill
from .picture_descriptions import describe_picture
from .results import arguments_text, cap_result, digest_result, images, in_model_terms, new_result
from .shorten import head_and_tail
from .tokens import CountText, count_message_tokens
from .turn_calls import repeat_note

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
IMAGES_OF_RESULTS = {"type": "text", "text": "The images of these results:"}
_LEAST_SKILL = 400


class Recent(Generic[Key, Value]):
    """The values that this request or the one before has looked up.

    Worker threads may share one: a value that another thread drops is made again.
    """

    def __init__(self) -> None:
        self._now: dict[Key, Value] = {}
        self._previous: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        value = self._now.get(key)
        if value is None and (value := self._previous.get(key)) is not None:
            self._now[key] = value
        return value

    def keep(self, key: Key, value: Value) -> None:
        self._now[key] = value

    def begin_request(self) -> None:
        """Drop the values that the newest request did not use."""
        self._previous, self._now = self._now, {}


class Memo(Generic[Value]):
    """The memory of one conversation, bounded by the contents of two of its requests.

    Keys hold the identities of parts; the parts are kept alive beside them, and settled parts never change.
    """

    def __init__(self) -> None:
        self.call_keys: Recent[int, tuple[object, object, str]] = Recent()
        self._tools: Recent[int, tuple[object, Sequence[str]]] = Recent()
        self._renderings: Recent[Hashable, Value] = Recent()
        self._style: object = None
        self._counter = ""

    def begin_request(self) -> None:
        self.call_keys.begin_request()
        self._tools.begin_request()
        self._renderings.begin_request()

    def texts_of_tools(self, tools: Sequence[Mapping[str, Any]]) -> Sequence[str]:
        """Return the JSON of each tool; for the same list object as before, the same texts."""
        entry = self._tools.get(id(tools))
        if entry is None or entry[0] is not tools:
            self._tools.keep(id(tools), entry := (tools, [*map(dump, tools)]))
        return entry[1]

    def for_style(self, style: object) -> Recent[Hashable, Value]:
        """Return the renderings in this style. A new style begins empty; a renderer of the one before keeps its own."""
        if style != self._style:
            self._renderings, self._style = Recent(), style
        return self._renderings

    def for_counter(self, counter: str) -> Memo[Value]:
        """Return this memory, emptied if its tokens were counted by another counter."""
        if counter != self._counter:
            self._renderings, self._counter = Recent(), counter
        return self


@dataclass(frozen=True)
class Style:
    """The style of rendered blocks.

    `cap` is the most characters of a result that is no longer new or has no room of its own, `text_cap` those of any
    other text.
    """

    cap: int
    text_cap: int
    can_read_back: bool
    sees_images: bool


@dataclass(frozen=True)
class Rendering:
    """Rendered messages, and the tokens of each."""

    messages: tuple[Message, ...]
    counts: tuple[int, ...]

    @cached_property
    def tokens(self) -> int:
        return sum(self.counts)


RenderingMemo = Memo[tuple[Sequence[Part], Rendering]]


class Renderer:
    """Renders blocks in one style. The same block gives the same bytes."""

    def __init__(self, style: Style, count: CountText, memo: RenderingMemo) -> None:
        self.style = style
        self._count = count
        self._memo = memo.for_style(style)

    def render(
        self,
        block: Block,
        *,
        is_digest: bool,
        is_capped: bool = False,
        ids: Sequence[str] = (),
        notes: Mapping[str, int] | None = None,
        told: SentFiles = NO_FILES,
    ) -> Rendering:
        """Render a block, its results digested, capped or whole.

        `ids` are the call ids as sent, `notes` the repetitions of calls by their own ids, and `told` the project
        files of a user message.
        """
        repeats = tuple(notes.get(part["toolCallId"], 0) for part in block.calls) if notes else ()
        kept = MessageMetadata.of(block.message)
        key = (
            block.kind,
            tuple(map(id, block.parts)),
            tuple([part.get("state") for part in block.calls]),
            is_digest,
            is_capped,
            tuple(ids),
            repeats,
            block.results,
            block.user,
            kept.reminder,
            kept.skill,
            None if told is NO_FILES else told,
        )
        entry = self._memo.get(key)
        if entry is not None:
            return entry[1]
        messages = tuple(
            self._user(block, is_digest, told)
            if block.kind == "user"
            else self._step(block, is_digest, is_capped, ids, repeats)
        )
        messages = tuple(map(_reveal_hidden, messages))
        rendering = Rendering(
            messages, tuple(count_message_tokens(message, self._count) for message in messages)
        )
        self._memo.keep(key, (list(block.parts), rendering))
        return rendering

    def _user(self, block: Block, is_digest: bool, told: SentFiles) -> Iterator[Message]:
        message = block.message
        text = "\n\n".join(filter(None, (self._project(told), self._user_text(block, is_digest))))
        reminder = "" if is_digest else MessageMetadata.of(message).reminder
        files = [part for part in message["parts"] if part["type"] == "file"]
        if not files:
            full_text = "\n\n".join(filter(None, (text, reminder)))
            yield {"role": "user", "content": full_text or "(an empty message)"}
            return
        documents = [part for part in files if is_document(part)]
        content = [_text(self._documents(documents, is_digest))] if documents else []
        content += [_text(text)] if text else []
        others = [part for part in files if not is_document(part)]
        content += [piece for part in others for piece in self._file(part, is_digest)]
        content += [_text(reminder)] if reminder else []
        yield {"role": "user", "content": content}

    def _user_text(self, block: Block, is_digest: bool) -> str:
        """Return the user's text, with the text of its skill unless it is a digest."""
        ref, cap = f"u{block.user}", self.style.text_cap
        marker = self._marker(ref)
        skill = MessageMetadata.of(block.message).skill
        if skill is None:
            return key_passages(message_text(block.message), cap, marker)
        if is_digest:
            how = f'; readToolResult with ref "{ref}" reads it' if self.style.can_read_back else ""
            return key_passages(without_skill(block.message, how=how), cap, marker)
        room = max(_LEAST_SKILL, cap - len(skill.request))
        told = with_skill(
            block.message,
            shorten=lambda text: head_and_tail(text, room, marker),
            can_read_files=self.style.can_read_back,
        )
        return key_passages(told, room + cap, marker)

    def _step(
        self, block: Block, is_digest: bool, is_capped: bool, ids: Sequence[str], repeats: Sequence[int]
    ) -> Iterator[Message]:
        marker = self._marker(f"a{block.user}")
        text = head_and_tail(answer_text(block.parts), self.style.text_cap, marker)
        calls = block.calls
        if not calls:
            if text:
                yield {"role": "assistant", "content": text}
            return
        ids = ids or [part["toolCallId"] for part in calls]
        message: Message = {
            "role": "assistant",
            "content": text or None,
            "tool_calls": [
                _call(part, call_id, is_digest=is_digest) for part, call_id in zip(calls, ids, strict=True)
            ],
        }
        if not is_digest and (
            reasoning := "".join(part["text"] for part in block.parts if part["type"] == "reasoning")
        ):
            message["reasoning_content"] = reasoning
        yield message
        pictures: list[dict[str, Any]] = []
        for number, (part, call_id) in enumerate(zip(calls, ids, strict=True)):
            ref = f"r{block.results + number + 1}"
            if is_digest:
                content = digest_result(part, ref)
            else:
                write = cap_result if is_capped else new_result
                content = write(
                    in_model_terms(part), ref, cap=self.style.cap, can_read_back=self.style.can_read_back
                )
                pictures += self._images(part)
            if repeats and repeats[number]:
                content += f"\n{repeat_note(repeats[number])}"
            yield {"role": "tool", "tool_call_id": call_id, "content": content}
        if pictures:
            yield {
                "role": "user",
                "content": [IMAGES_OF_RESULTS, *pictures],
            }

    def _images(self, part: Part) -> Iterator[dict[str, Any]]:
        for url, caption in images(part):
            if self.style.sees_images:
                yield {"type": "image_url", "image_url": {"url": url}}
            yield {"type": "text", "text": caption if self.style.sees_images else f"[not shown: {caption}]"}

    def _documents(self, parts: Sequence[Part], is_digest: bool) -> str:
        return attached_text(
            parts, limit=self.style.text_cap, is_digest=is_digest, can_read_back=self.style.can_read_back
        )

    def _project(self, told: SentFiles) -> str:
        if told == NO_FILES:
            return ""
        return project_text(told, limit=self.style.text_cap, can_read_back=self.style.can_read_back)

    def _file(self, part: Part, is_digest: bool) -> Iterator[dict[str, Any]]:
        """Yield the pieces of a file, an image with its name, since tools take files by name."""
        name, kind = part.get("filename"), part["mediaType"]
        label = f'"{name or "unnamed"}", {kind}'
        if not kind.startswith("image/"):
            yield _text(f"[Attached file: {label}]")
        elif not part["url"].startswith("data:"):
            yield _text(f"[Attached image, not shown since only its name was sent: {label}]")
        elif is_digest or not self.style.sees_images:
            told = ", ".join(filter(None, (label, describe_picture(part))))
            yield _text(f"[Attached image, not shown again: {told}]")
        else:
            if name:
                yield _text(f'[Attached image: "{name}"]')
            yield {"type": "image_url", "image_url": {"url": part["url"]}}

    def _marker(self, ref: str) -> str:
        how = f'; readToolResult with ref "{ref}" reads them' if self.style.can_read_back else ""
        return f"\n… [{ref}: {{missing}} characters left out{how}] …\n"


def _reveal_hidden(message: Message) -> Message:
    """Return the message with invisible letters made visible: a model reads none that the user cannot see."""
    content = message.get("content")
    if isinstance(content, str):
        return {**message, "content": reveal_tags(content)}
    if isinstance(content, list):
        pieces = [
            {**piece, "text": reveal_tags(piece["text"])} if "text" in piece else piece for piece in content
        ]
        return {**message, "content": pieces}
    return message


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _call(part: Part, call_id: str, *, is_digest: bool) -> ToolCallMessage:
    kept = CallMetadata.of(part)
    name, arguments = (
        (kept.asked.name, dump(kept.asked.input))
        if kept.asked
        else (tool_name(part), arguments_text(part, is_digest=is_digest))
    )
    call: ToolCallMessage = {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }
    if kept.extra_content is not None:
        call["extra_content"] = kept.extra_content
    return call
