"""The skills for single models and tasks, which are read on demand: small, and named so that they are found.

That every node type, slot and link in them exists is tested with the rest of what is said to a model.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.user_context_loader import load_system_context

CONTEXT = load_system_context(Path(__file__).parent.parent / "system_context")


@pytest.mark.parametrize("skill", CONTEXT.on_demand, ids=lambda skill: skill.slug)
def test_a_model_skill_is_short(skill):
    assert count_text(skill.content) <= 1_200
    assert len(skill.description) <= 60
