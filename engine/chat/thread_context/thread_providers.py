"""The provider that answers in a thread: the chosen one, else that of its persona, else the default."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from ...base.errors import AssistantError, RequestError
from ...base.events import Notice
from ...llm.client import ChatClient
from ...llm.endpoint import Endpoint
from ...llm.provider import Provider, ProviderDirectory
from ...llm.provider_choices import FOUND_HERE, ProviderChoice, name_of, provider_named
from ...store.log.thread_reader import ChosenProvider
from ...store.saved_settings import origin
from ...store.threads import ThreadStore

_NO_ANSWER: Sequence[str] = ()
_MOST_THREADS = 1_000
NOTHING_CHOSEN = ChosenProvider()


@dataclass(frozen=True)
class ThreadProviders:
    """The providers of threads. `persona_choice` returns the provider and model of a persona, each "" if none."""

    threads: ThreadStore
    directory: ProviderDirectory
    client: ChatClient
    persona_choice: Callable[[str], Awaitable[tuple[str, str]]]
    _answering: dict[str, str] = field(default_factory=dict)
    """The provider that answered last in each thread since this process began."""
    _told: dict[str, str] = field(default_factory=dict)
    """The missing provider that each thread was last told of."""

    async def current(self, thread_id: str | None) -> Provider:
        """
        Raises:
            RequestError: `unknown_thread`.
            ProviderError: no model is set up.
        """
        return await self.for_choice(await self._chosen(thread_id))

    async def for_choice(self, chosen: ChosenProvider) -> Provider:
        """Return the provider of a thread with this choice.

        Raises:
            ProviderError: no model is set up.
        """
        provider_id, model = await self._resolve(chosen)
        return await self.directory.current(provider_id, model=model)

    async def status(self, thread_id: str) -> dict[str, Any]:
        """Return the provider's status for the panel; an unknown thread has the default provider."""
        chosen = NOTHING_CHOSEN
        with contextlib.suppress(AssistantError):
            chosen = await self._chosen(thread_id or None)
        provider_id, model = await self._resolve(chosen)
        return await self.directory.status(provider_id, model=model)

    async def for_turn(
        self, thread_id: str | None, chosen: ChosenProvider, *, answers_from: str = ""
    ) -> tuple[Provider, list[Notice]]:
        """Return the provider of a turn, with notices. If the chosen one was deleted, the default answers.

        `answers_from` is the origin that was sent the conversation so far; a notice tells of any other one.

        Raises:
            ProviderError: no model is set up.
        """
        provider, notices = await self._with_notices(thread_id, chosen)
        now = origin(provider.endpoint.base_url)
        if answers_from not in ("", now):
            message = f"This chat’s answers now come from {now}; everything above is sent there too."
            notices = [*notices, Notice("other-origin", message)]
        return provider, notices

    async def _with_notices(
        self, thread_id: str | None, chosen: ChosenProvider
    ) -> tuple[Provider, list[Notice]]:
        provider = await self.for_choice(chosen)
        if thread_id is None:
            return provider, []
        missing = await self._missing_persona_provider(thread_id, chosen, provider)
        before = chosen.id or self._answering.pop(thread_id, provider.id)
        _keep(self._answering, thread_id, provider.id)
        if before in (provider.id, FOUND_HERE) or await self._has(before):
            return provider, missing
        if chosen.id:
            await self.threads.choose_provider(thread_id, "", "")
        message = f"The provider of this chat was deleted. {provider.label} answers from here on."
        return provider, missing or [Notice("provider-gone", message)]

    async def _missing_persona_provider(
        self, thread_id: str, chosen: ChosenProvider, provider: Provider
    ) -> list[Notice]:
        """Return a notice if a persona asks for a missing provider, once for each of its names."""
        name, _ = await self._persona_choice(chosen)
        if not name or await self._provider_id(name):
            self._told.pop(thread_id, None)
            return []
        if self._told.get(thread_id) == name:
            return []
        _keep(self._told, thread_id, name)
        message = f"The persona of this chat asks for the provider “{name[:60]}”, which is not set up. "
        return [Notice("provider-gone", f"{message}{provider.label} answers.")]

    async def choose(self, thread_id: str, *, provider: str | None, model: str | None) -> None:
        """Choose the provider of a thread, or another model of it; "" is the default provider, or its own model.

        Raises:
            RequestError: `unknown_thread`, `not_found` or `unknown_model`.
        """
        chosen = await self.threads.provider(thread_id)
        provider_id, model_name = chosen.id, chosen.model
        if provider is not None:
            choices = await self.directory.choices()
            provider_id, model_name = provider_named(choices, provider).id if provider else "", ""
        if model is not None:
            provider_id, model_name = await self._find_model(provider_id, model)
        await self.threads.choose_provider(thread_id, provider_id, model_name)

    async def chosen(self, thread_id: str) -> dict[str, Any]:
        chosen = await self.threads.provider(thread_id)
        return {"provider": chosen.id, "model": chosen.model, "status": await self.status(thread_id)}

    async def _chosen(self, thread_id: str | None) -> ChosenProvider:
        return NOTHING_CHOSEN if thread_id is None else await self.threads.provider(thread_id)

    async def _resolve(self, chosen: ChosenProvider) -> tuple[str, str]:
        if chosen.id and not await self._has(chosen.id):
            return "", ""
        name, model = await self._persona_choice(chosen)
        if name:
            provider_id = await self._provider_id(name)
            return (provider_id, model) if provider_id else ("", "")
        return chosen.id, model or chosen.model

    async def _persona_choice(self, chosen: ChosenProvider) -> tuple[str, str]:
        """Return the provider and model of the persona, unless the user has chosen one for the thread."""
        if not chosen.persona or chosen.id or chosen.model:
            return "", ""
        return await self.persona_choice(chosen.persona)

    async def _provider_id(self, name: str) -> str:
        """Return the id of the provider with this name; "" if there is none, or more than one."""
        with contextlib.suppress(RequestError):
            return provider_named(await self.directory.choices(), name).id
        return ""

    async def _has(self, provider_id: str) -> bool:
        return any(choice.id == provider_id for choice in await self.directory.choices())

    async def _find_model(self, provider_id: str, words: str) -> tuple[str, str]:
        """Return the provider and model for typed words, looking first at the provider in use.

        If a server lists no models, the words are taken as the name.
        """
        if not words:
            return provider_id, ""
        choice = await self.directory.choice(provider_id)
        names = await self._names(choice)
        known = next((name for name in names if name.lower() == words.lower()), None)
        others = [each for each in await self.directory.choices() if each.model.lower() == words.lower()]
        if known is None and others:
            return others[0].id, ""
        like = [name for name in names if words.lower() in name.lower()]
        if known is None and len(like) == 1:
            known = like[0]
        if known is None and names:
            near = (like or get_close_matches(words, names, n=6, cutoff=0.3) or names)[:6]
            raise RequestError(
                "unknown_model",
                f'{name_of(choice)} lists no model "{words[:80]}".',
                hint=f"There are: {', '.join(near)}{' …' if len(names) > len(near) else ''}",
                status=404,
            )
        return provider_id, known or words

    async def _names(self, choice: ProviderChoice) -> Sequence[str]:
        if not choice.base_url:
            return _NO_ANSWER
        try:
            return await self.client.models(Endpoint.at(choice.base_url, choice.model, choice.key))
        except AssistantError:
            return _NO_ANSWER


def _keep(of_threads: dict[str, str], thread_id: str, value: str) -> None:
    """Store a value for a thread, and drop those of threads that are no longer in use."""
    of_threads[thread_id] = value
    while len(of_threads) > _MOST_THREADS:
        del of_threads[next(iter(of_threads))]
