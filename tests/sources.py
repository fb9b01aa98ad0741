"""The syntax trees of our own files, parsed once for all tests that read them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the tree of a Python file, which must not be changed."""
    return ast.parse(path.read_text("utf-8"))
