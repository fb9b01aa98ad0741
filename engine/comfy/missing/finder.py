"""The search for what a workflow lacks: environment, templates and file sizes, read off the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..snapshot import Environment
from ..templates import TemplateLibrary
from .model_sources import KnownModels, models_of_templates
from .packages import outdated_packages
from .report import report

logger = logging.getLogger(__name__)


class EnvironmentSource(Protocol):
    async def snapshot(self) -> Environment: ...

    def model_size(self, folder: str, file: str) -> int | None: ...


class TemplateSource(Protocol):
    def library(self) -> TemplateLibrary: ...


class Machine(Protocol):
    """Blocking calls for worker threads; each may raise whatever ComfyUI raises."""

    def memory_bytes(self) -> int | None: ...

    def package_folders(self) -> Sequence[Path]: ...


class MissingFinder:
    def __init__(self, environment: EnvironmentSource, templates: TemplateSource, machine: Machine) -> None:
        self._environment = environment
        self._templates = templates
        self._machine = machine
        self._known: tuple[TemplateLibrary, KnownModels] | None = None

    async def find(self, workflow: Mapping[str, Any]) -> dict[str, Any]:
        environment = await self._environment.snapshot()
        return await asyncio.to_thread(self._find, workflow, environment)

    def _find(self, workflow: Mapping[str, Any], environment: Environment) -> dict[str, Any]:
        found = report(
            workflow, environment, self._models, memory=self._memory(), size_of=self._environment.model_size
        )
        older = outdated_packages(workflow, self._machine.package_folders())
        return {**found, **({"outdated": older} if older else {})}

    def _models(self) -> KnownModels:
        library = self._templates.library()
        if self._known is None or self._known[0] is not library:
            self._known = (library, models_of_templates(library))
        return self._known[1]

    def _memory(self) -> int | None:
        try:
            return self._machine.memory_bytes()
        except Exception as error:
            logger.debug("the device's memory cannot be told (%s)", type(error).__name__)
            return None
