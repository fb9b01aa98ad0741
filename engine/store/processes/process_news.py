"""What processes that share a database tell each other at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from .news_files import NewsFiles
from .thread_locks import open_session

logger = logging.getLogger(__name__)

_CHANNEL = "comfyui_assistant"
_LOOK_SECONDS = 1.0
"""How long the listening lasts at most after it is closed."""
_PAUSE_SECONDS = 5.0
"""Until a session that broke is opened again."""

Hear = Callable[[Mapping[str, Any]], None]


class ProcessNews(Protocol):
    """What is told while nobody listens is lost."""

    async def tell(self, news: Mapping[str, Any]) -> bool:
        """To all other processes that listen; whether it could be told."""
        ...

    def listen(self, hear: Hear) -> None:
        """From now on `hear` is called in this event loop with what other processes tell."""
        ...

    def close(self) -> None: ...


def process_news(folder: Path, database_url: str, is_needed: Callable[[], bool]) -> ProcessNews:
    """Where threads lie in a file, news are files in this `folder` beside it, which are looked for only as long as
    `is_needed`; PostgreSQL has its own.
    """
    if database_url.startswith("postgresql"):
        return PostgresqlNews(database_url)
    return NewsFiles(folder / "turns", is_needed)


class PostgresqlNews:
    """By PostgreSQL's notifications."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._name = secrets.token_hex(8)
        self._is_closed = threading.Event()
        self._listener: threading.Thread | None = None

    async def tell(self, news: Mapping[str, Any]) -> bool:
        from sqlalchemy.exc import SQLAlchemyError

        try:
            await asyncio.to_thread(self._tell, json.dumps({**news, "from": self._name}))
        except SQLAlchemyError as error:
            logger.info("other processes could not be told of a Stop (%s)", error)
            return False
        return True

    def listen(self, hear: Hear) -> None:
        if self._listener is None:
            loop = asyncio.get_running_loop()
            self._listener = threading.Thread(
                target=self._listen, args=(loop, hear), name="comfyui-assistant-news", daemon=True
            )
            self._listener.start()

    def close(self) -> None:
        self._is_closed.set()

    def _tell(self, text: str) -> None:
        from sqlalchemy import func, select

        with open_session(self._url) as session:
            session.execute(select(func.pg_notify(_CHANNEL, text)))

    def _listen(self, loop: asyncio.AbstractEventLoop, hear: Hear) -> None:
        while not self._is_closed.is_set():
            self._listen_in_one_session(loop, hear)
            self._is_closed.wait(_PAUSE_SECONDS)

    def _listen_in_one_session(self, loop: asyncio.AbstractEventLoop, hear: Hear) -> None:
        """Until it breaks, or all is closed."""
        try:
            self._listen_until_closed(loop, hear)
        except Exception as error:
            if not self._is_closed.is_set():
                logger.info("other processes are not heard (%s); their Stop does not reach this one", error)

    def _listen_until_closed(self, loop: asyncio.AbstractEventLoop, hear: Hear) -> None:
        with open_session(self._url) as session:
            session.exec_driver_sql(f"LISTEN {_CHANNEL}")
            driver: Any = session.connection.driver_connection
            while not self._is_closed.is_set():
                for note in driver.notifies(timeout=_LOOK_SECONDS):
                    with contextlib.suppress(ValueError):
                        news = json.loads(note.payload)
                        if news.get("from") != self._name:
                            loop.call_soon_threadsafe(hear, news)
