"""The facts of a stretch of conversation, gathered by rules: what a checkpoint must not lose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..messages import Part, tool_name
from .documents import asked_text
from .position import Block
from .results import has_succeeded, one_line

EDITING = frozenset(
    {
        "addNode",
        "removeNode",
        "connectNodes",
        "disconnectNodes",
        "setNodeWidgetValue",
        "editWorkflow",
        "applyWorkflow",
        "arrangeNodes",
    }
)
RUNNING = frozenset({"executeWorkflow"})


@dataclass
class Ledger:
    """Gathered in the order of the conversation; `(number, text)` where a handle leads to the whole text."""

    requests: list[tuple[int, str]] = field(default_factory=list)
    outcomes: list[tuple[int, str]] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    artefacts: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    users: int = 0
    first_result: int = 0
    last_result: int = 0
    is_within_turn: bool = False
    rounds: int = 0

    @property
    def is_empty(self) -> bool:
        return not (self.requests or self.outcomes or self.last_result or self.users)


def gather(stretch: Iterable[Block]) -> Ledger:
    """The ledger of some blocks. Nothing in it is guessed: each line is a text or a tool's own summary."""
    ledger = Ledger()
    seen: set[str] = set()
    for block in stretch:
        ledger.users = block.user
        if block.kind == "user":
            ledger.requests.append((block.user, asked_text(block.message)))
            ledger.is_within_turn = False
            continue
        ledger.is_within_turn = True
        calls = block.calls
        if text := "\n".join(
            part["text"] for part in block.parts if part["type"] == "text" and part["text"].strip()
        ):
            _add_outcome(ledger, block.user, text)
        ledger.rounds += bool(calls)
        for number, part in enumerate(calls, block.results + 1):
            ledger.first_result = ledger.first_result or number
            ledger.last_result = number
            _note(ledger, part, number, seen)
    return ledger


def _add_outcome(ledger: Ledger, number: int, text: str) -> None:
    if ledger.outcomes and ledger.outcomes[-1][0] == number:
        text = f"{ledger.outcomes.pop()[1]}\n{text}"
    ledger.outcomes.append((number, text))


def _note(ledger: Ledger, part: Part, number: int, seen: set[str]) -> None:
    name, line = tool_name(part), one_line(part)
    entry = f"r{number} {name}: {line}" if line else f"r{number} {name}"
    if not has_succeeded(part):
        if f"{name} {line}" not in seen:
            ledger.failures.append(entry)
    elif name in EDITING:
        ledger.changes.append(f"r{number}: {line}")
    elif name in RUNNING:
        ledger.artefacts.append(f"{entry}{_files(part.get('output'))}")
    elif f"{name} {line}" not in seen:
        ledger.findings.append(entry)
    seen.add(f"{name} {line}")


def _files(output: Any) -> str:
    data = output.get("data") if isinstance(output, dict) else None
    outputs = data.get("outputs") if isinstance(data, dict) else None
    names = [
        " ".join(str(file["filename"]).split())
        for entry in _objects(outputs)
        for file in _files_of(entry)
        if file.get("filename")
    ]
    return f" [{', '.join(names[:6])}]" if names else ""


def _files_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return _objects(entry["files"]) if "files" in entry else [entry]


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
