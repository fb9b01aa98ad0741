from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.pins import Pins
from comfyui_assistant.engine.store.threads import ThreadStore


@pytest.fixture
def pins(database: Database) -> Pins:
    return Pins(database)


async def test_pins_are_listed_oldest_first_and_removed(pins: Pins, thread_id: str) -> None:
    first = await pins.add(thread_id, "  Keep the seed. ")
    second = await pins.add(thread_id, "Never touch node 7.")
    assert await pins.list(thread_id) == [first, second]
    assert first.text == "Keep the seed."
    await pins.remove(thread_id, first.id)
    assert await pins.list(thread_id) == [second]


async def test_the_same_text_is_pinned_once(pins: Pins, thread_id: str) -> None:
    assert await pins.add(thread_id, "Keep the seed.") == await pins.add(thread_id, "Keep the seed.")
    assert len(await pins.list(thread_id)) == 1


async def test_pins_have_room_for_two_thousand_characters_together(pins: Pins, thread_id: str) -> None:
    await pins.add(thread_id, "a" * 1_500)
    with pytest.raises(RequestError) as caught:
        await pins.add(thread_id, "b" * 501)
    assert caught.value.code == "too_large"
    assert "501 characters" in caught.value.message
    assert "1,500" in caught.value.message
    await pins.add(thread_id, "b" * 500)
    assert len(await pins.list(thread_id)) == 2


async def test_what_cannot_be_pinned_or_removed_is_named(
    pins: Pins, store: ThreadStore, thread_id: str
) -> None:
    pin = await pins.add(thread_id, "Keep the seed.")
    other = (await store.create()).id
    for code, work in (
        ("invalid_request", pins.add(thread_id, " \n ")),
        ("not_found", pins.remove(other, pin.id)),
        ("unknown_thread", pins.add("thread_gone", "Keep the seed.")),
        ("unknown_thread", pins.list("thread_gone")),
    ):
        with pytest.raises(RequestError) as caught:
            await work
        assert caught.value.code == code
