from __future__ import annotations

from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.schema import metadata, thread
from sqlalchemy import Column, Connection, func, select


async def test_the_tables_are_those_that_the_migrations_make(database: Database) -> None:
    def ours(name: str | None, kind: str, _: object) -> bool:
        return not (kind == "table" and (name or "").startswith("message_search"))

    differences = await database.run(
        lambda connection: compare_metadata(
            MigrationContext.configure(connection, opts={"include_name": ours}), metadata
        )
    )
    assert differences == []


async def test_all_that_belongs_to_a_thread_goes_with_it(database: Database) -> None:
    def rows(connection: Connection) -> dict[str, int]:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
        }

    def fill(connection: Connection) -> None:
        for table in metadata.sorted_tables:
            required = [column for column in table.columns if not column.nullable]
            values = {column.name: _value(column) for column in required if column.name != "seq"}
            connection.execute(table.insert().values(values))

    await database.run(fill)
    assert set((await database.run(rows)).values()) == {1}
    await database.run(lambda connection: connection.execute(thread.delete()))
    left = await database.run(rows)
    assert {name for name, count in left.items() if count} == {
        "cost",
        "learned",
        "made_run",
        "own_entry",
        "turn_lease",
    }


def _value(column: Column[Any]) -> Any:
    value_type = column.type.python_type
    return "one" if value_type is str else value_type(1)
