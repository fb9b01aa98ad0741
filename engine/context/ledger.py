"""The facts of a stretch of conversation, gathered by rules: what a checkpoint and the user's memory must not lose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..base.messages import Part, UIMessage, is_tool_part, message_text, tool_name
from ..base.text.clip import clip_line, quoted_name
from .compaction import Position, skip_before, steps
from .documents import request_text
from .picture_descriptions import picture_descriptions
from .results import described_pictures, has_succeeded, one_line
from .tool_facts import ToolFacts, find_facts
from .turn_calls import called_name

_LONGEST_TITLE, _LONGEST_LINE = 80, 400


@dataclass
class Ledger:
    """The facts in the order of the conversation; `(number, text)` for texts that a handle reads back whole.

    `worked` are the numbers of the requests for which something was changed or run.
    """

    requests: list[tuple[int, str]] = field(default_factory=list)
    worked: set[int] = field(default_factory=set)
    outcomes: list[tuple[int, str]] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    artifacts: list[str] = field(default_factory=list)
    workflows: dict[str, str] = field(default_factory=dict)
    """The name of the workflow of each change and run, empty if the tool does not tell it."""
    pictures: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    users: int = 0
    first_result: int = 0
    last_result: int = 0
    is_within_turn: bool = False
    rounds: int = 0

    @property
    def located_changes(self) -> list[str]:
        """The changes, with the workflow's name if there are several, since an id may be a node of each."""
        return self._placed(self.changes)

    @property
    def located_artifacts(self) -> list[str]:
        return self._placed(self.artifacts)

    def _placed(self, lines: list[str]) -> list[str]:
        if len(set(self.workflows.values())) < 2:
            return lines
        return [
            f"{line} (in {quoted_name(name)})" if (name := self.workflows[line]) else line for line in lines
        ]

    @property
    def is_empty(self) -> bool:
        return not (self.requests or self.outcomes or self.last_result or self.users)


def gather(
    conversation: Sequence[UIMessage], begin: Position, upto: Position, facts: Mapping[str, ToolFacts]
) -> Ledger:
    """Gather the ledger from `begin` to `upto`. Nothing is guessed: each line is a text or a tool's own summary.

    In a long thread this is most of the work of condensing, so it makes no blocks.
    """
    ledger = Ledger()
    entries: set[str] = set()
    start = skip_before(conversation, begin.message)
    users, results = start.users, start.results
    for index in range(begin.message, upto.message + (upto.step > 0)):
        message = conversation[index]
        if message["role"] == "user":
            ledger.users = users = users + 1
            ledger.requests.append((users, request_text(message)))
            ledger.pictures += [f"u{users}: {line}" for line in picture_descriptions(message)]
            ledger.is_within_turn = False
        elif message["role"] == "assistant":
            parts = message["parts"]
            first = begin.step if index == begin.message else 0
            last = upto.step if index == upto.message else None
            if first or last is not None:
                all_steps = steps(parts)
                results += sum(is_tool_part(part) for step in all_steps[:first] for part in step)
                parts = [part for step in all_steps[first:last] for part in step]
            ledger.users, ledger.is_within_turn = users, True
            results = _add_answer(ledger, parts, results, entries, facts)
    return ledger


def _add_answer(
    ledger: Ledger, parts: Iterable[Part], results: int, entries: set[str], facts: Mapping[str, ToolFacts]
) -> int:
    """Add the parts of an answer. `results` counts the tool results before them; return the count after them."""
    texts: list[str] = []
    is_round = False
    for part in parts:
        kind = part["type"]
        if kind == "step-start":
            is_round = False
        elif kind == "text":
            if part["text"].strip():
                texts.append(part["text"])
        elif is_tool_part(part):
            results += 1
            _note(ledger, part, results, entries, find_facts(tool_name(part), facts))
            ledger.rounds += not is_round
            ledger.first_result = ledger.first_result or results
            ledger.last_result = results
            is_round = True
    if texts:
        _add_outcome(ledger, ledger.users, "\n".join(texts))
    return results


def _add_outcome(ledger: Ledger, number: int, text: str) -> None:
    if ledger.outcomes and ledger.outcomes[-1][0] == number:
        text = f"{ledger.outcomes.pop()[1]}\n{text}"
    ledger.outcomes.append((number, text))


def _note(ledger: Ledger, part: Part, number: int, entries: set[str], facts: ToolFacts) -> None:
    """Add a call. One that both edits and runs has a line as a change, and its files as a run."""
    name, line = called_name(part), one_line(part)
    entry = f"{name}: {line}" if line else name
    if not has_succeeded(part):
        if entry not in entries:
            ledger.failures.append(f"r{number} {entry}")
    elif facts.edits or facts.runs:
        ledger.worked.add(ledger.users)
        output = part.get("output")
        changed = [f"r{number}: {line}"] if facts.edits else []
        told = name if facts.edits else entry
        made = [f"r{number} {told}{_files(output, told)}"] if facts.runs else []
        ledger.changes += changed
        ledger.artifacts += made
        ledger.workflows |= dict.fromkeys([*changed, *made], _workflow_of(output))
    elif entry not in entries:
        ledger.findings.append(f"r{number} {entry}")
    entries.add(entry)
    ledger.pictures += [
        f"r{number}: {quoted_name(name)}: {about}" for name, about in described_pictures(part)
    ]


def _workflow_of(output: Any) -> str:
    data = output.get("data") if isinstance(output, dict) else None
    name = data.get("workflow") if isinstance(data, dict) else None
    return name if isinstance(name, str) else ""


def _files(output: Any, told: str) -> str:
    """Return the files that the line does not name."""
    there = {word.rstrip(".,;") for word in told.split()}
    names = [name for name in output_files(output) if name not in there]
    return f" [{', '.join(names[:6])}]" if names else ""


def output_files(output: Any) -> list[str]:
    """Return the files that the runs of one call have written."""
    data = output.get("data") if isinstance(output, dict) else None
    runs = [data, *_objects(data.get("runs"))] if isinstance(data, dict) else []
    return [
        " ".join(str(file["filename"]).split())
        for run in runs
        for entry in _objects(run.get("outputs"))
        for file in _files_of(entry)
        if file.get("filename")
    ]


def _files_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return _objects(entry["files"]) if "files" in entry else [entry]


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def condensed_entry(
    conversation: Sequence[UIMessage], begin: Position, upto: Position, facts: Mapping[str, ToolFacts]
) -> str:
    """Return the entry for the user's memory about the part between two positions; "" if there is nothing in it."""
    ledger = gather(conversation, begin, upto, facts)
    lines = [
        *_lines("Asked", (text for _, text in ledger.requests)),
        *_lines("Answered", (text for _, text in ledger.outcomes)),
        *_lines("Changed", map(_without_handle, ledger.changes)),
        *_lines("Made", map(_without_handle, ledger.artifacts)),
    ]
    if not lines:
        return ""
    title = next(
        (text for message in conversation if message["role"] == "user" and (text := message_text(message))),
        "",
    )
    return "\n".join([f"## {clip_line(title, _LONGEST_TITLE) or 'A chat'}", "", *lines])


def _lines(label: str, texts: Iterable[str]) -> list[str]:
    return [f"- {label}: {clip_line(text, _LONGEST_LINE)}" for text in texts if text.strip()]


def _without_handle(entry: str) -> str:
    """Return a line without its handle, which leads nowhere outside of its chat."""
    return entry.partition(" ")[2]
