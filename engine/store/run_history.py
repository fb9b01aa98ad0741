"""The run history: each run that left a file, whoever began it, found by the words of its prompt and by its day."""

from __future__ import annotations

import datetime as dt
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..base.caller import DEFAULT_USER, current_user
from ..base.errors import RequestError
from ..base.text.relative_dates import parse_day
from ..comfy.pictures.history_entry import HistoryEntry, PromptFacts
from .database import Database
from .rows import stored_text
from .search import escape_like

if TYPE_CHECKING:
    from sqlalchemy import Connection

_MOST_KEPT = 5_000
_MOST_WORDS = 12
_LONGEST_WORD = 100
_LITTLE_WORDS = {
    *("a", "an", "the", "of", "my", "that", "this", "with", "from", "on", "in", "and", "to", "one"),
    *("picture", "image", "photo", "bild", "der", "die", "das", "ein", "eine", "mein", "mit", "von"),
    *("vom", "und", "le", "la", "les", "un", "une", "mi", "una", "el", "con"),
}


@dataclass(frozen=True)
class FoundRun:
    """A run that a search found. `at` is in seconds since the epoch."""

    id: str
    at: float
    facts: dict[str, Any]
    has_workflow: bool

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "at": self.at, **self.facts, "hasWorkflow": self.has_workflow}


class RunHistory:
    """The runs that left files, of each ComfyUI user. The newest 5,000 are kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, run: HistoryEntry) -> None:
        """Add a run, unless it is there already."""
        await self._database.run(_keep, run)

    async def search(self, query: str, *, limit: int = 20) -> list[FoundRun]:
        """Return runs whose prompts or model names have all words of `query`, else any of them, newest first.

        A day that the query names, such as "yesterday", limits them to that day.
        """
        return await self._database.run(_search, query, limit)

    async def find_by_file(self, file: Mapping[str, str]) -> PromptFacts | None:
        """Return the facts of the newest run that left the file `{filename, subfolder, type}`, or None."""
        return await self._database.run(_find_by_file, file)

    async def workflow(self, run_id: str) -> Any:
        """Return the workflow of a run.

        Raises:
            RequestError: `not_found`.
        """
        text = await self._database.run(_workflow, run_id)
        if not text:
            raise _unknown(run_id)
        return json.loads(text)

    async def forget(self, run_id: str) -> None:
        """Delete a run from the history; its files stay.

        Raises:
            RequestError: `not_found`.
        """
        if not await self._database.run(_forget, run_id):
            raise _unknown(run_id)


def _keep(connection: Connection, run: HistoryEntry) -> None:
    from sqlalchemy import select

    from .schema import made_run

    if connection.execute(select(made_run.c.seq).where(*_is(run.prompt_id))).first() is not None:
        return
    facts = {
        "texts": list(run.texts),
        "seeds": list(run.seeds),
        "models": list(run.models),
        "files": [dict(file) for file in run.files],
    }
    row = {
        "owner": _owner(),
        "prompt_id": run.prompt_id,
        "created_at": time.time(),
        "content": stored_text(
            "\n".join([*run.texts, *run.models, *(file["filename"] for file in run.files)])
        ),
        "facts": json.dumps(facts),
        "workflow": run.workflow,
    }
    connection.execute(made_run.insert().values(row))
    mine = select(made_run.c.seq).where(made_run.c.owner == _owner())
    oldest = mine.order_by(made_run.c.seq.desc()).offset(_MOST_KEPT).limit(1)
    if (seq := connection.execute(oldest).scalar()) is not None:
        connection.execute(made_run.delete().where(made_run.c.owner == _owner(), made_run.c.seq <= seq))


def _search(connection: Connection, query: str, limit: int) -> list[FoundRun]:
    from sqlalchemy import and_, or_, select

    from .schema import made_run

    rest, day = parse_day(stored_text(query), dt.date.today())
    words = [word[:_LONGEST_WORD] for word in dict.fromkeys(rest.strip(" .,!?").lower().split())]
    words = ([word for word in words if word not in _LITTLE_WORDS] or ([] if day else words))[:_MOST_WORDS]
    columns = (made_run.c.prompt_id, made_run.c.created_at, made_run.c.facts)
    found = select(*columns, (made_run.c.workflow != "").label("has_workflow")).where(
        made_run.c.owner == _owner()
    )
    if day is not None:
        start = dt.datetime.combine(day, dt.time()).timestamp()
        end = dt.datetime.combine(day + dt.timedelta(days=1), dt.time()).timestamp()
        found = found.where(made_run.c.created_at >= start, made_run.c.created_at < end)
    has = [made_run.c.content.ilike(f"%{escape_like(word)}%", escape="\\") for word in words]
    newest = found.order_by(made_run.c.seq.desc()).limit(limit)
    for statement in (newest.where(and_(*has)), newest.where(or_(*has))) if has else (newest,):
        if rows := connection.execute(statement).all():
            return [
                FoundRun(row.prompt_id, row.created_at, json.loads(row.facts), row.has_workflow)
                for row in rows
            ]
    return []


def _find_by_file(connection: Connection, file: Mapping[str, str]) -> PromptFacts | None:
    from sqlalchemy import select

    from .schema import made_run

    is_named = made_run.c.content.like(f"%{escape_like(stored_text(file['filename']))}%", escape="\\")
    named = select(made_run.c.facts).where(made_run.c.owner == _owner(), is_named)
    for (text,) in connection.execute(named.order_by(made_run.c.seq.desc())):
        facts = json.loads(text)
        if file in facts["files"]:
            return PromptFacts(tuple(facts["texts"]), tuple(facts["seeds"]), tuple(facts["models"]))
    return None


def _workflow(connection: Connection, run_id: str) -> str:
    from sqlalchemy import select

    from .schema import made_run

    return connection.execute(select(made_run.c.workflow).where(*_is(run_id))).scalar() or ""


def _forget(connection: Connection, run_id: str) -> bool:
    from .schema import made_run

    return connection.execute(made_run.delete().where(*_is(run_id))).rowcount > 0


def _is(run_id: str) -> Sequence[Any]:
    from .schema import made_run

    return made_run.c.owner == _owner(), made_run.c.prompt_id == run_id


def _owner() -> str:
    return current_user() or DEFAULT_USER


def _unknown(run_id: str) -> RequestError:
    return RequestError(
        "not_found",
        f'Nothing is kept of a run "{run_id[:60]}", or not its workflow.',
        hint="GET /assistant/runs lists what is kept.",
        status=404,
    )
