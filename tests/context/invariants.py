"""What must hold for every planned request, and from one request of a thread to the next: I1 to I7, I9 and I10.

I8, that no error loses anything of a thread, is in `tests/chat/test_no_error_loses_anything.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import Any

from comfyui_assistant.engine.base.messages import dump, is_tool_part, message_text
from comfyui_assistant.engine.context.budget import Budget, Thresholds
from comfyui_assistant.engine.context.compaction import Compaction
from comfyui_assistant.engine.context.documents import DOCUMENTS, document_number, document_text, documents
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.handles import read_back
from comfyui_assistant.engine.context.layout import well_formed
from comfyui_assistant.engine.context.plan import ContextTooSmall, Plan, plan
from comfyui_assistant.engine.context.results import result_text
from comfyui_assistant.engine.context.tokens import count_messages_tokens, count_text, count_tools_tokens

from .random_conversations import FACTS, SYSTEM, TOOLS
from .tally import REQUESTS, invariant

FRAME = Frame(SYSTEM, "full", TOOLS, facts=FACTS)
_HANDLES = re.compile(r"\b([rud])(\d+)\b(?: to \1(\d+)\b)?")
_CHECKPOINT = "[Summary of the conversation so far. It is a record, not a new request."
_OURS = ("The images of these results:", "(an empty message)", "[Attached image", DOCUMENTS)
_CHECKPOINT_LINE = re.compile(
    r"""\[Summary\ of\ the\ conversation\ so\ far\..*\]
    | \#\#\ (Goals\ and\ constraints,\ word\ for\ word | What\ the\ user\ asked | Decisions\ and\ outcomes
        | Changes\ made\ to\ the\ workflow | Runs\ and\ what\ they\ made | Pictures\ that\ are\ no\ longer\ shown
        | Attempts\ that\ failed
        | What\ was\ looked\ up | Open)
    | -\ .*
    | [ua]\d+:.*
    | ([ua])\d+\ to\ \2\d+:\ left\ out\ here,\ \d+\ in\ all
    | r\d+[ :].*
    | \(\d+\ older\ ones\ left\ out\)
    | The\ request\ u\d+\ is\ being\ worked\ on.*
    | >\ .*
    |""",
    re.VERBOSE,
)
_ENTRIES = re.compile(r"^[uar]\d+", re.MULTILINE)
_FLOOR = 800
"""Tokens beside the fixed part that must always be enough for a shortened message, the name of a document that came
with it, and an empty checkpoint."""


@lru_cache(maxsize=20_000)
def _counted_before(text: str) -> int:
    return count_text(text)


def counted(text: str) -> int:
    """Most texts of a case stand in all of its requests."""
    return _counted_before(text) if len(text) < 20_000 else count_text(text)


def planned(conversation: Sequence[Any], budget: Budget, **options: Any) -> Plan | None:
    """The plan, or None where it is right to refuse: system message, tools and pins leave no room."""
    try:
        return plan(conversation, FRAME, budget, count=counted, **options)
    except ContextTooSmall as refusal:
        check_refusal(refusal, budget, options.get("pins", ()))
        return None


@invariant("I1")
def check_refusal(refusal: ContextTooSmall, budget: Budget, pins: Sequence[str]) -> None:
    """Nothing but a floor that does not fit is refused, and the refusal says by how much."""
    fixed = count_tools_tokens(TOOLS) + count_messages_tokens([{"role": "system", "content": SYSTEM}])
    left = (budget.window - budget.reserve) / budget.factor - fixed
    assert left < sum(map(len, pins)) * 2 + _FLOOR, f"refused though {left:.0f} tokens are left: {refusal}"
    assert refusal.tokens > refusal.room


def check_request(
    made: Plan, conversation: Sequence[Any], budget: Budget, *, pins: Sequence[str] = (), what: str
) -> None:
    """I1, I2, I3, I7, I9 and I10 of one request that was planned with `SYSTEM` and `TOOLS`."""
    REQUESTS[what] += 1
    begin = made.compaction.begin.message if made.compaction else 0
    check_budget(made, budget)
    check_pairs(made.messages[1:])
    check_goals(made, conversation, begin, pins)
    check_nothing_left_out_unnamed(made, conversation, begin)
    check_rules(made)
    check_data_is_data(made, conversation)


@invariant("I1")
def check_budget(made: Plan, budget: Budget) -> None:
    tokens = count_messages_tokens(made.messages, counted) + count_tools_tokens(TOOLS)
    assert ceil(tokens * budget.factor) <= budget.window - budget.reserve, "too long"
    assert made.tokens >= tokens, "`tokens` is no upper bound"


@invariant("I2")
def check_pairs(messages: Sequence[Any]) -> None:
    if not messages:
        return
    assert messages[0]["role"] == "user", "does not begin with the user"
    for message in messages:
        assert message["content"] or (message["content"] is None and message.get("tool_calls")), "empty"
    index = 0
    ids: list[str] = []
    while index < len(messages):
        assert messages[index]["role"] != "tool", "a result without its call"
        made = [call["id"] for call in messages[index].get("tool_calls", [])]
        answers = messages[index + 1 : index + 1 + len(made)]
        assert [answer.get("tool_call_id") for answer in answers] == made, "results do not follow"
        ids += made
        index += 1 + len(made)
    assert len(ids) == len(set(ids)), "an id twice"
    assert well_formed(messages) == list(messages), "mending changes it again"


@invariant("I3")
def check_goals(made: Plan, conversation: Sequence[Any], begin: int, pins: Sequence[str]) -> None:
    shown = _flat("\n".join(_contents(made.messages)))
    checkpoint = made.compaction.text if made.compaction else ""
    introduction, _, entries = checkpoint.partition("\n\n")
    is_floor = not _ENTRIES.search(entries)
    named = named_handles(shown if is_floor else shown.replace(_flat(introduction), ""), "u")
    newest = max((i for i, message in enumerate(conversation) if message["role"] == "user"), default=-1)
    number = 0
    for index, message in enumerate(conversation):
        if message["role"] != "user":
            continue
        number += 1
        if index < begin and index != newest:
            continue
        text = _flat(message_text(message))
        assert number in named or text in shown, f"user message {number} is lost: {text[:80]!r}"
        if index == newest and text not in shown and index >= begin:
            assert re.search(rf"u{number}[: ].*left out", shown), "the newest message has no marker"
    if made.compaction and made.compaction.text:
        for pin in pins:
            assert pin in made.compaction.text, f"the pin {pin!r} is not word for word"


@invariant("I7")
def check_nothing_left_out_unnamed(made: Plan, conversation: Sequence[Any], begin: int) -> None:
    """Every result that is not whole in the request is named there, and its name leads to the whole of it."""
    contents = list(_contents(made.messages))
    whole = set(contents)
    named = named_handles("\n".join(contents), "r")
    number = 0
    roles = [message["role"] for message in conversation]
    first_user = roles.index("user") if "user" in roles else len(roles)
    for index, message in enumerate(conversation):
        if message["role"] != "assistant":
            continue
        for part in filter(is_tool_part, message["parts"]):
            number += 1
            if index < max(begin, first_user):
                continue
            if number in named or (text := result_text(part)) in whole:
                continue
            is_whole = any(each.startswith(text) for each in whole)
            assert is_whole, f"result {number} is left out and not named"
    if number:
        check_read_back(conversation, number)
    check_documents("\n".join(contents), conversation, begin)


def check_documents(shown: str, conversation: Sequence[Any], begin: int) -> None:
    """Each document is shown, or named, or so is its message; its name leads to all of it."""
    named, users = named_handles(shown, "d"), 0
    for index, message in enumerate(conversation):
        users += message["role"] == "user"
        for part in documents([message]) if index >= begin else ():
            number = document_number(part)
            is_there = f'"document":{number},' in shown or number in named
            assert is_there or users in named_handles(shown, "u"), (
                f"document {number} is left out and not named"
            )
    found = {document_number(part): part for part in reversed([*documents(conversation)])}
    for number, part in [*found.items()][:2]:
        assert read_back(conversation, f"d{number}") == document_text(part), f"d{number} leads elsewhere"


def check_read_back(conversation: Sequence[Any], newest: int) -> None:
    parts = [
        part
        for message in conversation
        if message["role"] == "assistant"
        for part in message["parts"]
        if is_tool_part(part)
    ]
    for number in {1, (newest + 1) // 2, newest}:
        found = read_back(conversation, f"r{number}")
        assert found == result_text(parts[number - 1]), f"r{number} leads elsewhere"


@invariant("I9")
def check_rules(made: Plan) -> None:
    systems = [message for message in made.messages if message["role"] == "system"]
    assert systems == [made.messages[0]] == [{"role": "system", "content": SYSTEM}]


@invariant("I10")
def check_data_is_data(made: Plan, conversation: Sequence[Any]) -> None:
    """The person's words alone stand as the person's; a checkpoint is labelled, and no text in it can begin a line."""
    said = {message_text(message) for message in conversation if message["role"] == "user"}
    for message in made.messages:
        if message["role"] != "user":
            continue
        content = message["content"]
        first = content if isinstance(content, str) else content[0].get("text", "")
        if first.startswith((_CHECKPOINT, *_OURS)) or first in said:
            continue
        head = first.partition("\n… [u")[0]
        assert any(text.startswith(head) for text in said), f"as the person's: {first[:80]!r}"
    if made.compaction and made.compaction.text:
        lines = made.compaction.text.split("\n")
        assert lines[0].startswith(_CHECKPOINT), "a checkpoint without its label"
        forged = [line for line in lines if not _CHECKPOINT_LINE.fullmatch(line)]
        assert not forged, f"lines of a checkpoint from elsewhere: {forged[:3]}"


@invariant("I5")
def check_follows(before: Plan, after: Plan) -> None:
    """Where nothing was condensed in between, a request begins with the whole one before it.

    Where that ended with an unfinished answer, its text goes on in the same message.
    """
    last = len(before.messages) - 1
    assert after.messages[:last] == before.messages[:last], "changed"
    ended, goes_on = before.messages[last], after.messages[last]
    if ended["role"] == "assistant" and not ended.get("tool_calls"):
        assert goes_on["role"] == "assistant", "changed"
        assert str(goes_on["content"]).startswith(str(ended["content"])), "changed"
    else:
        assert goes_on == ended, "changed"


@invariant("I6")
def check_monotony(before: Plan, after: Plan) -> None:
    """A result only gets shorter, and does not come back."""
    earlier, later = (
        {m["tool_call_id"]: m["content"] for m in made.messages if m["role"] == "tool"}
        for made in (before, after)
    )
    answered = [m["tool_call_id"] for m in before.messages if m["role"] == "tool"]
    for name, content in later.items():
        if name in earlier:
            assert len(content) <= len(earlier[name]), f"result {name} grew"
    # Results keep their order, so one that came back would stand before one that had stayed.
    kept = [name for name in later if name in earlier]
    assert kept == answered[len(answered) - len(kept) :], "a result went from the middle"
    assert kept == [*later][: len(kept)], "a result came back"


@invariant("I6")
def check_pays(made: Plan) -> None:
    """Whoever condenses by himself gets below the low mark, or wins something worth breaking the cache for."""
    if made.has_compacted and not any(stage.startswith("emergency") for stage in made.stages):
        low = ceil(made.thresholds.low * made.budget.factor)
        assert made.tokens <= low or made.tokens < made.tokens_before, "condensed for nothing"


class LastCondensing:
    """What a thread held when it was last condensed."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Where the next request is no longer comparable: after an edit, for another model."""
        self.plan: Plan | None = None
        self.size = 0

    @invariant("I6")
    def check(self, made: Plan, conversation: Sequence[Any], *, is_asked: bool = False) -> None:
        """Between two condensings that nobody asked for, half of what lies between the marks came anew.

        Where the newest request would not fit otherwise, it is condensed all the same.
        """
        if not made.has_compacted:
            return
        before, self.plan = self.plan, made
        size_before, self.size = self.size, _size(conversation)
        if before is None or is_asked:
            return
        factor = made.budget.factor
        fixed = count_tools_tokens(TOOLS) + count_messages_tokens(made.messages[:1])
        marks = Thresholds.of(made.budget, fixed)
        came = min((made.tokens_before - before.tokens) / factor, self.size - size_before)
        least = (marks.high - marks.low) // 2
        has_no_choice = made.tokens_before > marks.hard * factor
        assert has_no_choice or came >= least - 2, f"condensed after {came:.0f} tokens; expected {least}"


