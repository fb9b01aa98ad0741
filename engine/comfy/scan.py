"""The scan of the environment: off the event loop, in small slices, and cached until something changes."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..base.event_loop.timeout import timeout
from .help_pages import HelpPages
from .host import ComfyHost
from .load_failures import LoadFailure
from .node_definition import NodeDefinition, TakenObject, read_node_definition
from .node_input import ChoiceLists
from .search import NodeIndex
from .snapshot import Environment

logger = logging.getLogger(__name__)

_SLICE_SECONDS = 0.002
_REST_SECONDS = 0.002
_PATIENCE_SECONDS = 30.0


class ScanUnfinished(Exception):
    """The error that a package takes too long to build a node definition; the scan goes on in the background."""

    def __init__(self, node_type: str, seconds: float) -> None:
        super().__init__(f'After {seconds:.0f} s ComfyUI is still describing the node type "{node_type}".')
        self.hint = "Try again in a moment; if this lasts, that node's package is at fault."


class Slices:
    """Cuts a worker thread's work into slices.

    Python code in a thread holds the interpreter's lock for up to 5 ms at a time; a short sleep after each
    slice hands it to the event loop before the loop has to fight for it.
    """

    def __init__(self, sleep: Callable[[float], None]) -> None:
        self._sleep = sleep
        self._slice_began = time.perf_counter()

    def yield_gil(self) -> None:
        if time.perf_counter() - self._slice_began >= _SLICE_SECONDS:
            self._sleep(_REST_SECONDS)
            self._slice_began = time.perf_counter()


@dataclass(frozen=True)
class _Version:
    """The inputs of a scan: equal as long as a new scan would read the same."""

    nodes: Hashable
    models: Hashable
    inputs: Hashable
    page_types: tuple[NodeDefinition, ...] = ()


_NEVER = _Version(nodes=None, models=None, inputs=None)


class EnvironmentScanner:
    """Provides the current `Environment`. Concurrent callers share one scan, and a caller that leaves stops nothing."""

    def __init__(
        self,
        host: ComfyHost,
        *,
        patience_seconds: float = _PATIENCE_SECONDS,
        on_scanned: Callable[[Environment], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Create a scanner; `on_scanned` is called in the worker thread after each scan that read something new."""
        self._host = host
        self._on_scanned = on_scanned
        self._sleep = sleep
        self._patience_seconds = patience_seconds
        self._latest: tuple[_Version, Environment] | None = None
        self._task: asyncio.Task[Environment] | None = None
        self._current_type = ""
        self._page_types: tuple[NodeDefinition, ...] = ()

    def set_page_types(self, definitions: tuple[NodeDefinition, ...]) -> None:
        """Take over the node types that a page posted; the next snapshot has them."""
        self._page_types = definitions

    async def snapshot(self) -> Environment:
        """Return the current environment, scanning where there is none yet or something changed.

        A scan that takes longer than `patience_seconds` goes on, and the last known environment is returned.

        Raises:
            ScanUnfinished: the first scan took longer than that.
        """
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(asyncio.to_thread(self._refresh))
        try:
            return await timeout(self._patience_seconds, asyncio.shield(self._task))
        except asyncio.TimeoutError:
            if self._latest is None:
                raise ScanUnfinished(self._current_type, self._patience_seconds) from None
            return self._latest[1]

    async def rescan(self) -> tuple[Environment | None, Environment]:
        """Return the environment known so far, if any, and that of a new scan, even if nothing seems changed."""
        previous = self._latest
        if previous is not None:
            await self._wait_for_task()
            self._latest = (_NEVER, previous[1])
        return previous and previous[1], await self.snapshot()

    def model_size(self, folder: str, file: str) -> int | None:
        """Return the size of a model file in bytes; None where it is unknown. Blocks."""
        path = self.model_path(folder, file)
        try:
            return path and os.stat(path).st_size
        except OSError:
            return None

    def model_path(self, folder: str, file: str) -> Path | None:
        """Return the path of an installed model file; None where there is none. Blocks."""
        try:
            paths = [place / file for place in self._host.model_places(folder)]
            return next((path for path in paths if path.is_file()), None)
        except Exception as error:
            logger.debug("a file in %s cannot be found (%s)", folder, type(error).__name__)
            return None

    async def _wait_for_task(self) -> None:
        if self._task is not None and not self._task.done():
            await asyncio.wait([self._task], timeout=self._patience_seconds)

    def _refresh(self) -> Environment:
        slices = Slices(self._sleep)
        models = self._models(slices)
        version = _Version(
            nodes=self._host.node_classes_version(),
            models=tuple(models.items()),
            inputs=self._host.input_files_version(),
            page_types=self._page_types,
        )
        if self._latest is not None and self._latest[0] == version:
            return self._latest[1]
        if self._latest is not None and replace(self._latest[0], page_types=version.page_types) == version:
            environment = _with_page_types(self._latest[1], version.page_types, slices)
            self._latest = (version, environment)
            return environment
        environment = self._scan(models, version.page_types, slices)
        self._latest = (version, environment)
        self._tell(environment)
        return environment

    def _tell(self, environment: Environment) -> None:
        if self._on_scanned is None:
            return
        try:
            self._on_scanned(environment)
        except Exception:
            logger.warning("the environment's summary could not be kept", exc_info=True)

    def _models(self, slices: Slices) -> dict[str, tuple[str, ...]]:
        models = {}
        for folder in sorted(self._host.model_folders()):
            try:
                models[folder] = tuple(str(name) for name in self._host.model_files(folder))
            except Exception as error:
                logger.warning("model folder %s cannot be listed (%s)", folder, type(error).__name__)
                models[folder] = ()
            slices.yield_gil()
        return models

    def _help_pages(self) -> HelpPages:
        try:
            return HelpPages.in_folders(self._host.help_folders())
        except Exception as error:
            logger.warning("help pages of nodes cannot be found (%s)", type(error).__name__)
            return HelpPages()

    def _scan(
        self, models: dict[str, tuple[str, ...]], page_types: tuple[NodeDefinition, ...], slices: Slices
    ) -> Environment:
        began = time.perf_counter()
        nodes: dict[str, NodeDefinition] = {}
        unreadable: list[str] = []
        choice_lists: ChoiceLists = {}
        for node_type in self._host.node_types():
            self._current_type = node_type
            try:
                nodes[node_type] = read_node_definition(
                    node_type, self._host.node_info(node_type), choice_lists=choice_lists
                )
            except (Exception, SystemExit) as error:
                logger.debug("node type %s cannot be described", node_type, exc_info=error)
                unreadable.append(node_type)
            slices.yield_gil()
        help_pages = self._help_pages()
        slices.yield_gil()
        page_nodes = _page_nodes(page_types, nodes)
        replaced_by = self._replaced_by(nodes)
        index = _index(nodes, page_nodes, help_pages, replaced_by, slices)
        logger.info(
            "environment: %d node types (%d unreadable), %d model folders, read in %.0f ms",
            len(nodes),
            len(unreadable),
            len(models),
            (time.perf_counter() - began) * 1_000,
        )
        return Environment.build(
            nodes,
            models,
            packages=tuple(self._host.packages()),
            unreadable=tuple(unreadable),
            help_pages=help_pages,
            index=index,
            load_failures=self._load_failures(nodes),
            page_nodes=page_nodes,
            taken_objects=_taken_objects(page_types),
            replaced_by=replaced_by,
        )

    def _replaced_by(self, nodes: Container[str]) -> Mapping[str, str]:
        try:
            return read_replacements(self._host.node_replacements(), nodes)
        except Exception as error:
            logger.warning("ComfyUI does not tell what replaces node types (%s)", type(error).__name__)
            return {}

    def _load_failures(self, nodes: Container[str]) -> tuple[LoadFailure, ...]:
        """Return the failures without the types that came another way, as from a second copy of a package."""
        try:
            failures = self._host.load_failures()
        except Exception as error:
            logger.warning("modules that did not load cannot be found (%s)", type(error).__name__)
            return ()
        return tuple(
            replace(failure, types=tuple(name for name in failure.types if name not in nodes))
            for failure in failures
        )


