from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from comfyui_assistant.engine.comfy_user import acting_for
from comfyui_assistant.engine.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.user_entries import Change, Kind, UserEntries

Written = Sequence[tuple[str, str]]
FILE = (("Save every image.", ""), ("Two steps.", ""))


async def told(entries: UserEntries, written: Written = ()) -> list[tuple[str, str]]:
    return [(rule.text, rule.source) for rule in await entries.list("rules", written) if rule.is_on]


async def texts(entries: UserEntries, written: Written = ()) -> list[str]:
    return [rule.text for rule in await entries.list("rules", written)]


async def test_rules_of_the_file_hold_before_those_that_were_remembered(database: Database) -> None:
    entries = UserEntries(database)
    await entries.remember("rules", "Speak\n German.", FILE)
    await entries.remember("rules", "Speak German.", FILE)
    await entries.remember("rules", "Two steps.", FILE)
    assert await told(entries, FILE) == [
        ("Save every image.", "file"),
        ("Two steps.", "file"),
        ("Speak German.", "remembered"),
    ]


async def test_a_rule_that_is_forgotten_holds_no_more_wherever_it_was(database: Database) -> None:
    entries = UserEntries(database)
    await entries.remember("rules", "Speak German.", FILE)
    for text in ("Speak German.", "Two steps."):
        await entries.forget("rules", text, FILE)
    assert await told(entries, FILE) == [("Save every image.", "file")]


async def test_a_rule_of_the_file_that_was_forgotten_can_be_remembered_again(database: Database) -> None:
    entries = UserEntries(database)
    await entries.forget("rules", "Two steps.", FILE)
    await entries.remember("rules", "Two steps.", FILE)
    assert await told(entries, FILE) == [(text, "file") for text, _ in FILE]


async def test_a_line_that_is_written_again_by_hand_holds_again(database: Database) -> None:
    entries = UserEntries(database)
    await entries.forget("rules", "Two steps.", FILE)
    await entries.remember("rules", "Another.", FILE[:1])
    assert ("Two steps.", "file") in await told(entries, FILE)


async def test_a_remembered_rule_that_is_written_by_hand_too_is_told_once(database: Database) -> None:
    entries = UserEntries(database)
    await entries.remember("rules", "Two steps.", ())
    await entries.change("rules", "Two steps.", FILE, Change(is_on=True))
    assert await told(entries, FILE) == [(text, "file") for text, _ in FILE]
    assert await told(entries) == [("Two steps.", "remembered")]


async def test_what_is_switched_off_is_listed_and_does_not_hold(database: Database) -> None:
    entries = UserEntries(database)
    await entries.remember("rules", "Speak German.", FILE)
    for text in ("Speak German.", "Two steps."):
        assert not (await entries.change("rules", text, FILE, Change(is_on=False))).is_on
    assert await told(entries, FILE) == [("Save every image.", "file")]
    assert await texts(entries, FILE) == ["Save every image.", "Two steps.", "Speak German."]
    await entries.change("rules", "Two steps.", FILE, Change(is_on=True))
    await entries.remember("rules", "Speak German.", FILE)
    assert len(await told(entries, FILE)) == 3


async def test_entries_of_the_file_and_others_are_put_in_one_order(database: Database) -> None:
    entries = UserEntries(database)
    await entries.remember("rules", "Speak German.", FILE)
    await entries.change("rules", "Speak German.", FILE, Change(before="Two steps."))
    assert await texts(entries, FILE) == ["Save every image.", "Speak German.", "Two steps."]
    await entries.change("rules", "Save every image.", FILE, Change(before=""))
    await entries.remember("rules", "Last.", FILE)
    assert await texts(entries, FILE) == ["Speak German.", "Two steps.", "Save every image.", "Last."]


async def test_what_is_edited_stays_in_its_place_and_is_no_longer_the_files(database: Database) -> None:
    entries = UserEntries(database)
    await entries.change("rules", "Save every image.", FILE, Change(text="Save none."))
    assert await told(entries, FILE) == [("Save none.", "remembered"), ("Two steps.", "file")]
    with pytest.raises(RequestError, match="There is the rule already"):
        await entries.change("rules", "Save none.", FILE, Change(text="Two steps."))
    assert await texts(entries, FILE) == ["Save none.", "Two steps."]