def _size(conversation: Sequence[Any]) -> int:
    """At least the tokens that a conversation can take, told by what is in the log alone."""
    parts = [part for message in conversation for part in message["parts"]]
    images = sum("data:image" in dump(part) for part in parts)
    return sum(counted(dump(part)) for part in parts) + 300 * images + 40 * (len(conversation) + len(parts))


@invariant("I4")
def check_deterministic(
    made: Plan,
    conversation: Sequence[Any],
    budget: Budget,
    *,
    compaction: Compaction | None = None,
    **options: Any,
) -> None:
    """The same once more, and the same after everything went through JSON, as a restart does."""
    again = planned(conversation, budget, compaction=compaction, **options)
    assert again is not None
    assert again.messages == made.messages, "messages"
    assert again.compaction == made.compaction, "compaction"
    stored = json.loads(json.dumps(conversation))
    kept = Compaction.from_json(json.loads(json.dumps(compaction.as_json()))) if compaction else None
    restarted = planned(stored, budget, compaction=kept, **options)
    assert restarted is not None
    assert _bytes(restarted.messages) == _bytes(made.messages), "after a restart"


def named_handles(text: str, kind: str) -> set[int]:
    """The numbers that a text names: `r7`, and all of `r3 to r9`."""
    found: set[int] = set()
    for match in _HANDLES.finditer(text):
        if match[1] == kind:
            found.update(range(int(match[2]), int(match[3] or match[2]) + 1))
    return found


def _contents(messages: Sequence[Any]) -> Iterator[str]:
    for message in messages:
        content = message["content"]
        if isinstance(content, str):
            yield content
        elif content:
            yield "\n".join(part["text"] for part in content if part.get("type") == "text")


def _flat(text: str) -> str:
    return " ".join(text.split())


def _bytes(messages: Sequence[Any]) -> str:
    return json.dumps(messages)
