from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from comfyui_assistant.engine.base import errors
from comfyui_assistant.engine.base.errors import (
    AssistantError,
    ProviderError,
    RequestError,
    SettingsError,
    StoreError,
)
from comfyui_assistant.engine.llm.refusals.overflow import ContextOverflow

from ..sources import tree_of

ENGINE = Path(__file__).parents[2] / "engine"


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
        node.name if module == "base.errors" else f"{module}.{node.name}"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base).endswith(("Error", "Exception")) for base in node.bases)
    ]


@pytest.mark.slow
def test_every_exception_of_ours_is_drawn() -> None:
    ours = [name for path in sorted(ENGINE.rglob("*.py")) for name in exceptions(path)]
    assert [name for name in ours if name not in (errors.__doc__ or "")] == []
    assert len(ours) > 10


def failures_made() -> Iterator[tuple[str, ast.Call]]:
    """Each call in the sources that makes a failure, and where it stands."""
    kinds = {kind.__name__ for kind in (AssistantError, *AssistantError.__subclasses__(), ContextOverflow)}
    for path in sorted([*ENGINE.rglob("*.py"), *ENGINE.parent.glob("*.py")]):
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, ast.Call):
                continue
            name, words = ast.unparse(node.func), {word.arg for word in node.keywords}
            if name in kinds or (name == "super().__init__" and "hint" in words):
                yield f"{path.name}:{node.lineno}", node


def codes_in(value: ast.expr) -> list[str]:
    """Where it depends on something, all that it may be."""
    if isinstance(value, ast.IfExp):
        return [*codes_in(value.body), *codes_in(value.orelse)]
    return [value.value] if isinstance(value, ast.Constant) and isinstance(value.value, str) else []


def documented_codes() -> list[str]:
    document = (ENGINE.parent / "docs" / "api.md").read_text("utf-8")
    table = document.partition("<!-- codes -->")[2].partition("<!-- /codes -->")[0]
    firsts = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [code for first in firsts for code in re.findall(r"`(\w+)`", first)]


@pytest.mark.slow
def test_the_codes_are_a_short_list_and_each_is_documented_once() -> None:
    made = {code for _, call in failures_made() for code in codes_in(call.args[0])}
    documented = documented_codes()
    assert len(documented) == len(set(documented)) <= 50
    assert made ^ set(documented) == set()


def test_each_failure_says_what_to_do_next() -> None:
    hints = {
        place: next((ast.unparse(word.value) for word in call.keywords if word.arg == "hint"), "")
        for place, call in failures_made()
    }
    assert [place for place, hint in hints.items() if hint in ("", "''")] == []
    assert len(hints) > 100
