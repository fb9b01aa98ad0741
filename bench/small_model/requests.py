"""The requests of the files: what is said, with which workflow open, and what should come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

REQUESTS = Path(__file__).with_name("requests.yaml")
EVERYDAY = Path(__file__).with_name("everyday.yaml")


@dataclass(frozen=True)
class Request:
    """`expected` is read by `judge`, `cut`, `first` and `failed` before the request is made."""

    number: int
    workflow: str
    kind: str
    text: str
    expected: Mapping[str, Any]

    @property
    def is_held_out(self) -> bool:
        return self.number % 2 == 1

    @property
    def messages(self) -> list[str]:
        return [*filter(None, [self.expected.get("first")]), self.text]


def read_requests(file: Path = REQUESTS) -> list[Request]:
    by_workflow = yaml.safe_load(file.read_text("utf-8"))
    entries = [(workflow, entry) for workflow, entries in by_workflow.items() for entry in entries]
    return [
        Request(number, workflow, entry["kind"], entry["say"], entry)
        for number, (workflow, entry) in enumerate(entries)
    ]
