"""The syntax trees of our own files, parsed once for all the tests that look at them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """The tree of a Python file, to be read and not changed."""
    return ast.parse(path.read_text("utf-8"))
