"""`readToolResult`: text that a request left out, read by its handle."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from ..base.text.amounts import pluralize
from ..base.text.clip import quoted_name
from ..context.documents import find_project_file
from ..context.find import excerpt, in_small_letters
from ..context.handles import list_handles, parse_document_ref, read_back
from ..context.results import ResultBudget
from .fitting import first_that_fit
from .paging import page_from
from .tool import ServerTool, ToolResult, ToolServices, ToolSuccess, failure, success

_MOST_PLACES = 6


class Input(BaseModel):
    ref: str = Field(description="Handle, such as r12, u3, a3 or d2.")
    offset: int | None = Field(default=None, ge=0)
    query: str | None = Field(default=None, description="Show only the places with this text.")


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    conversation = services.thread.conversation()
    text = read_back(conversation, arguments.ref)
    number = parse_document_ref(arguments.ref)
    if text is None and number:
        text = await services.thread.file_text(number)
    if text is None:
        return failure(
            f'There is nothing behind "{arguments.ref[:40]}". There are: {list_handles(conversation)}.',
            "Use searchHistory to find a text by its words.",
        )
    file = find_project_file(conversation, number) if number else None
    untrusted = (f"the project file {quoted_name(file.title)}",) if file else ()
    start = min(arguments.offset or 0, len(text))
    if arguments.query:
        return _with(untrusted, _places(arguments.ref, text, arguments.query, start, services.room))
    return _page(arguments.ref, text, start, services.room, untrusted)


def _with(untrusted: Sequence[str], result: ToolResult) -> ToolResult:
    """Return the result marked with the sources of others' words, if any."""
    if result["ok"] is not True or not untrusted:
        return result
    return ToolSuccess(ok=True, summary=result["summary"], data=result["data"], outside=[*untrusted])


def _page(ref: str, text: str, start: int, room: ResultBudget, untrusted: Sequence[str]) -> ToolResult:
    """Return the text from `start` to the last boundary of a line or entry that fits."""

    def result(end: int) -> ToolResult:
        data = {"ref": ref, "text": text[start:end], "totalCharacters": len(text)}
        if end < len(text):
            data["nextOffset"] = end
        summary = f"Characters {start:,} to {end:,} of {len(text):,} of {ref}."
        return _with(untrusted, success(summary, data))

    return page_from(text, start, room, result)


def _places(ref: str, text: str, query: str, start: int, room: ResultBudget) -> ToolResult:
    """Return the matches from `start` on; a match within the excerpt of another is left out."""
    positions = _positions(text, query, start)
    after = f" after {start:,}" if start else ""
    if not positions:
        return failure(
            f'"{query[:60]}" does not occur in {ref}{after}.', "Try another word, or read it from an offset."
        )
    count = pluralize(len(positions), "place")

    def result(shown: Sequence[int]) -> ToolResult:
        data: dict[str, object] = {
            "ref": ref,
            "places": [{"offset": at, "text": excerpt(text, at, length=600)} for at in shown],
            "totalCharacters": len(text),
        }
        if more := len(positions) - len(shown):
            data |= {"more": more, "nextOffset": positions[len(shown)]}
        return success(f'{count} with "{query[:40]}" in {ref}{after}.', data)

    return first_that_fit(positions[:_MOST_PLACES], room, result)


def _positions(text: str, query: str, start: int) -> list[int]:
    lower_text, lower_query = in_small_letters(text), in_small_letters(query)
    positions: list[int] = []
    position = lower_text.find(lower_query, start)
    while position >= 0:
        positions.append(position)
        position = lower_text.find(lower_query, position + max(300, len(lower_query)))
    return positions


read_tool_result = ServerTool(
    name="readToolResult",
    description="Read a result or message that was shortened or condensed.",
    input=Input,
    run=run,
    label="Read back {ref}",
)
