"""Blocks as OpenAI chat messages, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..base.extension_metadata import CallMetadata
from ..base.messages import (
    Message,
    Part,
    ToolCallMessage,
    answer_text,
    dump,
    text_of,
    tool_name,
)
from ..base.text.portable_text import reveal_tags
from .attached_pictures import about_picture
from .documents import attached_text, is_document
from .memo import Memo
from .message_metadata import NOTHING_TOLD, MessageMetadata, Telling
from .position import Block
from .project import project_text
from .repeats import repeat_note
from .results import arguments_text, cap_result, digest_result, images, in_asked_words, new_result
from .shorten import head_and_tail, key_passages
from .slash_skill import with_skill, without_skill
from .tokens import CountText, count_message_tokens

IMAGES_OF_RESULTS = {"type": "text", "text": "The images of these results:"}
_LEAST_SKILL = 400


@dataclass(frozen=True)
class Style:
    """How blocks are written. `cap` and `text_cap` are characters of a result that is no longer new, or was given no
    room, and of any other text.
    """

    cap: int
    text_cap: int
    can_read_back: bool
    sees_images: bool


@dataclass(frozen=True)
class Rendering:
    """Messages, and the tokens of each."""

    messages: tuple[Message, ...]
    counts: tuple[int, ...]

    @cached_property
    def tokens(self) -> int:
        return sum(self.counts)


RenderingMemo = Memo[tuple[Sequence[Part], Rendering]]


class Renderer:
    """Writes blocks in one style. The same block gives the same bytes."""

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
        told: Telling = NOTHING_TOLD,
    ) -> Rendering:
        """Results are digests, capped, or as they came. `ids` are the call ids as sent, `notes` how often a call has
        repeated itself, by its own id, `told` what a user message tells of the project files.
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
            None if told is NOTHING_TOLD else told,
        )
        entry = self._memo.get(key)
        if entry is not None:
            return entry[1]
        messages = tuple(
            self._user(block, is_digest, told)
            if block.kind == "user"
            else self._step(block, is_digest, is_capped, ids, repeats)
        )
        messages = tuple(map(_with_tags_shown, messages))
        rendering = Rendering(
            messages, tuple(count_message_tokens(message, self._count) for message in messages)
        )
        self._memo.keep(key, (list(block.parts), rendering))
        return rendering

    def _user(self, block: Block, is_digest: bool, told: Telling) -> Iterator[Message]:
        message = block.message
        text = "\n\n".join(filter(None, (self._project(told), self._said(block, is_digest))))
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

    def _said(self, block: Block, is_digest: bool) -> str:
        """What the person wrote; with the skill that it used, while the message is a new one."""
        ref, cap = f"u{block.user}", self.style.text_cap
        marker = self._marker(ref)
        skill = MessageMetadata.of(block.message).skill
        if skill is None:
            return key_passages(text_of(block.message), cap, marker)
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
                    in_asked_words(part), ref, cap=self.style.cap, can_read_back=self.style.can_read_back
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

    def _project(self, told: Telling) -> str:
        if told == NOTHING_TOLD:
            return ""
        return project_text(told, limit=self.style.text_cap, can_read_back=self.style.can_read_back)

    def _file(self, part: Part, is_digest: bool) -> Iterator[dict[str, Any]]:
        """Its name goes along with an image, too: tools take files by their names."""
        name, kind = part.get("filename"), part["mediaType"]
        label = f'"{name or "unnamed"}", {kind}'
        if not kind.startswith("image/"):
            yield _text(f"[Attached file: {label}]")
        elif not part["url"].startswith("data:"):
            yield _text(f"[Attached image, not shown since only its name was sent: {label}]")
        elif is_digest or not self.style.sees_images:
            told = ", ".join(filter(None, (label, about_picture(part))))
            yield _text(f"[Attached image, not shown again: {told}]")
        else:
            if name:
                yield _text(f'[Attached image: "{name}"]')
            yield {"type": "image_url", "image_url": {"url": part["url"]}}

    def _marker(self, ref: str) -> str:
        how = f'; readToolResult with ref "{ref}" reads them' if self.style.can_read_back else ""
        return f"\n… [{ref}: {{missing}} characters left out{how}] …\n"


class CallIds:
    """Call ids as the provider knows them, made unique: some providers repeat theirs in every turn."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._next: dict[str, int] = {}

    def claim(self, part: Part) -> str:
        own_name = part["toolCallId"]
        provider_id = CallMetadata.of(part).provider_id or own_name
        call_id = provider_id if provider_id not in self._ids else own_name
        while call_id in self._ids:
            number = self._next.get(own_name, 2)
            self._next[own_name] = number + 1
            call_id = f"{own_name}-{number}"
        self._ids.add(call_id)
        return call_id


def _with_tags_shown(message: Message) -> Message:
    """Of what stands in a document or a result, no letter reaches the model that nobody has seen there."""
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
