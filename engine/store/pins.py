"""Goals and rules that a user pinned to a thread; the model reads them in every turn."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.errors import RequestError
from .database import Database
from .rows import require_thread, rows_of_thread, stored_text

if TYPE_CHECKING:
    from sqlalchemy import Connection

MAX_CHARACTERS = 2_000
"""The characters of all pins of a thread together, since every request carries them."""


@dataclass(frozen=True)
class Pin:
    id: str
    text: str

    def as_json(self) -> dict[str, str]:
        return {"id": self.id, "text": self.text}


class Pins:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, thread_id: str) -> list[Pin]:
        """Return the pins of a thread, oldest first.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(select_pins, thread_id)

    async def add(self, thread_id: str, text: str) -> Pin:
        """Pin a text, or return the pin that has the same text.

        Raises:
            RequestError: `unknown_thread`, `invalid_request` or `too_large`.
        """
        text = stored_text(text.strip())
        if not text:
            raise RequestError(
                "invalid_request", "The pin is empty; expected a goal or a rule.", hint='Send {"text": "…"}.'
            )

        return await self._database.run(_add, thread_id, text)

    async def remove(self, thread_id: str, pin_id: str) -> None:
        """Remove a pin.

        Raises:
            RequestError: `not_found`.
        """
        await self._database.delete(_remove, thread_id, pin_id)


def select_pins(connection: Connection, thread_id: str) -> list[Pin]:
    """Return the pins of a thread, oldest first.

    Raises:
        RequestError: `unknown_thread`.
    """
    from .schema import pin

    require_thread(connection, thread_id)
    rows = connection.execute(rows_of_thread(pin), {"of": thread_id})
    return [Pin(row.id, row.text) for row in rows]


def _add(connection: Connection, thread_id: str, text: str) -> Pin:
    from .schema import pin

    pins = select_pins(connection, thread_id)
    if same := next((one for one in pins if one.text == text), None):
        return same
    characters = sum(len(one.text) for one in pins)
    if characters + len(text) > MAX_CHARACTERS:
        raise _too_long(len(text), characters)
    new_pin = Pin(f"pin_{secrets.token_hex(8)}", text)
    connection.execute(
        pin.insert().values(thread_id=thread_id, id=new_pin.id, text=text, created_at=time.time())
    )
    return new_pin


def _remove(connection: Connection, thread_id: str, pin_id: str) -> None:
    from .schema import pin

    require_thread(connection, thread_id)
    deletion = connection.execute(pin.delete().where(pin.c.thread_id == thread_id, pin.c.id == pin_id))
    if not deletion.rowcount:
        raise RequestError(
            "not_found",
            f'The thread has no pin "{pin_id[:64]}"; it may have been removed already.',
            hint="/goals lists the pins of the chat.",
            status=404,
        )


def _too_long(length: int, characters: int) -> RequestError:
    return RequestError(
        "too_large",
        f"The pin has {length:,} characters and the other pins of the chat {characters:,}; "
        f"at most {MAX_CHARACTERS:,} fit together, because every request carries them.",
        hint="Shorten it, or remove a pin that is done with; /goals lists them.",
    )