def _with_page_types(
    environment: Environment, page_types: tuple[NodeDefinition, ...], slices: Slices
) -> Environment:
    page_nodes = _page_nodes(page_types, environment.nodes)
    index = _index(environment.nodes, page_nodes, environment.help_pages, environment.replaced_by, slices)
    return replace(environment, page_nodes=page_nodes, index=index, taken_objects=_taken_objects(page_types))


def _page_nodes(
    page_types: tuple[NodeDefinition, ...], nodes: Container[str]
) -> Mapping[str, NodeDefinition]:
    return MappingProxyType({node.type: node for node in page_types if node.type not in nodes})


def _taken_objects(page_types: tuple[NodeDefinition, ...]) -> Mapping[str, TakenObject]:
    return MappingProxyType({node.type: node.taken_object for node in page_types if node.taken_object})


def _index(
    nodes: Mapping[str, NodeDefinition],
    page_nodes: Mapping[str, NodeDefinition],
    help_pages: HelpPages,
    replaced_by: Mapping[str, str],
    slices: Slices,
) -> NodeIndex:
    return NodeIndex.build(
        [*nodes.values(), *page_nodes.values()],
        help_text=help_pages.first_paragraph,
        replaced_by=replaced_by,
        yield_gil=slices.yield_gil,
    )


def read_replacements(listed: Mapping[str, Any], installed: Container[str]) -> dict[str, str]:
    """Return by old type the first installed type that replaces it; packages may list anything."""
    found: dict[str, str] = {}
    for old, entries in listed.items():
        for entry in entries if isinstance(entries, Sequence) else ():
            new = entry.get("new_node_id") if isinstance(entry, Mapping) else None
            if isinstance(new, str) and new in installed and new != old:
                found.setdefault(old, new)
    return found
