"""The tools that a turn may call if it uses skills that allow only some of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.messages import UIMessage
from ...base.tool_result import ToolFailure, failure
from ...context.message_metadata import newest_metadata
from ...context.tool_facts import ToolFacts, find_facts
from ...context.turn_calls import list_turn_calls

_OF_THE_TEXT = frozenset({"getUserSkill", "readToolResult"})
"""Tools that read on where the text of a skill or a result ends by naming them."""


@dataclass(frozen=True)
class AllowedTools:
    """The tools that one skill allows; `others` may be called under any skill."""

    skill: str
    names: tuple[str, ...]
    others: frozenset[str] = _OF_THE_TEXT

    def refusal(self, name: str) -> ToolFailure | None:
        if name in self.names or name in self.others:
            return None
        return failure(
            f'Not run: the skill "{self.skill}" does not allow {name}.', f"It allows {', '.join(self.names)}."
        )


def find_refusal(allowed: Sequence[AllowedTools], name: str) -> ToolFailure | None:
    """Return the first refusal of any skill in use: a skill only narrows, so none can allow what another forbids."""
    refusals = (each.refusal(name) for each in allowed)
    return next((refusal for refusal in refusals if refusal is not None), None)


def allowed_tools(
    conversation: Sequence[UIMessage], facts: Mapping[str, ToolFacts], flat_names: Collection[str] = ()
) -> list[AllowedTools]:
    """Return what each skill of the newest turn allows, whether the message used it or the model read it.

    The list is empty if all tools may be called. Skills name tools of the full form; a flat tool is allowed if it does
    no more than those do.
    """
    used = newest_metadata(conversation).skill
    skills = [(used.name, used.tools)] if used is not None else []
    outputs = (part.get("output") for part in list_turn_calls(conversation))
    skills += [skill for output in outputs if (skill := _read_skill(output)) is not None]
    known = ((name, tuple(tool for tool in tools if tool in facts)) for name, tools in dict.fromkeys(skills))
    return [
        AllowedTools(name, tools, _OF_THE_TEXT | _no_more_than(tools, facts, flat_names))
        for name, tools in known
        if tools
    ]


def _read_skill(output: Any) -> tuple[str, tuple[str, ...]] | None:
    match output:
        case {"ok": True, "data": {"slug": str(slug), "allowedTools": [*names]}}:
            return slug, tuple(name for name in names if isinstance(name, str))
        case _:
            return None


def _no_more_than(
    tools: Collection[str], facts: Mapping[str, ToolFacts], flat_names: Collection[str]
) -> frozenset[str]:
    known = [find_facts(name, facts) for name in tools]
    can_edit, can_run = any(each.edits for each in known), any(each.runs for each in known)
    return frozenset(
        name
        for name in flat_names
        if (can_edit or not find_facts(name, facts).edits) and (can_run or not find_facts(name, facts).runs)
    )
