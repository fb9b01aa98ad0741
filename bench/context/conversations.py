"""Seeded conversations in the shape in which the thread log holds them, with planted things to remember."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from engine.base.messages import Part, UIMessage

from .payloads import LOOK_UPS, Make, change_node, fail_to_run, read_workflow, run_workflow
from .sentences import answer_filler, before_calls, decision, goal, opening, text_of_words, user_filler

TURNS = 60
_ROUNDS_OF_TURN = (0, 1, 2, 3, 4, 5, 6)
_ROUNDS_WEIGHTS = (10, 25, 30, 20, 9, 4, 2)
_BEGINS_WITH_READING = 0.6
_SHARE_WITH_GOAL = 0.6
_SHARE_WITH_DECISION = 0.6
_SHARE_WITH_FACT = 0.35


@dataclass(frozen=True)
class Planted:
    """Something to be remembered. `request` is the first request whose conversation holds it.

    `result` is the number of the tool result that holds a fact, counted from 1 over the thread. From the request
    `until` on something else holds in its place.
    """

    text: str
    request: int
    result: int = 0
    until: int = sys.maxsize


@dataclass(frozen=True)
class Conversation:
    messages: list[UIMessage]
    goals: list[Planted]
    decisions: list[Planted]
    facts: list[Planted]

    def requests(self) -> Iterator[list[UIMessage]]:
        """The conversation as it stands at each request to the model: one per step."""
        for index, message in enumerate(self.messages):
            if message["role"] != "assistant":
                continue
            starts = [i for i, part in enumerate(message["parts"]) if part["type"] == "step-start"]
            for start in starts:
                answered = UIMessage(id=message["id"], role="assistant", parts=message["parts"][:start])
                yield [*self.messages[:index], *([answered] if start else [])]


def conversation(seed: int, turns: int = TURNS) -> Conversation:
    return Writer(Random(f"conversation {seed}")).write(turns)


class Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.requests = 0
        self._results = 0
        self.numbers = iter(random.sample(range(100, 10_000), 4_000))
        self.goals: list[Planted] = []
        self._decisions: list[Planted] = []
        self._facts: list[Planted] = []

    def write(self, turns: int) -> Conversation:
        messages = [
            message
            for turn in range(turns)
            for message in (
                UIMessage(id=f"user-{turn}", role="user", parts=[_text(self.user_text())]),
                UIMessage(id=f"answer-{turn}", role="assistant", parts=self._answer(turn)),
            )
        ]
        return Conversation(messages, self.goals, self._decisions, self._facts)

    def user_text(self) -> str:
        random, remembered = self.random, None
        if random.random() < _SHARE_WITH_GOAL:
            remembered = goal(random, next(self.numbers))
            self.goals.append(Planted(remembered, self.requests))
        low, high = random.choices(((20, 45), (45, 120), (120, 400)), (60, 30, 10))[0]
        words = random.randint(low, high)
        return opening(random) + text_of_words(random, words, user_filler, remembered)

    def _answer(self, turn: int) -> list[Part]:
        random = self.random
        parts: list[Part] = []
        for round_number in range(random.choices(_ROUNDS_OF_TURN, _ROUNDS_WEIGHTS)[0]):
            self.requests += 1
            parts.append({"type": "step-start"})
            if random.random() < 0.3:
                parts.append(_text(before_calls(random)))
            begins = round_number == 0 and random.random() < _BEGINS_WITH_READING
            for number, make in enumerate(self._round(turn, begins=begins)):
                parts.append(self._call(f"call-{turn}-{round_number}-{number}", make))
        self.requests += 1
        return [*parts, {"type": "step-start"}, _text(self._final_text())]

    def _round(self, turn: int, *, begins: bool) -> list[Make]:
        """The calls of one step: reading the workflow, looking things up, editing, running. Workflows grow."""
        random = self.random
        grown = min(1.0, (turn + 20) / TURNS)
        kind = "read" if begins else random.choices(("read", "look up", "edit", "run"), (25, 25, 28, 22))[0]
        if kind == "read":
            return [partial(read_workflow, nodes=int(6 + 69 * grown * random.uniform(0.5, 1)))]
        if kind == "look up":
            return random.choices(LOOK_UPS, k=random.randint(1, 2))
        if kind == "edit":
            return [change_node] * random.randint(1, 6)
        return [fail_to_run if random.random() < 0.35 else run_workflow]

    def _call(self, call_id: str, make: Make) -> Part:
        self._results += 1
        fact = None
        if self.random.random() < _SHARE_WITH_FACT:
            fact = f"{next(self.numbers)}-{self.random.getrandbits(28):07x}"
            self._facts.append(Planted(fact, self.requests, self._results))
        made = make(self.random, fact)
        return {
            "type": f"tool-{made.tool}",
            "toolCallId": call_id,
            "state": "output-available",
            "input": made.input,
            "output": made.output,
        }

    def _final_text(self) -> str:
        random, remembered = self.random, None
        if random.random() < _SHARE_WITH_DECISION:
            remembered = decision(random, next(self.numbers))
            self._decisions.append(Planted(remembered, self.requests))
        low, high = random.choices(((30, 80), (80, 160), (160, 300)), (50, 35, 15))[0]
        return text_of_words(random, random.randint(low, high), answer_filler, remembered)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "state": "done"}
