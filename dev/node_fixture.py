"""Records the node types of a ComfyUI for tests: what they are called, take and give, without the texts about them."""

from __future__ import annotations

import contextlib
import json
import tempfile
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dev.comfyui_process import running_comfyui
from dev.component import ensure
from dev.needs import HOST_NEEDS
from dev.places import ROOT

FILE = ROOT / "tests" / "fixtures" / "newest_nodes.json"
_KEPT = (
    "output",
    "output_name",
    "output_is_list",
    "output_matchtypes",
    "display_name",
    "category",
    "python_module",
    "search_aliases",
    "output_node",
    "deprecated",
    "experimental",
    "api_node",
)
_LEFT_OUT = frozenset(
    {
        "tooltip",
        "placeholder",
        "display_name",
        "label_on",
        "label_off",
        "advanced",
        "round",
        "dynamicPrompts",
        "socketless",
    }
)
_MOST_CHOICES = 25
"""One more than getNodeInfo tells whole, so that a longer list still is a long one."""
_LONGEST_DEFAULT = 40


def record_nodes() -> bool:
    ensure(*HOST_NEEDS)
    with (
        tempfile.TemporaryDirectory() as base,
        running_comfyui(Path(base), extension=None, has_api_nodes=True) as comfyui,
    ):
        answer = urllib.request.urlopen(f"{comfyui.url}/object_info", timeout=60)
        definitions = json.loads(answer.read())
    FILE.write_text(as_lines(definitions), "utf-8")
    print(f"{len(definitions)} node types, {FILE.stat().st_size / 1_000:.0f} kB: {FILE.relative_to(ROOT)}")
    return True


def as_lines(definitions: Mapping[str, Mapping[str, Any]]) -> str:
    """One line for each node type, so that a difference is told by line."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(without_texts(info), separators=(',', ':'))}"
        for name, info in sorted(definitions.items())
    ]
    return "{{\n{}\n}}\n".format(",\n".join(lines))


def without_texts(info: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of /object_info with what is read of it: no descriptions, long lists cut."""
    kept = {key: info[key] for key in _KEPT if info.get(key)}
    kept = {"input": _sections(info.get("input") or {}), **kept}
    if not any(kept.get("output_is_list", ())):
        kept.pop("output_is_list", None)
    if kept.get("output_name") == kept.get("output"):
        kept.pop("output_name", None)
    if badge := info.get("price_badge"):
        kept["price_badge"] = _price(badge)
    return kept


def _sections(sections: Mapping[str, Any]) -> dict[str, Any]:
    return {
        section: {name: _spec(spec) for name, spec in inputs.items()}
        for section, inputs in sections.items()
        if section != "hidden" and inputs
    }


def _spec(spec: list[Any]) -> list[Any]:
    kind, *more = spec
    options = _options(more[0]) if more and isinstance(more[0], Mapping) else {}
    kind = kind[:_MOST_CHOICES] if isinstance(kind, list) else kind
    return [kind, options] if options else [kind]


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    kept = {
        key: value for key, value in options.items() if key not in _LEFT_OUT and _says_something(key, value)
    }
    if isinstance(given := options.get("options"), list):
        kept["options"] = [
            {"key": one["key"], "inputs": _sections(one["inputs"])} if isinstance(one, Mapping) else one
            for one in given[:_MOST_CHOICES]
        ]
    if isinstance(template := options.get("template"), Mapping) and "input" in template:
        kept["template"] = {**template, "input": _sections(template["input"])}
    return kept


def _says_something(key: str, value: Any) -> bool:
    if key == "display":
        return value == "color"
    if key != "default":
        return value is not None and value is not False
    return isinstance(value, (str, int, float)) and 0 < len(str(value)) <= _LONGEST_DEFAULT


def _price(badge: Mapping[str, Any]) -> dict[str, Any]:
    """What it depends on, and the price itself where it is one: the others are programs."""
    widgets = [{"name": one["name"]} for one in badge["depends_on"]["widgets"]]
    kept: dict[str, Any] = {"depends_on": {"widgets": widgets}}
    with contextlib.suppress(ValueError):
        kept["expr"] = json.dumps(json.loads(badge.get("expr", "")))
    return kept
