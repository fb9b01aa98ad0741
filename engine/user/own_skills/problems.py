"""Errors of changes to skills, in words for the user."""

from __future__ import annotations

from ...base.errors import RequestError


def changed_meanwhile(slug: str) -> RequestError:
    return RequestError(
        "changed_meanwhile",
        f'The skill "{slug}" was changed since it was shown.',
        hint="Look at it again, then save.",
        status=409,
    )


def exists_already(slug: str) -> RequestError:
    return RequestError(
        "already_there",
        f'There is a skill "{slug}" in your folder already.',
        hint="Change that one, or choose another name.",
        status=409,
    )


def not_own(slug: str) -> RequestError:
    return RequestError(
        "not_own_skill",
        f'There is no skill "{slug[:60]}" in your own folder.',
        hint="One of your own with this name takes the place of others.",
        status=404,
    )
