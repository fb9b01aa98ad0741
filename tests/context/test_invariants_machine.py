"""A thread through everything that can happen to it, its next request planned and checked after each event."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.compaction import Compaction, clear_conversation, newest_valid
from comfyui_assistant.engine.context.condensing import Condense
from comfyui_assistant.engine.context.plan import Plan
from comfyui_assistant.engine.context.rendering import RenderingMemo
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from ..cases import cases
from .invariants import (
    LastCondensing,
    check_deterministic,
    check_follows,
    check_monotony,
    check_pays,
    check_request,
    planned,
)
from .random_conversations import call, drawn, factors, maybe_text, pin, step, text, user, windows
from .tally import CASES, invariant

_LONGEST = 6_000
_TEXTS = drawn(lambda choices: text(choices, _LONGEST), 32)
_SHORT_TEXTS = drawn(lambda choices: text(choices, 200), 32)
_MAYBE_TEXTS = drawn(lambda choices: maybe_text(choices, _LONGEST), 32)
_CALLS = drawn(lambda choices: call(choices, _LONGEST), 48)


class Thread(RuleBasedStateMachine):
    """`before` is the newest request, None where the next one may be unlike it: after an edit or a smaller window."""

    def __init__(self) -> None:
        super().__init__()
        self.condensing = LastCondensing()
        self.conversation: list[Any] = []
        self.compactions: list[Compaction] = []
        self.branches: list[list[Any]] = []
        self.before: Plan | None = None
        self.memo = RenderingMemo()
        self.idle = 0.0
        self.names = 0
        self.pins: list[str] = []
        self.budget = Budget(32_000, 4_096)

    @initialize(window=windows, factor=factors)
    def begin(self, window: int, factor: float) -> None:
        CASES["threads through everything"] += 1
        self.budget = Budget(window, min(4_096, window // 4), factor=factor)

    @rule(said=_TEXTS, files=st.sampled_from((0, 0, 0, 1)))
    def user_writes(self, said: str, files: int) -> None:
        name = self._name("u")
        # Some are told apart, so that one that is lost is missed.
        said = said if self.names % 3 == 0 else f"Wish {name}. {said}"
        self.conversation.append(user(name, said, files=files))
        self._send()

    @precondition(lambda self: self.conversation)
    @rule(said=_MAYBE_TEXTS, made=_CALLS, count=st.sampled_from((1, 1, 2, 4, 16)))
    def model_calls_tools(self, said: str | None, made: dict[str, Any], count: int) -> None:
        self._answer(step(said, [made] * count, name=self._name("c")))
        self._send()

    @precondition(lambda self: self.conversation)
    @rule(made=_CALLS, rounds=st.integers(5, 25))
    def model_works_for_long(self, made: dict[str, Any], rounds: int) -> None:
        for _ in range(rounds):
            self._answer(step(None, [made], name=self._name("c")))
            self._send()

    @precondition(lambda self: self.conversation)
    @rule(said=_TEXTS)
    def model_answers(self, said: str) -> None:
        self._answer(step(said, [], name=self._name("c")))

    @precondition(lambda self: self.conversation)
    @rule()
    def step_fails(self) -> None:
        self._answer([{"type": "data-error", "data": {"code": "network", "message": "It is gone."}}])
        self._send()

    @rule(seconds=st.sampled_from((10.0, 400.0, 1e6)))
    def person_is_away(self, seconds: float) -> None:
        self.idle = seconds

    @precondition(lambda self: len(self.pins) < 4)
    @rule(text=drawn(pin, 2))
    def person_pins(self, text: str) -> None:
        self.pins.append(text)

    @precondition(lambda self: self.conversation)
    @rule(focus=st.sampled_from(("", "seed knight", "日本語")))
    def person_condenses(self, focus: str) -> None:
        self._send(force=Condense(focus))

    @precondition(lambda self: self.conversation)
    @rule(said=_SHORT_TEXTS)
    def person_clears_and_goes_on(self, said: str) -> None:
        self.compactions.append(clear_conversation(self.conversation))
        self.before = None
        self.user_writes(said, 0)

    @precondition(lambda self: self.conversation and self.conversation[-1]["role"] == "user")
    @rule()
    def person_clears_before_the_answer(self) -> None:
        self.compactions.append(clear_conversation(self.conversation))
        self.before = None
        self._send()

    @precondition(lambda self: self.compactions)
    @rule()
    def person_undoes(self) -> None:
        self.compactions.pop()
        self.before = None
        self._send()

    @precondition(lambda self: any(message["role"] == "user" for message in self.conversation))
    @rule(which=st.integers(0, 5), said=_SHORT_TEXTS)
    def person_edits(self, which: int, said: str) -> None:
        self.branches.append(list(self.conversation))
        asked = [i for i, message in enumerate(self.conversation) if message["role"] == "user"]
        del self.conversation[asked[-1 - which % len(asked)] :]
        self.before = None
        self.user_writes(said, 0)

    @precondition(lambda self: self.conversation and self.conversation[-1]["role"] == "assistant")
    @rule()
    def person_asks_for_another_answer(self) -> None:
        self.branches.append(list(self.conversation))
        self.conversation.pop()
        self.before = None
        if self.conversation:
            self._send()

    @precondition(lambda self: self.branches)
    @rule(which=st.integers(0, 5))
    def person_goes_to_another_branch(self, which: int) -> None:
        index = which % len(self.branches)
        self.conversation, self.branches[index] = self.branches[index], self.conversation
        self.before = None
        if self.conversation:
            self._send()

    @rule(window=windows)
    def model_is_changed(self, window: int) -> None:
        self.budget = replace(self.budget, window=window, reserve=min(4_096, window // 4))
        self.before = None
        self._send()

    @precondition(lambda self: self.conversation and self.budget.window > 4_096)
    @rule()
    def model_is_changed_for_the_smallest(self) -> None:
        self.model_is_changed(4_096)

    @rule(factor=factors)
    def provider_counts_otherwise(self, factor: float) -> None:
        self.condensing.forget()
        self.budget = replace(self.budget, factor=factor)

    @rule()
    def comfyui_restarts(self) -> None:
        expected = self._planned()
        self.conversation = json.loads(json.dumps(self.conversation))
        self.compactions = [
            Compaction.from_json(json.loads(json.dumps(each.as_json()))) for each in self.compactions
        ]
        self.memo = RenderingMemo()
        restarted = self._planned()
        with invariant("I4"):
            assert (restarted and restarted.messages) == (expected and expected.messages), "after a restart"

    def _answer(self, parts: list[Any]) -> None:
        if self.conversation[-1]["role"] != "assistant":
            self.conversation.append({"id": self._name("a"), "role": "assistant", "parts": []})
        last = self.conversation[-1]
        self.conversation[-1] = {**last, "parts": [*last["parts"], *parts]}

    def _planned(self) -> Plan | None:
        compaction = newest_valid(self.compactions, self.conversation)
        return planned(self.conversation, self.budget, compaction=compaction, memo=self.memo, pins=self.pins)

    def _send(self, **options: Any) -> None:
        compaction = newest_valid(self.compactions, self.conversation)
        given = {"pins": list(self.pins), "idle_seconds": self.idle, **options}
        made = planned(self.conversation, self.budget, compaction=compaction, memo=self.memo, **given)
        self.idle = 0.0
        if made is None:
            self.before = None
            return
        check_request(made, self.conversation, self.budget, what="threads through everything")
        if self.before is not None:
            check_monotony(self.before, made)
            if not made.has_compacted:
                check_follows(self.before, made)
        if self.before is None:
            self.condensing.forget()
        if not options:
            check_pays(made)
        self.condensing.check(made, self.conversation, is_asked=bool(options))
        if made.has_compacted or self.names % 3 == 0:
            check_deterministic(made, self.conversation, self.budget, compaction=compaction, **given)
        if made.has_compacted and made.compaction is not None:
            self.compactions.append(made.compaction)
        self.before = made

    def _name(self, kind: str) -> str:
        self.names += 1
        return f"{kind}{self.names}"


TestThread = pytest.mark.slow(Thread.TestCase)
TestThread.settings = cases("threads through everything", stateful_step_count=25)
