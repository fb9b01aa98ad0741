"""Threads as an assistant that works in a workflow makes them: the same ones in every run."""

from __future__ import annotations

from random import Random

from bench.context.payloads import Called, Make, change_node
from bench.context.sentences import (
    NODES,
    PLACES,
    SAMPLERS,
    answer_filler,
    before_calls,
    decision,
    goal,
    opening,
    text_of_words,
    user_filler,
)
from engine.base.messages import Part, UIMessage

_LARGE_RESULTS = (8_000, 60_000)
"""Characters of a result: a workflow of some dozen nodes, and one of some hundred."""


def long_agentic_thread(turns: int) -> list[UIMessage]:
    """One in a large workflow: each turn reads it, changes a node, and reads it again."""
    random = Random(f"long agentic thread of {turns}")
    return [
        message
        for turn in range(turns)
        for message in (
            UIMessage(id=f"user-{turn}", role="user", parts=[_text(_wish(random))]),
            UIMessage(
                id=f"answer-{turn}",
                role="assistant",
                parts=_answer(random, turn),
            ),
        )
    ]


def read_large_workflow(random: Random, fact: str | None = None) -> Called:
    """As `getWorkflowInfo` tells it: one text, a line for each node."""
    size = random.randint(*_LARGE_RESULTS)
    lines: list[str] = []
    length = 0
    while length < size:
        lines.append(_line(random, len(lines) + 1))
        length += len(lines[-1]) + 1
    data = {"revision": f"{random.getrandbits(32):08x}", "nodes": len(lines), "text": "\n".join(lines)}
    output = {"ok": True, "summary": f"Read the workflow: {len(lines)} nodes. {fact or ''}", "data": data}
    return Called("getWorkflowInfo", {}, output)


def _line(random: Random, number: int) -> str:
    sources = f"model<{random.randint(1, 400)} image<{random.randint(1, 400)}.IMAGE"
    values = (
        f"steps={random.randint(4, 60)} seed={random.getrandbits(40)} sampler_name={random.choice(SAMPLERS)}"
    )
    return f'{number} {random.choice(NODES)} "{random.choice(PLACES)}" {sources} {values}'


def _answer(random: Random, turn: int) -> list[Part]:
    parts: list[Part] = []
    for number, make in enumerate((read_large_workflow, change_node, read_large_workflow)):
        parts += [{"type": "step-start"}, _text(before_calls(random))]
        parts.append(_call(random, f"call-{turn}-{number}", make))
    return [*parts, {"type": "step-start"}, _text(_outcome(random))]


def _call(random: Random, call_id: str, make: Make) -> Part:
    made = make(random, None)
    return {
        "type": f"tool-{made.tool}",
        "toolCallId": call_id,
        "state": "output-available",
        "input": made.input,
        "output": made.output,
    }


def _wish(random: Random) -> str:
    return opening(random) + text_of_words(random, 40, user_filler, goal(random, random.randint(100, 999)))


def _outcome(random: Random) -> str:
    return text_of_words(random, 60, answer_filler, decision(random, random.randint(100, 999)))


def _text(text: str) -> Part:
    return {"type": "text", "text": text, "state": "done"}
