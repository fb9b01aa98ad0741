"""A preview of what models read of the user: in the system message of a new chat, and with each message."""

from __future__ import annotations

from typing import Any

from ..base.errors import ProviderError
from ..context.frame import SystemRoom
from ..context.reminder import reminder
from ..context.tokens import count_text
from ..llm.provider import ProviderDirectory
from .thread_context.live_options import LiveOptions
from .thread_context.words import PromptSource


class PromptPreview:
    """A preview of what models read of the user."""

    def __init__(self, words: PromptSource, providers: ProviderDirectory, live_options: LiveOptions) -> None:
        self._words = words
        self._providers = providers
        self._live_options = live_options

    async def build(self) -> dict[str, Any]:
        """Return the body of GET /api/assistant/you (docs/api.md); without a model, for one with a large window."""
        form, room, window = "full", SystemRoom(), None
        try:
            provider = await self._providers.current()
        except ProviderError:
            provider = None
        if provider is not None:
            form = self._live_options.system_form(provider, is_first_turn=True)
            budget = await self._live_options.budget(provider)
            is_known = provider.window_source != "unknown"
            room, window = SystemRoom.of(budget.effective_working, is_window_known=is_known), provider.window
        message, user = await self._words.system_message(form, room), await self._words.user()
        is_slim = form == "slim"
        recited = reminder(
            goals="" if is_slim else user.goals,
            persona="" if is_slim else user.soul,
            reminders=user.reminders,
            has_user_skill_tool=not is_slim,
        )
        return {
            "form": form,
            "window": window,
            "system": {"text": message.of_user, "tokens": count_text(message.of_user)},
            "reminder": {"text": recited, "tokens": count_text(recited)},
            "systemTokens": count_text(message.text),
            "leftOut": [entry.as_json() for entry in message.left_out],
        }
