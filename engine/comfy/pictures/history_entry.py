"""The ingredients of a run, which are the texts, seeds and models of its prompt, and its files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...base.text.clip import clip_words
from ...base.text.portable_text import valid_unicode

_TEXTS = frozenset(
    {"text", "prompt", "positive", "negative", "text_g", "text_l", "clip_l", "t5xxl", "string", "caption"}
)
_SEEDS = frozenset({"seed", "noise_seed"})
_MODEL_ENDINGS = (".safetensors", ".ckpt", ".sft", ".gguf", ".pt", ".pth", ".bin")
_LONGEST_TEXT = 2_000
_MOST_OF_A_KIND = 12
_MOST_FILES = 40
_LONGEST_WORKFLOW = 1_000_000


@dataclass(frozen=True)
class PromptFacts:
    """The texts, seeds and models in a prompt of ComfyUI's API form, at most twelve of each."""

    texts: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    models: tuple[str, ...] = ()

    def is_within(self, others: PromptFacts) -> bool:
        """Return whether all these facts are among the others."""
        return (
            set(self.texts) <= set(others.texts)
            and set(self.seeds) <= set(others.seeds)
            and set(self.models) <= set(others.models)
        )


@dataclass(frozen=True)
class HistoryEntry:
    """A run. `files` are `{filename, subfolder, type}`; `workflow` is JSON as ComfyUI's page saves it, or ""."""

    prompt_id: str
    texts: tuple[str, ...]
    seeds: tuple[int, ...]
    models: tuple[str, ...]
    files: tuple[Mapping[str, str], ...]
    workflow: str = ""


def history_entry(prompt_id: str, record: Mapping[str, Any]) -> HistoryEntry | None:
    """Read ComfyUI's history record of a run; None where the run failed or left no file.

    Such a record holds the whole prompt; nodes that did not lead to a file do not count.
    """
    status = record.get("status")
    if isinstance(status, Mapping) and status.get("status_str") not in (None, "success"):
        return None
    by_node = _files(record.get("outputs"))
    files = _saved_first(by_node)[:_MOST_FILES]
    prompt = record.get("prompt")
    if not files or not isinstance(prompt, (list, tuple)) or len(prompt) < 4:
        return None
    facts = prompt_facts(_leading_to(by_node, prompt[2]))
    return HistoryEntry(prompt_id, facts.texts, facts.seeds, facts.models, files, _workflow(prompt[3]))


def prompt_facts(prompt: Any) -> PromptFacts:
    texts: dict[str, None] = {}
    seeds: dict[int, None] = {}
    models: dict[str, None] = {}
    for name, value in _values(prompt):
        if name in _SEEDS and isinstance(value, int) and not isinstance(value, bool):
            seeds[value] = None
        elif isinstance(value, str) and value.casefold().endswith(_MODEL_ENDINGS):
            models[valid_unicode(value)] = None
        elif isinstance(value, str) and name in _TEXTS and value.strip():
            texts[clip_words(valid_unicode(value.strip()), _LONGEST_TEXT)] = None
    return PromptFacts(
        tuple(texts)[:_MOST_OF_A_KIND], tuple(seeds)[:_MOST_OF_A_KIND], tuple(models)[:_MOST_OF_A_KIND]
    )


def _values(prompt: Any) -> Iterator[tuple[str, Any]]:
    for node in prompt.values() if isinstance(prompt, Mapping) else ():
        inputs = node.get("inputs") if isinstance(node, Mapping) else None
        if isinstance(inputs, Mapping):
            yield from inputs.items()


def _leading_to(ids: Iterable[str], prompt: Any) -> Any:
    """Return the nodes of a prompt that the nodes `ids` depend on; all where the prompt has none of `ids`."""
    if not isinstance(prompt, Mapping) or not (waiting := [node for node in ids if node in prompt]):
        return prompt
    found: dict[str, Any] = {}
    while waiting:
        if (node := waiting.pop()) not in found and node in prompt:
            found[node] = prompt[node]
            waiting += [
                str(value[0])
                for _, value in _values({node: prompt[node]})
                if isinstance(value, (list, tuple)) and len(value) == 2
            ]
    return {node: prompt[node] for node in prompt if node in found}


def _files(outputs: Any) -> dict[str, list[Mapping[str, str]]]:
    """Return the files by the id of the node that left them."""
    found: dict[str, list[Mapping[str, str]]] = {
        str(node): [
            {name: valid_unicode(str(entry.get(name) or "")) for name in ("filename", "subfolder", "type")}
            for entries in (output.values() if isinstance(output, Mapping) else ())
            for entry in (entries if isinstance(entries, (list, tuple)) else ())
            if isinstance(entry, Mapping) and isinstance(entry.get("filename"), str)
        ]
        for node, output in (outputs.items() if isinstance(outputs, Mapping) else ())
    }
    return {node: files for node, files in found.items() if files}


def _saved_first(by_node: Mapping[str, list[Mapping[str, str]]]) -> tuple[Mapping[str, str], ...]:
    files = [file for of_node in by_node.values() for file in of_node]
    return tuple(sorted(files, key=lambda file: file["type"] != "output"))


def _workflow(extra: Any) -> str:
    info = extra.get("extra_pnginfo") if isinstance(extra, Mapping) else None
    workflow = info.get("workflow") if isinstance(info, Mapping) else None
    text = json.dumps(workflow) if isinstance(workflow, Mapping) else ""
    return text if len(text) <= _LONGEST_WORKFLOW else ""
