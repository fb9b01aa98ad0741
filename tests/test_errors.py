from __future__ import annotations

import ast
from pathlib import Path

import pytest
from comfyui_assistant.engine import errors
from comfyui_assistant.engine.errors import (
    AssistantError,
    ProviderError,
    RequestError,
    SettingsError,
    StoreError,
)

ENGINE = Path(__file__).parent.parent / "engine"


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (AssistantError, 500),
        (RequestError, 400),
        (SettingsError, 422),
        (ProviderError, 502),
        (StoreError, 500),
    ],
)
def test_each_kind_of_failure_has_a_status_that_one_of_it_may_change(
    kind: type[AssistantError], status: int
) -> None:
    error = kind("some_code", "It failed.", hint="Try again.")
    assert (error.status, kind("some_code", "It failed.", status=409).status) == (status, 409)
    assert error.as_json() == {"code": "some_code", "message": "It failed.", "hint": "Try again."}
    assert (str(error), error.retryable) == ("It failed.", False)


def exceptions(path: Path) -> list[str]:
    """The exceptions that a module defines, each named by its place in the engine."""
    module = ".".join(path.relative_to(ENGINE).with_suffix("").parts)
    return [
        node.name if module == "errors" else f"{module}.{node.name}"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base).endswith(("Error", "Exception")) for base in node.bases)
    ]


def test_every_exception_of_ours_is_drawn() -> None:
    ours = [name for path in sorted(ENGINE.rglob("*.py")) for name in exceptions(path)]
    assert [name for name in ours if name not in (errors.__doc__ or "")] == []
    assert len(ours) > 10
