from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.caller import acting_for
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.user_entries import Change, Entry, Kind, UserEntries


async def entries_of(entries: UserEntries, kind: Kind = "rules") -> Sequence[Entry]:
    return (await entries.all()).by_kind[kind]


async def texts(entries: UserEntries, kind: Kind = "rules") -> list[str]:
    return [entry.text for entry in await entries_of(entries, kind)]


async def test_entries_have_the_order_that_they_were_added_in(database: Database) -> None:
    entries = UserEntries(database)
    assert await entries.add("rules", "Speak\n German.") == Entry("Speak German.")
    await entries.add("rules", "Two steps.")
    await entries.add("rules", "Speak German.")
    assert await texts(entries) == ["Speak German.", "Two steps."]


async def test_an_entry_is_moved_before_another_or_to_the_end_and_a_new_one_comes_last(
    database: Database,
) -> None:
    entries = UserEntries(database)
    for text in ("a", "b", "c"):
        await entries.add("rules", text)
    await entries.change("rules", "c", Change(before="b"))
    assert await texts(entries) == ["a", "c", "b"]
    await entries.change("rules", "a", Change(before=""))
    await entries.delete("rules", "c")
    await entries.add("rules", "d")
    assert await texts(entries) == ["b", "a", "d"]


async def test_what_is_switched_off_is_listed_and_switched_on_again_where_it_is_added(
    database: Database,
) -> None:
    entries = UserEntries(database)
    await entries.add("rules", "Speak German.")
    assert await entries.change("rules", "Speak German.", Change(is_on=False)) == Entry(
        "Speak German.", is_on=False
    )
    assert [entry.is_on for entry in await entries_of(entries)] == [False]
    await entries.add("rules", "Speak German.")
    assert [entry.is_on for entry in await entries_of(entries)] == [True]


async def test_what_is_edited_stays_in_its_place(database: Database) -> None:
    entries = UserEntries(database)
    await entries.add("preferences", "sampler", "euler")
    await entries.add("preferences", "steps", "20")
    await entries.change("preferences", "sampler", Change(text="scheduler", value="karras"))
    assert await entries_of(entries, "preferences") == [Entry("scheduler", "karras"), Entry("steps", "20")]
    with pytest.raises(RequestError, match="There is the preference already"):
        await entries.change("preferences", "scheduler", Change(text="steps"))
    assert await texts(entries, "preferences") == ["scheduler", "steps"]


async def test_each_user_has_entries_and_switches_of_their_own(database: Database) -> None:
    entries = UserEntries(database)
    with acting_for("anna"):
        await entries.add("rules", "Speak German.")
        await entries.add("preferences", "language", "German")
        await entries.switch_document("goals", is_on=False)
    with acting_for("ben"):
        assert await texts(entries) == []
        assert (await entries.all()).documents_off == frozenset()
        await entries.switch_document("goals", is_on=True)
    with acting_for("anna"):
        assert await texts(entries) == ["Speak German."]
        assert (await entries.all()).documents_off == {"goals"}
        await entries.switch_document("goals", is_on=True)
        assert (await entries.all()).documents_off == frozenset()


async def test_two_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    one, other = (UserEntries(Database.in_folder(tmp_path)) for _ in range(2))
    await one.add("rules", "Two steps.")
    await asyncio.gather(
        *(
            entries.add("rules", f"{name} {number}.")
            for number in range(20)
            for name, entries in (("One", one), ("Other", other))
        ),
        *(entries.change("rules", "Two steps.", Change(before="")) for entries in (one, other)),
    )
    assert len(set(await texts(one))) == 41
    assert await texts(one) == await texts(other)


@pytest.mark.parametrize("text", ["", " \n", "x" * 401])
async def test_what_is_no_rule_is_refused(database: Database, text: str) -> None:
    entries = UserEntries(database)
    await entries.add("rules", "Two steps.")
    for work in (entries.add("rules", text), entries.change("rules", "Two steps.", Change(text=text))):
        with pytest.raises(RequestError, match="characters; expected 1 to 400") as raised:
            await work
        assert raised.value.code == "invalid_request"
    assert await texts(entries) == ["Two steps."]


async def test_a_preference_has_a_value(database: Database) -> None:
    with pytest.raises(RequestError, match="The value has 0 characters"):
        await UserEntries(database).add("preferences", "sampler", "")


async def test_there_are_not_more_than_a_person_can_oversee(database: Database) -> None:
    entries = UserEntries(database)
    for number in range(100):
        await entries.add("rules", f"Rule {number}.")
    with pytest.raises(RequestError, match="There are 100 rules already"):
        await entries.add("rules", "One more.")
    await entries.add("rules", "Rule 7.")


async def test_a_rule_is_repeated_with_each_message_where_that_is_asked_for(database: Database) -> None:
    entries = UserEntries(database)
    await entries.add("rules", "Name the seed.")
    assert await entries.change("rules", "Name the seed.", Change(repeats=True)) == Entry(
        "Name the seed.", repeats=True
    )
    await entries.add("rules", "Name the seed.")
    assert await entries_of(entries) == [Entry("Name the seed.", repeats=True)]
    await entries.change("rules", "Name the seed.", Change(repeats=False))
    assert await entries_of(entries) == [Entry("Name the seed.")]
    await entries.add("preferences", "sampler", "euler")
    with pytest.raises(RequestError, match="Only a rule can be repeated"):
        await entries.change("preferences", "sampler", Change(repeats=True))


async def test_rules_that_are_repeated_have_room_together_because_every_message_carries_them(
    database: Database,
) -> None:
    entries, full = UserEntries(database), "at most 600 fit together"
    for letter in "abcd":
        await entries.add("rules", letter * 190)
    for letter in "abc":
        await entries.change("rules", letter * 190, Change(repeats=True))
    with pytest.raises(RequestError, match=full):
        await entries.change("rules", "d" * 190, Change(repeats=True))
    with pytest.raises(RequestError, match=full):
        await entries.change("rules", "a" * 190, Change(text="a" * 300))
    await entries.change("rules", "a" * 190, Change(is_on=False))
    await entries.change("rules", "d" * 190, Change(repeats=True))
    for switched_on in (
        entries.change("rules", "a" * 190, Change(is_on=True)),
        entries.add("rules", "a" * 190),
    ):
        with pytest.raises(RequestError, match=full):
            await switched_on


async def test_what_is_not_there_cannot_be_deleted_or_changed(database: Database) -> None:
    entries = UserEntries(database)
    for work in (entries.delete("rules", "Sing."), entries.change("rules", "Sing.", Change(is_on=False))):
        with pytest.raises(RequestError) as raised:
            await work
        assert raised.value.code == "not_found"
