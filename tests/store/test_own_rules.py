from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy_user import acting_for
from comfyui_assistant.engine.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.own_rules import MAX_RULES, OwnRules

FILE = ("Save every image.", "Two steps.")


async def told(rules: OwnRules, written: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(rule.text, rule.source) for rule in await rules.list(written)]


async def test_rules_of_the_file_hold_before_those_that_were_remembered(database: Database) -> None:
    rules = OwnRules(database)
    await rules.remember("Speak\n German.", FILE)
    await rules.remember("Speak German.", FILE)
    await rules.remember("Two steps.", FILE)
    assert await told(rules, FILE) == [
        ("Save every image.", "file"),
        ("Two steps.", "file"),
        ("Speak German.", "remembered"),
    ]


async def test_a_rule_that_is_forgotten_holds_no_more_wherever_it_was(database: Database) -> None:
    rules = OwnRules(database)
    await rules.remember("Speak German.", FILE)
    for text in ("Speak German.", "Two steps."):
        await rules.forget(text, FILE)
    assert await told(rules, FILE) == [("Save every image.", "file")]


async def test_a_rule_of_the_file_that_was_forgotten_can_be_remembered_again(database: Database) -> None:
    rules = OwnRules(database)
    await rules.forget("Two steps.", FILE)
    await rules.remember("Two steps.", FILE)
    assert await told(rules, FILE) == [(text, "file") for text in FILE]


async def test_a_line_that_is_written_again_by_hand_holds_again(database: Database) -> None:
    rules = OwnRules(database)
    await rules.forget("Two steps.", FILE)
    await rules.remember("Another.", FILE[:1])
    assert ("Two steps.", "file") in await told(rules, FILE)


async def test_a_remembered_rule_that_is_written_by_hand_too_is_told_once(database: Database) -> None:
    rules = OwnRules(database)
    await rules.remember("Two steps.", ())
    assert await told(rules, FILE) == [(text, "file") for text in FILE]
    assert await told(rules) == [("Two steps.", "remembered")]


async def test_each_user_has_rules_of_their_own(database: Database) -> None:
    rules = OwnRules(database)
    with acting_for("anna"):
        await rules.remember("Speak German.", ())
    with acting_for("ben"):
        assert await told(rules) == []
    with acting_for("anna"):
        assert await told(rules) == [("Speak German.", "remembered")]


@pytest.mark.parametrize(("text", "code"), [("", "bad_rule"), (" \n", "bad_rule"), ("x" * 401, "bad_rule")])
async def test_what_is_no_rule_is_refused(database: Database, text: str, code: str) -> None:
    with pytest.raises(RequestError) as raised:
        await OwnRules(database).remember(text, ())
    assert raised.value.code == code


async def test_there_are_not_more_than_a_person_can_oversee(database: Database) -> None:
    rules = OwnRules(database)
    for number in range(MAX_RULES):
        await rules.remember(f"Rule {number}.", ())
    with pytest.raises(RequestError, match="There are 100 rules already"):
        await rules.remember("One more.", ())


async def test_what_is_not_there_cannot_be_forgotten(database: Database) -> None:
    with pytest.raises(RequestError) as raised:
        await OwnRules(database).forget("Sing.", FILE)
    assert raised.value.code == "unknown_rule"
