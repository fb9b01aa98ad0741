"""Model files that installed templates name, with folder and source: alternatives for a missing one."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ..templates import TemplateLibrary, UnreadableTemplate, read_workflow
from ..workflow_needs import NeededModel, base_name, needs_of

_PRECISION = re.compile(
    r"(?:[-_. ]|^)(?:fp(?:4|8|16|32)|bf16|int[48]|nf4|mxfp[48]|nvfp4|e4m3fn|e5m2|scaled|mixed|fast|pruned|"
    r"ema(?:only)?|q[2-8](?:_[0-9k](?:_[sml])?)?|f16|f32)(?=[-_. ]|$)"
)


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
            found += needs_of(read_workflow(template)).models
    return KnownModels.build(found)
