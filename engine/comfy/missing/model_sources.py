"""Sources of model files: in a workflow's notes, where most authors name them, and in installed templates."""

from __future__ import annotations

import contextlib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote, urlsplit

from ..templates import TemplateLibrary, UnreadableTemplate, read_workflow
from ..workflow_needs import NeededModel, base_name, find_needs, is_model_file, list_nodes, type_of

_NOTES = frozenset({"Note", "MarkdownNote"})
_ADDRESS = re.compile(r"https://[^\s<>()\[\]\"'`|]+")
_AFTER_AN_ADDRESS = ".,;:!?}*_"

_PRECISION = re.compile(
    r"(?:[-_. ]|^)(?:fp(?:4|8|16|32)|bf16|int[48]|nf4|mxfp[48]|nvfp4|e4m3fn|e5m2|scaled|mixed|fast|pruned|"
    r"ema(?:only)?|q[2-8](?:_[0-9k](?:_[sml])?)?|f16|f32)(?=[-_. ]|$)"
)


def sources_in_notes(workflow: Mapping[str, Any]) -> dict[str, str]:
    """Return the first URL of each model file in the notes, by file name."""
    found: dict[str, str] = {}
    for text in _notes(workflow):
        for address in _ADDRESS.findall(text):
            clean = address.rstrip(_AFTER_AN_ADDRESS)
            try:
                name = posixpath.basename(unquote(urlsplit(clean).path))
            except ValueError:
                continue
            if is_model_file(name):
                found.setdefault(name, clean)
    return found


def _notes(workflow: Mapping[str, Any]) -> Iterator[str]:
    for node in list_nodes(workflow):
        values = node.get("widgets_values")
        if type_of(node) in _NOTES and isinstance(values, list):
            yield from (value for value in values if isinstance(value, str))


@dataclass(frozen=True)
class KnownModels:
    """Model files by name."""

    by_name: Mapping[str, NeededModel]

    @classmethod
    def build(cls, models: Iterable[NeededModel]) -> KnownModels:
        by_name: dict[str, NeededModel] = {}
        for model in models:
            name = base_name(model.name)
            if model.url and (name not in by_name or (model.sha256 and not by_name[name].sha256)):
                by_name[name] = replace(model, name=name)
        return cls(by_name)

    def add_source(self, model: NeededModel) -> NeededModel:
        """Return the model with a template's source, where the workflow names none or the same."""
        known = self.by_name.get(base_name(model.name))
        if known is None or (model.url and model.url != known.url):
            return model
        return NeededModel(model.name, model.folder or known.folder, known.url, model.sha256 or known.sha256)

    def variants(self, model: NeededModel) -> list[NeededModel]:
        """Return the same model in other precisions, for the same folder."""
        stem = family(model.name)
        return [
            known
            for name, known in self.by_name.items()
            if name != base_name(model.name)
            and family(name) == stem
            and (not model.folder or known.folder == model.folder)
        ]


def family(name: str) -> str:
    """Return the name of a file without its precision."""
    stem = base_name(name).rpartition(".")[0].lower()
    return re.sub(r"[-_. ]+", "-", _PRECISION.sub("", stem)).strip("-")


def models_of_templates(library: TemplateLibrary) -> KnownModels:
    """Collect the models of all templates. Blocks: it reads every template."""
    found: list[NeededModel] = []
    for template in library.templates:
        with contextlib.suppress(UnreadableTemplate):
            found += find_needs(read_workflow(template)).models
    return KnownModels.build(found)
