from __future__ import annotations

from comfyui_assistant.engine.user.own_skills.problems import changed_meanwhile, exists_already, not_own


def test_conflicts_name_the_skill() -> None:
    told = [changed_meanwhile("neon"), exists_already("neon"), not_own("neon")]
    assert [(error.code, error.status) for error in told] == [
        ("changed_meanwhile", 409),
        ("already_there", 409),
        ("not_own_skill", 404),
    ]
    assert all('"neon"' in error.message for error in told)