async def test_a_value_that_was_given_here_goes_before_that_of_the_file(database: Database) -> None:
    entries, file = UserEntries(database), (("sampler", "euler"), ("steps", "20"))
    await entries.change("preferences", "steps", file, Change(value="4"))
    await entries.remember("preferences", "size", file, value="1024")
    found = await entries.list("preferences", file)
    assert [(each.text, each.value, each.source) for each in found] == [
        ("sampler", "euler", "file"),
        ("steps", "4", "remembered"),
        ("size", "1024", "remembered"),
    ]
    await entries.forget("preferences", "steps", file)
    assert [each.text for each in await entries.list("preferences", file)] == ["sampler", "size"]


async def test_each_user_has_entries_of_their_own(database: Database) -> None:
    entries = UserEntries(database)
    with acting_for("anna"):
        await entries.remember("rules", "Speak German.", ())
        await entries.remember("reminders", "Speak German.", ())
    with acting_for("ben"):
        assert await told(entries) == []
    with acting_for("anna"):
        assert await told(entries) == [("Speak German.", "remembered")]


async def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    one, other = (UserEntries(Database.in_folder(tmp_path)) for _ in range(2))
    await asyncio.gather(
        *(
            entries.remember("rules", f"{name} {number}.", FILE)
            for number in range(20)
            for name, entries in (("One", one), ("Other", other))
        ),
        *(entries.change("rules", "Two steps.", FILE, Change(before="")) for entries in (one, other)),
    )
    assert len(await told(one, FILE)) == 42
    assert await told(one, FILE) == await told(other, FILE)


@pytest.mark.parametrize("text", ["", " \n", "x" * 401])
async def test_what_is_no_rule_is_refused(database: Database, text: str) -> None:
    with pytest.raises(RequestError) as raised:
        await UserEntries(database).remember("rules", text, ())
    assert raised.value.code == "invalid_request"


async def test_a_preference_has_a_value(database: Database) -> None:
    with pytest.raises(RequestError, match="The value has 0 characters"):
        await UserEntries(database).remember("preferences", "sampler", ())


async def test_there_are_not_more_than_a_person_can_oversee(database: Database) -> None:
    entries = UserEntries(database)
    for number in range(100):
        await entries.remember("rules", f"Rule {number}.", ())
    with pytest.raises(RequestError, match="There are 100 rules already"):
        await entries.remember("rules", "One more.", ())


async def test_reminders_have_room_together_because_every_message_carries_them(database: Database) -> None:
    entries = UserEntries(database)
    for letter in "abc":
        await entries.remember("reminders", letter * 190, ())
    with pytest.raises(RequestError, match="at most 600 fit together"):
        await entries.remember("reminders", "d" * 190, ())
    await entries.change("reminders", "a" * 190, (), Change(is_on=False))
    await entries.remember("reminders", "d" * 190, ())
    with pytest.raises(RequestError, match="at most 600 fit together"):
        await entries.change("reminders", "a" * 190, (), Change(is_on=True))


async def test_what_is_not_there_cannot_be_forgotten_or_changed(database: Database) -> None:
    entries = UserEntries(database)
    for work in (
        entries.forget("rules", "Sing.", FILE),
        entries.change("rules", "Sing.", FILE, Change(is_on=False)),
    ):
        with pytest.raises(RequestError) as raised:
            await work
        assert raised.value.code == "not_found"


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [("rules", "r" * 900, ""), ("reminders", "r" * 900, ""), ("preferences", "p" * 90, "v" * 900)],
)
async def test_a_line_of_the_file_that_is_longer_than_the_panel_takes_is_switched_moved_and_put_back(
    database: Database, kind: Kind, text: str, value: str
) -> None:
    entries, written = UserEntries(database), (("a", "1"), (text, value))
    off = await entries.change(kind, text, written, Change(is_on=False))
    assert (off.text, off.is_on) == (text, False)
    assert (await entries.change(kind, text, written, Change(is_on=True))).is_on
    await entries.change(kind, text, written, Change(before="a"))
    await entries.forget(kind, text, written)
    await entries.remember(kind, text, written, value=value)
    assert [(each.text, each.value, each.source) for each in await entries.list(kind, written)] == [
        (text, value, "file"),
        ("a", "1", "file"),
    ]
    with pytest.raises(RequestError, match="characters; expected"):
        await entries.change(kind, text, written, Change(text=f"{text}!"))
