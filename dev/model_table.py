"""`python -m dev model-table`: windows and prices of models and which see images, from litellm's table (MIT)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Generic, TypeVar

from dev.component import SetUpFailed
from dev.places import shown
from engine.llm.known.model_facts import TABLE, look_up, normal_name

Prices = tuple[float, float, float]
Fact = TypeVar("Fact", int, bool, Prices)

PACKAGE = "litellm"
MEMBER = "litellm/model_prices_and_context_window_backup.json"
KINDS = ("chat", "responses")
MAKERS = (
    "mistral",
    "xai",
    "deepseek",
    "moonshot",
    "zai",
    "minimax",
    "dashscope",
    "gemini",
    "anthropic",
    "openai",
)
"""Providers whose entries tell of their own models; entries without a provider are their makers' as well."""


def write_model_table() -> bool:
    """Download the newest litellm, keep nothing of it but these facts of chat models, and write the table."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = _downloaded(Path(folder))
        with zipfile.ZipFile(wheel) as archive:
            entries = json.loads(archive.read(MEMBER))
    version = wheel.name.split("-")[1]
    facts = {"windows": windows_of(entries), "vision": vision_of(entries), "prices": prices_of(entries)}
    table = {"generated": date.today().isoformat(), "source": f"{PACKAGE} {version}", **facts}
    TABLE.write_text(_written(table), "utf-8")
    told = ", ".join(f"{len(by_name)} entries of {name}" for name, by_name in facts.items())
    print(f"{shown(TABLE)}: {told}, from {PACKAGE} {version}")
    return True


def windows_of(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """Where providers give one model different windows, the maker's own is believed; otherwise the most frequent, and
    of equally frequent ones the smallest.
    """
    return by_family(
        {
            name: claims.makers or max(claims.votes, key=lambda size: (claims.votes[size], -size))
            for name, claims in _claims(entries, _window_in).items()
        }
    )


def vision_of(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, bool]:
    """The maker is believed, otherwise the majority; but what one provider alone denies may lack in its service only.

    A model that is wrongly held for blind is never shown an image, while one that is not listed is shown it and may
    refuse. So a missing entry is the smaller mistake, and one that says nothing of images tells nothing.
    """
    facts: dict[str, bool] = {}
    for name, claims in _claims(entries, _vision_in).items():
        yes, no = claims.votes[True], claims.votes[False]
        if claims.makers is not None:
            facts[name] = claims.makers
        elif yes >= no or no > 1:
            facts[name] = yes >= no
    return by_family(facts)


def prices_of(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, Prices]:
    """The makers' own: what others take for a model is theirs."""
    told = _claims(entries, _price_in).items()
    return by_family({name: claims.makers for name, claims in told if claims.makers is not None})


def by_family(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Without the names whose fact follows from a shorter one."""
    families: dict[str, Fact] = {}
    for name in sorted(facts, key=lambda name: (name.count("-"), name)):
        if look_up(name, families) != facts[name]:
            families[name] = facts[name]
    return dict(sorted(families.items()))


@dataclass
class _Claims(Generic[Fact]):
    """What is told of one model: by how many providers, and by its maker."""

    votes: Counter[Fact]
    makers: Fact | None = None
    is_sure: bool = False
    """The maker's own service tells it, not the name of the entry alone."""


def _claims(
    entries: Mapping[str, Mapping[str, Any]], read: Callable[[Mapping[str, Any]], Fact | None]
) -> dict[str, _Claims[Fact]]:
    """By normal name."""
    claims: dict[str, _Claims[Fact]] = {}
    for key, entry in sorted(entries.items()):
        fact = read(entry)
        if entry.get("mode") not in KINDS or fact is None:
            continue
        of_model = claims.setdefault(normal_name(key), _Claims(Counter()))
        of_model.votes[fact] += 1
        by_maker = entry.get("litellm_provider") in MAKERS
        if by_maker or (not of_model.is_sure and "/" not in key):
            of_model.makers, of_model.is_sure = fact, by_maker
    return claims


def _window_in(entry: Mapping[str, Any]) -> int | None:
    window = entry.get("max_input_tokens")
    return window if isinstance(window, int) and window > 0 else None


def _price_in(entry: Mapping[str, Any]) -> Prices | None:
    """Dollars for a million tokens: of the input, of its cached part, of the output."""
    given, written = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
    if not isinstance(given, (int, float)) or not isinstance(written, (int, float)) or not given + written:
        return None
    cached = entry.get("cache_read_input_token_cost")
    costs = (given, cached if isinstance(cached, (int, float)) else given, written)
    fresh, read, out = (round(cost * 1_000_000, 6) for cost in costs)
    return fresh, read, out


def _written(table: Mapping[str, Any]) -> str:
    """JSON with each entry on a line of its own."""
    text = json.dumps(table, indent=0, sort_keys=True)
    return re.sub(r"\[\n([^\]]*)\n\]", lambda found: f"[{found[1].replace(chr(10), ' ')}]", text) + "\n"


def _vision_in(entry: Mapping[str, Any]) -> bool | None:
    vision = entry.get("supports_vision")
    return vision if isinstance(vision, bool) else None


def _downloaded(folder: Path) -> Path:
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        PACKAGE,
    ]
    if subprocess.run(command, cwd=folder, check=False).returncode:
        raise SetUpFailed(
            f"{PACKAGE} could not be downloaded (the reason is above). Run the same command again."
        )
    return next(folder.glob("*.whl"))
