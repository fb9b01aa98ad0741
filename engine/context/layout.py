"""The layout of a request: which part of a conversation is in the checkpoint, digested or whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Any

from ..base.extension_metadata import CallMetadata
from ..base.messages import Message, Part, UIMessage, message_text, user_count
from .compaction import START, Block, Compaction, Position, blocks, user_block
from .documents import files_by_user
from .frame import Frame
from .message_metadata import NO_FILES, SentFiles
from .rendering import Renderer, Rendering, RenderingMemo, Style
from .tokens import CountText, count_message_tokens, count_messages_tokens, count_text
from .turn_calls import find_basis, part_key, repetitions

ACKNOWLEDGED = "Understood. I have the summary and go on from there."
UNANSWERED: Message = {"role": "assistant", "content": "(This was not answered.)"}
_UNLIMITED = 1 << 60


@dataclass(frozen=True)
class Material:
    """The material of a layout: the conversation, and the facts of its request.

    `keep_rounds`, if it is set, digests all but that many of the newest rounds in every layout.
    """

    conversation: Sequence[UIMessage]
    frame: Frame
    count: CountText
    keep_rounds: int | None = None
    memo: RenderingMemo = field(default_factory=RenderingMemo)


class Layout:
    """The request's messages after the system message, under one state of compaction."""

    def __init__(self, source: Material, state: Compaction) -> None:
        self.source = source
        self.state = state
        self.blocks = self._blocks()
        self._digested = state.digested
        if source.keep_rounds is not None:
            self._digested = max(state.digested, self.digests_keeping(rounds=source.keep_rounds, tokens=0))

    def is_digest(self, block: Block) -> bool:
        if block.kind == "user":
            return block.user <= self.state.plain_users
        if block.start in self.state.basis:
            return False
        return block.start < self.state.digested or (
            block.start < self._digested and all(self.blocks[place] is not block for place in self.basis)
        )

    def is_capped(self, block: Block) -> bool:
        return block.start < self.state.capped and block.start not in self.state.basis

    @cached_property
    def basis(self) -> list[int]:
        """The places of the blocks that are the basis of the newest turn."""
        return find_basis(self.blocks, self.source.frame.facts)

    def with_basis(self, basis: tuple[Position, ...]) -> Layout:
        """Return the layout in which these rounds, and no others, stay whole before `digested`."""
        return self if basis == self.state.basis else Layout(self.source, replace(self.state, basis=basis))

    def with_all_files(self) -> Layout:
        """Return the layout in which all project files stand in the newest user message."""
        told_user = user_count(self.source.conversation)
        return Layout(self.source, replace(self.state, told_user=told_user)) if self._tellings else self

    @cached_property
    def whole(self) -> list[int]:
        """Tokens of each block, unfolded."""
        return [self._render(index, is_digest=False).tokens for index in range(len(self.blocks))]

    @cached_property
    def sizes(self) -> list[int]:
        """Tokens of each block as it stands in this layout."""
        return [rendering.tokens for rendering in self._renderings]

    @cached_property
    def placeholder_tokens(self) -> int:
        """Tokens of the placeholders between unanswered user messages."""
        gaps = sum(one["role"] == other["role"] == "user" for one, other in pairwise(self._messages()))
        return gaps * count_message_tokens(UNANSWERED, self.source.count)

    @cached_property
    def carried_block(self) -> Block | None:
        """The newest user message if the checkpoint reaches into its turn: it is sent whole all the same."""
        if not self.state.carries:
            return None
        upto = self.state.upto
        last = upto.message if upto.step else upto.message - 1
        for index in range(last, -1, -1):
            message = self.source.conversation[index]
            if message["role"] == "user":
                return user_block(message, index, self.state.users, 0)
        return None

    @cached_property
    def carried_tokens(self) -> int:
        return self._carried.tokens if self._carried else 0

    @cached_property
    def checkpoint(self) -> list[Message]:
        if not self.state.text:
            return []
        return [
            {"role": "user", "content": self.state.text},
            {"role": "assistant", "content": ACKNOWLEDGED},
        ]

    @cached_property
    def checkpoint_tokens(self) -> int:
        return count_messages_tokens(self.checkpoint, self.source.count)

    @property
    def tokens(self) -> int:
        return self.checkpoint_tokens + self.carried_tokens + sum(self.sizes) + self.placeholder_tokens

    @property
    def newest_message_tokens(self) -> int:
        """Tokens of the newest user message, wherever it stands."""
        places = reversed(range(len(self.blocks)))
        newest = next((place for place in places if self.blocks[place].kind == "user"), None)
        return self.carried_tokens if newest is None else self.sizes[newest]

    def messages(self) -> list[Message]:
        return well_formed(self._messages())

    def count(self, messages: Iterable[Message]) -> int:
        """Return the tokens of `messages`, nearly all of which are counted already with their blocks."""
        counts = {
            id(message): tokens
            for rendering in self._renderings
            for message, tokens in zip(rendering.messages, rendering.counts, strict=True)
        }
        return sum(
            counts.get(id(message)) or count_message_tokens(message, self.source.count)
            for message in messages
        )

    def digests_keeping(self, *, rounds: int, tokens: int) -> Position:
        """Return the position to digest up to, so that the newest `rounds` stay, and as many more as fit `tokens`."""
        count = spent = 0
        for index in range(len(self.blocks) - 1, -1, -1):
            block = self.blocks[index]
            if block.kind == "user" or not block.calls:
                continue
            if count >= rounds and spent + self.whole[index] > tokens:
                return max(self.state.digested, block.end)
            count += 1
            spent += self.whole[index]
        return self.state.digested

    def _messages(self) -> Iterator[Message]:
        yield from self.checkpoint
        if self._carried:
            yield from self._carried.messages
        for rendering in self._renderings:
            yield from rendering.messages

    @cached_property
    def _carried(self) -> Rendering | None:
        block = self.carried_block
        if block is None:
            return None
        return self._renderer.render(block, is_digest=False, told=self._tellings.get(block.user, NO_FILES))

    @cached_property
    def _tellings(self) -> Mapping[int, SentFiles]:
        return files_by_user(self.source.conversation, self.state.told_user)

    @cached_property
    def _renderings(self) -> list[Rendering]:
        return [
            self._render(index, is_digest=self.is_digest(block)) for index, block in enumerate(self.blocks)
        ]

    def _blocks(self) -> list[Block]:
        state = self.state
        all_blocks = list(
            blocks(self.source.conversation, state.upto, users=state.users, results=state.results)
        )
        if state.upto == START:
            first = next(
                (index for index, block in enumerate(all_blocks) if block.kind == "user"), len(all_blocks)
            )
            return all_blocks[first:]
        return all_blocks

    @cached_property
    def _renderer(self) -> Renderer:
        frame = self.source.frame
        style = Style(
            self.state.cap,
            self.state.text_cap,
            frame.can_read_back,
            frame.sees_images,
        )
        return Renderer(style, self.source.count, self.source.memo)

    @cached_property
    def _ids(self) -> list[list[str]]:
        ids = CallIds()
        return [[*map(ids.claim, block.calls)] for block in self.blocks]

    @cached_property
    def _notes(self) -> dict[str, int]:
        turns: list[list[tuple[str, str]]] = [[]]
        for block in self.blocks:
            if block.kind == "user":
                turns.append([])
            turns[-1] += [(part["toolCallId"], self._key(part)) for part in block.calls]
        return repetitions(turns)

    def _key(self, part: Part) -> str:
        keys = self.source.memo.call_keys
        entry = keys.get(id(part))
        if entry is None or entry[0] is not part or entry[1] != part.get("state"):
            digest = sha256(part_key(part).encode("utf-8", "surrogatepass")).hexdigest()
            keys.keep(id(part), entry := (part, part.get("state"), digest))
        return entry[2]

    def _render(self, index: int, *, is_digest: bool) -> Rendering:
        notes = self._notes if self._notes else None
        block = self.blocks[index]
        is_told = block.kind == "user" and (not is_digest or block.user == self.state.told_user)
        return self._renderer.render(
            block,
            is_digest=is_digest,
            is_capped=self.is_capped(block),
            ids=self._ids[index],
            notes=notes,
            told=self._tellings.get(block.user, NO_FILES) if is_told else NO_FILES,
        )


