"""What must hold for every planned request, and from one request of a thread to the next."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import Any

from comfyui_assistant.engine.context.convert import well_formed
from comfyui_assistant.engine.context.handles import read_back
from comfyui_assistant.engine.context.plan import Budget, Compaction, ContextTooSmall, Plan, plan
from comfyui_assistant.engine.context.results import result_text
from comfyui_assistant.engine.context.tokens import count_messages_tokens, count_tools_tokens
from comfyui_assistant.engine.messages import is_tool_part, text_of

from .random_conversations import SYSTEM, TOOLS

CHECKED: Counter[str] = Counter()
"""How many requests were checked, by the name of the test. The nightly command prints it."""

_HANDLES = re.compile(r"\b([ru])(\d+)\b(?: to \1(\d+)\b)?")
_SECTIONS = re.compile(r"^## .*$", re.MULTILINE)
KNOWN_SECTIONS = {
    "## Goals and constraints, word for word",
    "## What the user asked",
    "## Decisions and outcomes",
    "## Changes made to the workflow",
    "## Runs and what they made",
    "## Attempts that failed",
    "## What was looked up",
    "## Open",
}
_FLOOR = 700
"""Tokens beside the fixed part that must always be enough for a shortened message and an empty checkpoint."""


def planned(conversation: Sequence[Any], budget: Budget, **options: Any) -> Plan | None:
    """The plan, or None where it is right to refuse: system message, tools and pins leave no room."""
    arguments: dict[str, Any] = {"system": SYSTEM, "form": "full", "tools": TOOLS, "skills": {}, **options}
    try:
        return plan(conversation, budget=budget, **arguments)
    except ContextTooSmall as refusal:
        check_refusal(refusal, budget, arguments)
        return None


def check_refusal(refusal: ContextTooSmall, budget: Budget, arguments: dict[str, Any]) -> None:
    """I1: nothing but a floor that does not fit is refused, and the refusal says by how much."""
    system = [{"role": "system", "content": arguments["system"]}]
    fixed = count_tools_tokens(arguments["tools"]) + count_messages_tokens(system)
    pins = sum(len(pin) for pin in arguments.get("pins", ()))
    left = (budget.window - budget.reserve) / budget.factor - fixed
    assert left < pins * 2 + _FLOOR, f"refused though {left:.0f} tokens are left: {refusal}"
    assert refusal.needed > refusal.room


def check_request(
    made: Plan, conversation: Sequence[Any], budget: Budget, *, pins: Sequence[str] = (), test: str
) -> None:
    """I1, I2, I3, I7, I9 and I10 of one request that was planned with `SYSTEM` and `TOOLS`."""
    CHECKED[test] += 1
    assert made.messages[0] == {"role": "system", "content": SYSTEM}, "I9"
    check_budget(made, budget)
    check_pairs(made.messages[1:])
    begin = made.compaction.begin.message if made.compaction else 0
    check_goals(made, conversation, begin, pins)
    check_nothing_lost(made, conversation, begin)
    if made.compaction and made.compaction.text:
        found = set(_SECTIONS.findall(made.compaction.text))
        assert found <= KNOWN_SECTIONS, f"I10: headings from elsewhere: {found - KNOWN_SECTIONS}"


def check_budget(made: Plan, budget: Budget) -> None:
    counted = count_messages_tokens(made.messages) + count_tools_tokens(TOOLS)
    assert ceil(counted * budget.factor) <= budget.window - budget.reserve, "I1"
    assert made.tokens >= counted, "I1: tokens is no upper bound"


def check_pairs(messages: Sequence[Any]) -> None:
    if not messages:
        return
    assert messages[0]["role"] == "user", "I2: does not begin with the user"
    for message in messages:
        assert message["content"] or (message["content"] is None and message.get("tool_calls")), "I2: empty"
    index = 0
    ids: list[str] = []
    while index < len(messages):
        assert messages[index]["role"] != "tool", "I2: a result without its call"
        made = [call["id"] for call in messages[index].get("tool_calls", [])]
        answers = messages[index + 1 : index + 1 + len(made)]
        assert [answer.get("tool_call_id") for answer in answers] == made, "I2: results do not follow"
        ids += made
        index += 1 + len(made)
    assert len(ids) == len(set(ids)), "I2: an id twice"
    assert well_formed(messages) == list(messages), "P2"


def check_goals(made: Plan, conversation: Sequence[Any], begin: int, pins: Sequence[str]) -> None:
    shown = _flat("\n".join(_contents(made.messages)))
    named = named_handles(shown, "u")
    newest = max((i for i, message in enumerate(conversation) if message["role"] == "user"), default=-1)
    number = 0
    for index, message in enumerate(conversation):
        if message["role"] != "user":
            continue
        number += 1
        if index < begin and index != newest:
            continue
        text = _flat(text_of(message))
        assert text in shown or number in named, f"I3: user message {number} is lost: {text[:80]!r}"
        if index == newest and text not in shown and index >= begin:
            assert re.search(rf"u{number}[: ].*left out", shown), "I3: the newest message has no marker"
    if made.compaction and made.compaction.text:
        for pin in pins:
            assert pin in made.compaction.text, f"I3: the pin {pin!r} is not word for word"


def check_nothing_lost(made: Plan, conversation: Sequence[Any], begin: int) -> None:
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
            text = result_text(part)
            if text not in whole and not any(each.startswith(text) for each in whole):
                assert number in named, f"I7: result {number} is left out and not named"
    if number:
        check_read_back(conversation, number)


def check_read_back(conversation: Sequence[Any], newest: int) -> None:
    parts = [
        part
        for message in conversation
        if message["role"] == "assistant"
        for part in message["parts"]
        if is_tool_part(part)
    ]
    for number in {1, (newest + 1) // 2, newest}:
        assert read_back(conversation, f"r{number}") == result_text(parts[number - 1]), "I7"


def check_follows(before: Plan, after: Plan) -> None:
    """I5: where nothing was condensed in between, a request begins with the whole one before it.

    Where that ended with an unfinished answer, its text goes on in the same message.
    """
    last = len(before.messages) - 1
    assert after.messages[:last] == before.messages[:last], "I5"
    ended, goes_on = before.messages[last], after.messages[last]
    if ended["role"] == "assistant" and not ended.get("tool_calls"):
        assert goes_on["role"] == "assistant", "I5"
        assert str(goes_on["content"]).startswith(str(ended["content"])), "I5"
    else:
        assert goes_on == ended, "I5"


def check_monotony(before: Plan, after: Plan) -> None:
    """I6: a result only gets shorter, and does not come back."""
    earlier, later = (
        {m["tool_call_id"]: m["content"] for m in made.messages if m["role"] == "tool"}
        for made in (before, after)
    )
    answered = [m["tool_call_id"] for m in before.messages if m["role"] == "tool"]
    for name, content in later.items():
        if name in earlier:
            assert len(content) <= len(earlier[name]), f"I6: result {name} grew"
    # Results keep their order, so one that came back would stand before one that had stayed.
    kept = [name for name in later if name in earlier]
    assert kept == answered[len(answered) - len(kept) :], "I6: a result came back or went from the middle"


def check_pays(made: Plan) -> None:
    """I6: whoever condenses by himself gets below the low mark, or wins something worth breaking the cache for."""
    if made.has_compacted and not any(stage.startswith("emergency") for stage in made.stages):
        low = ceil(made.thresholds.low * made.budget.factor)
        assert made.tokens <= low or made.tokens < made.tokens_before, "I6: condensed for nothing"


def check_deterministic(
    made: Plan,
    conversation: Sequence[Any],
    budget: Budget,
    *,
    compaction: Compaction | None = None,
    **options: Any,
) -> None:
    """I4: the same once more, and the same after everything went through JSON, as a restart does."""
    again = planned(conversation, budget, compaction=compaction, **options)
    assert again is not None
    assert again.messages == made.messages, "I4"
    assert again.compaction == made.compaction, "I4"
    stored = json.loads(json.dumps(conversation))
    kept = Compaction.from_json(json.loads(json.dumps(compaction.as_json()))) if compaction else None
    restarted = planned(stored, budget, compaction=kept, **options)
    assert restarted is not None
    assert _bytes(restarted.messages) == _bytes(made.messages), "I4 after a restart"


def named_handles(text: str, kind: str) -> set[int]:
    """The numbers that a text names: `r7`, and all of `r3 to r9`."""
    found: set[int] = set()
    for match in _HANDLES.finditer(text):
        if match[1] == kind:
            found.update(range(int(match[2]), int(match[3] or match[2]) + 1))
    return found


def _contents(messages: Sequence[Any]) -> Any:
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
