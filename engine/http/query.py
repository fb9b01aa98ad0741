"""Parsers for the query of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.errors import RequestError

if TYPE_CHECKING:
    from aiohttp import web

_MAX_DIGITS = 9


def whole_number(request: web.Request, name: str, *, most: int, least: int = 1) -> int | None:
    """Return a number of the query from `least` to `most`; None if it is missing.

    Raises:
        RequestError: `invalid_request`.
    """
    text = request.query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS and least <= int(text) <= most):
        raise RequestError(
            "invalid_request",
            f'{name} is "{text[:20]}"; expected {least} to {most}.',
            hint="Leave it out for all.",
        )
    return int(text)
