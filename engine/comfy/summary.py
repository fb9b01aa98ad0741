"""The summary of an environment in one line: "87 packages, 523 node types, 150 models"."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from ..base.files.writing import write_whole_file
from ..base.text.amounts import pluralize
from .snapshot import Environment


@dataclass(frozen=True)
class EnvironmentSummary:
    packages: int
    node_types: int
    models: int

    @property
    def text(self) -> str:
        return ", ".join(
            (
                pluralize(self.packages, "package"),
                pluralize(self.node_types, "node type"),
                pluralize(self.models, "model"),
            )
        )


def summarize(environment: Environment) -> EnvironmentSummary:
    return EnvironmentSummary(
        packages=len(environment.packages),
        node_types=len(environment.nodes) + len(environment.unreadable),
        models=sum(len(names) for names in environment.models.values()),
    )


def keep_summary(environment: Environment, data_directory: Path) -> None:
    save_summary(summarize(environment), data_directory)


def save_summary(summary: EnvironmentSummary, data_directory: Path) -> None:
    """Keep the summary on disk, so that a chat that starts before the next scan has it."""
    counts = {"packages": summary.packages, "nodeTypes": summary.node_types, "models": summary.models}
    write_whole_file(summary_path(data_directory), json.dumps(counts).encode())


def read_summary(data_directory: Path) -> EnvironmentSummary | None:
    """Return the saved summary; None where there is none or it cannot be read: the next scan writes it."""
    try:
        counts = json.loads(summary_path(data_directory).read_text(encoding="utf-8"))
        return EnvironmentSummary(
            packages=int(counts["packages"]),
            node_types=int(counts["nodeTypes"]),
            models=int(counts["models"]),
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def summary_path(data_directory: Path) -> Path:
    return data_directory / "environment" / "summary.json"