class CallIds:
    """The provider's call ids, made unique: some providers repeat theirs in every turn."""

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


def well_formed(messages: Iterable[Message]) -> list[Message]:
    """Return the messages from the first user message on, without two of a role in a row, as strict templates demand.

    An unanswered user message is followed by a placeholder, since joining it with the next one would change what was
    sent before.
    """
    result: list[Message] = []
    for message in messages:
        last = result[-1] if result else None
        if last is None and message["role"] != "user":
            continue
        if last and message["role"] == last["role"] == "user":
            result.append(UNANSWERED)
        if last and message["role"] == last["role"] == "assistant" and not last.get("tool_calls"):
            result[-1] = _join(last, message)
        else:
            result.append(message)
    return result


def posted_system(messages: Sequence[UIMessage]) -> list[Message]:
    """Return the system messages that a client posted with its own conversation."""
    return [
        {"role": "system", "content": message_text(message)}
        for message in messages
        if message["role"] == "system"
    ]


def _join(first: Message, second: Message) -> Message:
    texts: list[Any] = [content for content in (first["content"], second["content"]) if content]
    return {**second, "content": "\n\n".join(texts) or None}


def to_openai(messages: Sequence[UIMessage]) -> list[Message]:
    """Return a whole conversation as chat messages, nothing condensed.

    Each `step-start` opens a new assistant message, because the steps of a turn happened one after the other. Every
    call is followed by exactly one result: a call that was never answered gets one that says so.
    """
    style = Style(_UNLIMITED, _UNLIMITED, can_read_back=False, sees_images=True)
    renderer = Renderer(style, count_text, RenderingMemo())
    ids = CallIds()
    openai_messages = [
        message
        for block in blocks(messages)
        for message in renderer.render(block, is_digest=False, ids=[*map(ids.claim, block.calls)]).messages
    ]
    return posted_system(messages) + well_formed(openai_messages)
