"""What a model is told beside the conversation, as whoever knows the files and their sentences gives it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from ..context.frame import SystemForm
from ..messages import UIMessage


class UserWords(Protocol):
    """What the user wrote for all chats; empty where there is nothing."""

    @property
    def soul(self) -> str: ...

    @property
    def goals(self) -> str: ...


class Words(Protocol):
    async def system_message(self, form: SystemForm) -> str:
        """The system message in a form, as it is composed now; "" where the client posts its own."""
        ...

    async def user(self) -> UserWords: ...

    async def skills(
        self, conversation: Sequence[UIMessage], *, required: Collection[str] = ()
    ) -> dict[str, str]:
        """The texts of the skills that user messages activate by `/skill <name>`, as far as they are there.

        Raises:
            RequestError: `unknown_skill` (404), with the closest names, for one that is required.
        """
        ...
