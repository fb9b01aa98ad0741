"""Which tools may be called while a message uses a skill that allows only some."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..context.slash_skill import used_skill
from ..context.tool_facts import ToolFacts, facts_of
from ..messages import UIMessage, last_user_index
from ..tool_result import ToolFailure, failure

_OF_THE_TEXT = frozenset({"getUserSkill", "readToolResult"})
"""What reads on where the skill's text, or a result, ends by naming it."""


@dataclass(frozen=True)
class AllowedTools:
    skill: str
    names: tuple[str, ...]
    others: frozenset[str] = _OF_THE_TEXT

    def refusal(self, name: str) -> ToolFailure | None:
        if name in self.names or name in self.others:
            return None
        return failure(
            f'Not run: the skill "{self.skill}" does not allow {name}.', f"It allows {', '.join(self.names)}."
        )


def allowed_tools(
    conversation: Sequence[UIMessage], facts: Mapping[str, ToolFacts], plain_names: Collection[str] = ()
) -> AllowedTools | None:
    """Of the newest message; None where all may be called.

    Skills name tools of the full form: of those in plain words, the ones that do no more than these are allowed.
    """
    newest = last_user_index(conversation)
    skill = used_skill(conversation[newest]) if newest >= 0 else None
    if skill is None or not skill.tools:
        return None
    known = [facts_of(name, facts) for name in skill.tools]
    can_edit, can_run = any(each.edits for each in known), any(each.runs for each in known)
    plain = frozenset(
        name
        for name in plain_names
        if (can_edit or not facts_of(name, facts).edits) and (can_run or not facts_of(name, facts).runs)
    )
    return AllowedTools(skill.name, skill.tools, _OF_THE_TEXT | plain)
