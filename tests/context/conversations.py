"""Conversations as the thread log holds them, made short to write."""

from __future__ import annotations

from typing import Any

STEP = {"type": "step-start"}


def text(value: str) -> Any:
    return {"type": "text", "text": value}


def file(name: str, kind: str, url: str) -> Any:
    return {"type": "file", "mediaType": kind, "url": url, "filename": name}


def user(message_id: str, value: str = "", *files: Any, **fields: Any) -> Any:
    return {"id": message_id, "role": "user", "parts": [text(value or message_id), *files], **fields}


def call(
    call_id: str, output: Any = None, *, name: str = "look", arguments: Any = None, **fields: Any
) -> Any:
    return {
        "type": f"tool-{name}",
        "toolCallId": call_id,
        "state": "output-available",
        "input": arguments or {},
        "output": output if output is not None else {"ok": True, "summary": f"Did {call_id}."},
        **fields,
    }


def answer(message_id: str, *steps: list[Any]) -> Any:
    return {
        "id": message_id,
        "role": "assistant",
        "parts": [part for step in steps for part in (STEP, *step)],
    }


def result(summary: str, words: int) -> Any:
    return {"ok": True, "summary": summary, "data": "word " * words}


def turns(count: int, *, rounds: int = 2, words: int = 100, first: int = 0) -> list[Any]:
    """`count` turns of a user message, some rounds with results of `words` words, and an answer."""
    made: list[Any] = []
    for number in range(first, first + count):
        steps = [
            [call(f"c{number}-{index}", result(f"Did {number}-{index}.", words))] for index in range(rounds)
        ]
        made += [
            user(f"u{number}", f"Question {number}: keep seed {1000 + number}."),
            answer(
                f"a{number}", *steps, [text(f"Answer {number}. I chose sampler {number} because it is fast.")]
            ),
        ]
    return made
