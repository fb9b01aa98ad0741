"""The tables of docs/api.md that tell the fields of a body are those of the routes: make contract."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from comfyui_assistant.engine.base.validation import field_forms
from comfyui_assistant.engine.http.guard import Route

from .running_assistant import running_assistant

API = Path(__file__).parent.parent / "docs" / "api.md"
TABLE = re.compile(r"<!-- body -->\n.*?<!-- /body -->\n\n?", re.DOTALL)
NO_FIELDS = {
    *("POST /assistant/threads", "POST /assistant/threads/{id}/branches/{branchId}"),
    *("POST /assistant/providers/{provider}/models", "POST /user-context/skill-changes/{change}"),
    "PUT /assistant/project/files",
}
"""Routes that read nothing of their bodies, and the one whose body is a file."""


def table(route: Route) -> str:
    if route.body is None:
        return ""
    rows = (
        f"| `{name}` | {form or 'any value'} | {description} |"
        for name, form, description in field_forms(route.body)
    )
    head = ["<!-- body -->", "| field of the body | form | |", "|---|---|---|"]
    return "\n".join([*head, *rows, "<!-- /body -->", "", ""])


def with_tables(document: str, routes: Iterable[Route]) -> str:
    document = TABLE.sub("", document)
    for route in routes:
        heading = f"### `{route.method} /api{route.path}`\n\n"
        document = document.replace(heading, heading + table(route))
    return document


async def test_the_tables_of_bodies_are_those_of_the_routes(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        routes = assistant.assistant.routes()
    document = with_tables(API.read_text("utf-8"), routes)
    if os.environ.get("WRITE_CONTRACT"):
        API.write_text(document, "utf-8")
    assert API.read_text("utf-8") == document, "run make contract"
    assert document.count("<!-- body -->") == sum(route.body is not None for route in routes) > 20


async def test_each_route_that_reads_fields_has_a_model_of_them(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        routes = assistant.assistant.routes()
    without = {
        f"{route.method} {route.path}"
        for route in routes
        if route.body is None and route.method in ("POST", "PUT", "PATCH")
    }
    assert without == NO_FIELDS
