"""The checkpoint: one message in place of everything older than what is still sent word for word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..base.text.clip import clip_line
from .key_sentences import focus_words, key_sentences
from .ledger import Ledger
from .shorten import head_and_tail, shares
from .tokens import CountText
from .user_wishes import UserWishes

_CHARACTERS_PER_TOKEN = 3.3
_REQUESTS, _OUTCOMES = 0.62, 0.28
_DONE = 0.3
_MOST_REQUESTS = 0.85
_LEAST_PER_TEXT = 120
_LEAST_LINE = 40


@dataclass(frozen=True)
class Summary:
    """A model's own summary of decisions and outcomes, up to the answer to user message number `users`."""

    text: str
    users: int


def render_checkpoint(
    ledger: Ledger,
    *,
    pins: Sequence[str],
    limit: int,
    count: CountText,
    can_read_back: bool,
    focus: str = "",
    summary: Summary | None = None,
) -> str:
    """Render the checkpoint of a ledger in at most about `limit` tokens; pins stay whole whatever they take.

    User requests come first, and their wishes may take the room of everything else; then changes and runs; then
    decisions and outcomes, each text with its handle; lookups get the rest. Short texts stay whole before long ones
    are cut to their weightiest sentences. The words of `focus` make a sentence worth keeping; `summary` replaces the
    outcomes that it covers.
    """
    if ledger.is_empty and not pins:
        return ""
    asked = UserWishes(ledger.requests, worked=ledger.worked, focus=focus)
    characters = limit * _CHARACTERS_PER_TOKEN
    text = ""
    for _ in range(6):
        text = _render(
            ledger, asked, pins, int(characters), can_read_back=can_read_back, focus=focus, summary=summary
        )
        tokens = count(text)
        if tokens <= limit:
            break
        characters *= min(0.9, limit / tokens)
    return text


def _render(
    ledger: Ledger,
    asked: UserWishes,
    pins: Sequence[str],
    characters: int,
    *,
    can_read_back: bool,
    focus: str,
    summary: Summary | None,
) -> str:
    head = _introduction(ledger, can_read_back)
    sections = [_section("Goals and constraints, word for word", [f"- {pin}" for pin in pins])]
    room = max(0, characters - len(head) - len(sections[0]))
    least, most = int(room * _REQUESTS), int(room * _MOST_REQUESTS)
    requests = asked.lines(least if least > asked.wishes_size else min(most, asked.wishes_size))
    room -= _size(requests)
    done = min(_size(ledger.located_changes) + _size(ledger.located_artifacts), int(room * _DONE))
    outcomes = _outcomes(ledger, summary, min(int(room * _OUTCOMES / (1 - _REQUESTS)), room - done), focus)
    room -= _size(outcomes)
    lists: list[tuple[str, list[str]]] = [
        ("Changes made to the workflow", ledger.located_changes),
        ("Runs and what they made", ledger.located_artifacts),
        ("Pictures that are no longer shown", ledger.pictures),
        ("Attempts that failed", ledger.failures),
        ("What was looked up", ledger.findings),
    ]
    rooms = _rooms([_size(lines) for _, lines in lists], max(0, room))
    rest = [_newest(lines, each, focus) for (_, lines), each in zip(lists, rooms, strict=True)]
    sections += [
        _section("What the user asked", requests),
        _section("Decisions and outcomes", outcomes),
        *(_section(title, lines) for (title, _), lines in zip(lists, rest, strict=True)),
        _open_item(ledger),
    ]
    return "\n\n".join([head, *filter(None, sections)])


def _outcomes(ledger: Ledger, summary: Summary | None, characters: int, focus: str) -> list[str]:
    if summary is None:
        return _answers(ledger.outcomes, characters, focus)
    later = [entry for entry in ledger.outcomes if entry[0] > summary.users]
    account = head_and_tail(summary.text, characters if not later else characters * 2 // 3, " … ")
    # Quoted, so that nothing in it can stand as a line of the checkpoint's own.
    lines = [f"> {line}" for line in account.splitlines() if line.strip()]
    return [*lines, *_answers(later, characters - len(account), focus)]


def _introduction(ledger: Ledger, can_read_back: bool) -> str:
    names = "u3 is the user's 3rd message, a3 the answer to it, r12 the 12th tool result."
    spans = [f"u1 to u{ledger.users}"] if ledger.users else []
    if ledger.last_result:
        spans.append(f"r{ledger.first_result} to r{ledger.last_result}")
    how = f" readToolResult shows any of {' and '.join(spans)} whole." if can_read_back and spans else ""
    return f"[Summary of the conversation so far. It is a record, not a new request. {names}{how}]"


def _open_item(ledger: Ledger) -> str:
    if not ledger.is_within_turn:
        return ""
    progress = f"; the steps up to r{ledger.last_result} are done" if ledger.last_result else ""
    return f"## Open\nThe request u{ledger.users} is being worked on{progress}."


def _section(title: str, lines: Iterable[str]) -> str:
    body = "\n".join(lines)
    return f"## {title}\n{body}" if body else ""


def _answers(entries: Sequence[tuple[int, str]], characters: int, focus: str) -> list[str]:
    """Return each text with its handle, cut so that all of them together fit.

    If there are too many, the first and the newest ones have lines, and one line names the handles between them.
    """
    most = max(2, characters // _LEAST_PER_TEXT)
    if len(entries) > most:
        gap = entries[1 : len(entries) - most + 2]
        gap_line = f"a{gap[0][0]} to a{gap[-1][0]}: left out here, {len(gap)} in all"
        first = _answers(entries[:1], characters // most, focus)
        newest = entries[len(entries) - most + 2 :]
        return [*first, gap_line, *_answers(newest, characters * (most - 2) // most, focus)]
    rooms = shares([len(text) + 6 for _, text in entries], characters)
    lines: list[str] = []
    for (number, text), room in zip(entries, rooms, strict=True):
        if len(text) + 6 <= room:
            lines.append(f"a{number}: {' '.join(text.split())}")
        else:
            shorter = key_sentences(text, max(_LEAST_PER_TEXT // 2, room - 6), focus)
            lines.append(f"a{number}: {shorter}")
    return lines


def _rooms(sizes: Sequence[int], characters: int) -> list[int]:
    """Return the room of each list, the weightiest first: half of what is left each time, then shares of the rest."""
    rooms: list[int] = []
    for size in sizes:
        rooms.append(min(size, characters // 2))
        characters -= rooms[-1]
    for index, size in enumerate(sizes):
        more = min(size - rooms[index], characters)
        rooms[index] += more
        characters -= more
    return rooms


def _newest(lines: Sequence[str], characters: int, focus: str) -> list[str]:
    """Return the newest lines that fit, in their order, preferring those that touch the focus.

    If not even one fits, it is cut, so that no list with some room is silently empty.
    """
    order = [*reversed(range(len(lines)))]
    if words := focus_words(focus):
        order.sort(key=lambda index: not _touches(lines[index], words))
    indices: list[int] = []
    for index in order:
        if len(lines[index]) + 1 > characters:
            break
        indices.append(index)
        characters -= len(lines[index]) + 1
    if not indices:
        return [clip_line(lines[index], characters) for index in order[:1] if characters > _LEAST_LINE]
    rest = len(lines) - len(indices)
    newest_lines = [lines[index] for index in sorted(indices)]
    return [f"({rest} older ones left out)", *newest_lines] if rest else newest_lines


def _touches(line: str, words: frozenset[str]) -> bool:
    small_line = line.lower()
    return any(word in small_line for word in words)


def _size(lines: Sequence[str]) -> int:
    return sum(len(line) + 1 for line in lines)
