"""The new databases of tests are those that the revisions make."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.sqlite_file import configure
from sqlalchemy import create_engine

from .. import fresh_databases


def contents(file: Path, migrate: Callable[..., None]) -> list[Any]:
    engine = create_engine(f"sqlite:///{file}")
    configure(engine)
    migrate(engine)
    migrate(engine)
    engine.dispose()
    with closing(sqlite3.connect(file)) as connection:
        tables = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")
        return [*tables.fetchall(), *connection.iterdump()]


def test_a_new_database_of_tests_is_as_if_all_revisions_had_run(tmp_path: Path):
    made = contents(tmp_path / "made", fresh_databases.migrate)
    assert len(made) > 30
    assert made == contents(tmp_path / "run", fresh_databases.run_revisions)


async def test_no_revision_runs_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fresh_databases.migrate(create_engine("sqlite://"))
    monkeypatch.setattr(fresh_databases, "run_revisions", None)
    database = Database.in_folder(tmp_path)
    assert await database.run(lambda connection: connection.exec_driver_sql("SELECT 1").scalar()) == 1
    database.close()


def test_none_runs_for_one_that_is_opened_again_but_for_an_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    engine = create_engine(f"sqlite:///{tmp_path / 'file'}")
    fresh_databases.migrate(engine)
    run: list[Any] = []
    monkeypatch.setattr(fresh_databases, "run_revisions", lambda *arguments: run.append(arguments))
    fresh_databases.migrate(engine)
    assert run == []
    for statement in ("UPDATE alembic_version SET version_num = '0001'", "DROP TABLE alembic_version"):
        with engine.begin() as connection:
            connection.exec_driver_sql(statement)
        fresh_databases.migrate(engine)
    assert len(run) == 2
    engine.dispose()
