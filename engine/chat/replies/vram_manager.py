"""Graphics memory for a render: the language model is unloaded before a run and loaded again after it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from ...base.events import Notice, ReplyEvent
from ...comfy.host import GraphicsMemory
from ...llm.endpoint import Endpoint
from ...llm.known import model_memory
from ...llm.known.model_memory import LoadedModel
from ...llm.replies.reply_filter import ReplyFilter
from ...settings.options import Options

ENOUGH = 0.25
"""The share of graphics memory up to which other programs leave a render enough room."""

HELD = 0.5
"""The share of graphics memory held by ComfyUI above which a language model may not fit beside it."""

STAYS = 60.0
"""The seconds after a reply in which a model counts as loaded; servers keep it for minutes (Ollama: five)."""

WhyNot = Literal["off", "elsewhere", "enough", "not-held", "in-use", "refused"]


@dataclass
class _Unloaded:
    """An unloaded model, and the runs for which it was unloaded."""

    endpoint: Endpoint
    model: LoadedModel
    runs: set[str] = field(default_factory=set)


class VramManager:
    """Unloads and loads the models of all chats. An unloaded model is loaded before a request, whatever still runs."""

    def __init__(
        self,
        options: Callable[[], Awaitable[Options]],
        memory: Callable[[], GraphicsMemory | None],
        *,
        is_in_use: Callable[[Endpoint, str | None], bool],
    ) -> None:
        self._options = options
        self._memory = memory
        self._is_in_use = is_in_use
        self._unloaded: dict[tuple[str, str], _Unloaded] = {}
        self._loading: dict[tuple[str, str], asyncio.Task[bool]] = {}
        self._replied: dict[tuple[str, str], float] = {}
        self._changing = asyncio.Lock()

    async def unload_for(
        self, endpoint: Endpoint, run: str, thread_id: str | None = None, *, always: bool = False
    ) -> LoadedModel | WhyNot:
        """Unload the endpoint's model for the run of this name; return the model, or why it stays.

        `thread_id` is the chat that waits for the run: the model stays if it answers in another one. `always` is set if
        the user asks for it, whatever the settings and the free memory are.
        """
        if not always and not (await self._options()).make_room:
            return "off"
        if not endpoint.is_local:
            return "elsewhere"
        async with self._changing:
            if task := self._loading.get(_key(endpoint)):
                await asyncio.shield(task)
            if unloaded := self._unloaded.get(_key(endpoint)):
                unloaded.runs.add(run)
                return unloaded.model
            if not always and not await asyncio.to_thread(self._is_short):
                return "enough"
            if self._is_in_use(endpoint, thread_id):
                return "in-use"
            model = await model_memory.loaded_model(endpoint)
            if model is None or not model.takes_memory:
                return "not-held"
            if not await model_memory.unload(endpoint, model):
                return "refused"
            self._unloaded[_key(endpoint)] = _Unloaded(endpoint, model, {run})
            self._replied.pop(_key(endpoint), None)
            return model

    def end_run(self, run: str) -> None:
        """End a run: load each model that no other run needs unloaded, without waiting for it."""
        for key, unloaded in [*self._unloaded.items()]:
            unloaded.runs.discard(run)
            if not unloaded.runs:
                self._load(key)

    async def ensure_loaded(self, endpoint: Endpoint) -> None:
        """Load the endpoint's model if it is unloaded, and wait for that."""
        key = _key(endpoint)
        if key in self._unloaded:
            self._load(key)
        if task := self._loading.get(key):
            await asyncio.shield(task)

    async def memory_notice(self, endpoint: Endpoint) -> Notice | None:
        """Return a notice if the models of renders fill the graphics memory that the endpoint's model needs now."""
        replied = self._replied.get(_key(endpoint), float("-inf"))
        if not endpoint.is_local or time.monotonic() - replied < STAYS:
            return None
        memory = await asyncio.to_thread(self._memory)
        if (
            memory is None
            or memory.own <= HELD * memory.total
            or not await model_memory.has_to_load(endpoint)
        ):
            return None
        held, total = (f"{size / 1024**3:.1f}" for size in (memory.own, memory.total))
        return Notice(
            "renders-hold-memory",
            f"{endpoint.model} is being loaded, while ComfyUI holds {held} of the {total} GB of graphics memory.",
        )

    def note_reply(self, endpoint: Endpoint) -> None:
        """Note that the model answered just now, so it is loaded."""
        self._replied[_key(endpoint)] = time.monotonic()

    def _load(self, key: tuple[str, str]) -> None:
        unloaded = self._unloaded.pop(key)
        task = asyncio.create_task(model_memory.load_again(unloaded.endpoint, unloaded.model))
        self._loading[key] = task
        task.add_done_callback(lambda _: self._loading.pop(key, None))

    def _is_short(self) -> bool:
        memory = self._memory()
        return memory is not None and memory.others > ENOUGH * memory.total


def _key(endpoint: Endpoint) -> tuple[str, str]:
    return endpoint.base_url, endpoint.model


@dataclass
class ModelLoader(ReplyFilter):
    """Loads a model before it is asked, and tells the user if it may not fit."""

    vram_manager: VramManager
    endpoint: Endpoint

    async def before(self) -> Iterable[ReplyEvent]:
        notice = await self.vram_manager.memory_notice(self.endpoint)
        await self.vram_manager.ensure_loaded(self.endpoint)
        return () if notice is None else (notice,)

    def feed(self, event: ReplyEvent) -> Iterable[ReplyEvent]:
        self.vram_manager.note_reply(self.endpoint)
        return (event,)
