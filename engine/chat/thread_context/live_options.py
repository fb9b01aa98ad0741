"""The settings in effect: those of the environment, and the changes by `/config`."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.messages import UIMessage, user_count
from ...context.budget import Budget, reply_reserve
from ...context.frame import SystemForm, system_form
from ...llm.provider import Provider
from ...settings.options import Options, OptionValue
from ...settings.settings import Settings
from ...store.settings_file import SettingsStore
from ..calls.limits import Limits


class LiveOptions:
    """The options in effect. Those saved in the panel win over the environment from the next message on."""

    def __init__(self, saved_settings: SettingsStore, settings: Settings) -> None:
        self._saved_settings = saved_settings
        self._settings = settings

    @property
    def initial(self) -> Options:
        """The options without saved ones."""
        return self._settings.options

    async def current(self) -> Options:
        return self.initial.merge((await self._saved_settings.load()).config)

    async def change(self, name: str, value: OptionValue) -> Options:
        """Save one setting, or remove it if `value` is None; return the options then in effect.

        Raises:
            StoreError: `not_saved`.
        """
        saved = await self._saved_settings.change(lambda saved: saved.with_setting(name, value))
        return self.initial.merge(saved.config)

    async def budget(self, provider: Provider) -> Budget:
        """Return the limits of a request to this provider."""
        live = await self.current()
        return Budget(
            window=provider.window,
            reserve=reply_reserve(provider.window),
            working=live.working_set_tokens,
            max_messages=self._settings.history_max_messages,
            max_turns=live.max_context_turns,
            keep_rounds=self._settings.tool_result_keep_last_rounds,
            auto_compact=live.auto_compact,
        )

    async def limits(self) -> Limits:
        """Return the limits at which a turn stops to ask the user."""
        live = await self.current()
        return Limits(live.max_steps, minutes=live.max_minutes)

    def system_form(self, provider: Provider, *, is_first_turn: bool) -> SystemForm:
        return system_form(
            self._settings.system_message_mode,
            window=provider.window,
            is_slim=provider.is_slim,
            is_first_turn=is_first_turn,
        )

    def next_form(self, conversation: Sequence[UIMessage], provider: Provider) -> SystemForm:
        """Return the form of the system message for the next request of a conversation."""
        return self.system_form(provider, is_first_turn=user_count(conversation) == 1)
