"""Messages sent while a turn runs: they wait for its end, are changed, taken back, or go out at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.host.comfy import ComfyPage
from tests.host.interception import Held, held
from tests.host.panel import Panel

pytestmark = pytest.mark.any_frontend

STORY = {"say": [f"#{number} " for number in range(100)]}
LONG_STORY = {"say": [f"#{number} " for number in range(600)]}
ADDS = {"call": "addNode", "arguments": {"type": "EmptyImage"}}


def slowly(*reply: object) -> dict[str, object]:
    return {
        "about": "Takes seconds.",
        "pace": 0.1,
        "steps": [{"reply": [*reply]}, {"reply": [{"say": "Done."}]}],
    }


def says(text: str) -> dict[str, object]:
    return {"about": "One sentence.", "steps": [{"reply": [{"say": text}]}], "after": "repeat"}


def queued(panel: Panel) -> Locator:
    return panel.root.get_by_role("region", name="Queued messages").get_by_role("listitem")


def asked(panel: Panel) -> list[str]:
    return panel.root.locator(".cass-user .cass-bubble").all_inner_texts()


@pytest.mark.slow
def test_messages_that_wait_go_out_one_after_another_as_they_were_left(comfy: ComfyPage, panel: Panel, model):
    """The turn before has a browser tool in it: they must not go out between its steps."""
    model.play(slowly(STORY, ADDS))
    panel.send("first")
    expect(panel.answers.last).to_contain_text("#3")
    for text in ("second", "thrid", "never", "fourth"):
        panel.send(text)
    expect(queued(panel)).to_have_text(["second", "thrid", "never", "fourth"])
    panel.look_at("queue")

    queued(panel).nth(2).get_by_role("button", name="Take the queued message back").click()
    queued(panel).nth(1).get_by_role("button", name="Edit the queued message").click()
    expect(panel.composer).to_have_value("thrid")
    panel.send("third")
    expect(queued(panel)).to_have_text(["second", "third", "fourth"])

    # What follows the call of the first turn says this, too.
    model.play(says("Well."))
    expect(queued(panel)).to_have_count(0, timeout=30_000)
    panel.wait_until_the_turn_is_over()
    assert asked(panel) == ["first", "second", "third", "fourth"]
    assert comfy.node_types() == ["EmptyImage"]
    users = [message for message in model.requests[-1].messages if message["role"] == "user"]
    assert len(users) == 4
    assert comfy.errors == []


@pytest.mark.slow
def test_a_message_that_waits_survives_a_reload_and_goes_out_at_once_when_told_to(comfy, panel: Panel, model):
    model.play(slowly(LONG_STORY))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#3")
    panel.send("later")
    panel.send("now")

    comfy.reload()
    again = Panel(comfy.page)
    again.open()
    expect(queued(again)).to_have_text(["later", "now"])
    expect(again.stop_button).to_be_visible()
    model.play(says("Yes."))
    queued(again).last.get_by_role("button", name="Stop the turn and send now").click()

    expect(again.answers).to_have_count(3)
    again.wait_until_the_turn_is_over()
    assert asked(again) == ["tell me a story", "now", "later"]
    assert [request.closed_early for request in model.requests] == [True, False, False]


@pytest.mark.slow
@pytest.mark.parametrize("slow", ["stream", "thread"])
def test_what_is_sent_at_once_waits_for_the_chat_and_for_the_end_of_the_stopped_turn(
    comfy, panel: Panel, model, slow: str
):
    """The page has not read a word of the turn that it stops, or not even that there is one."""
    model.play(slowly(LONG_STORY))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#3")
    panel.send("now")
    address = "*/stream?*" if slow == "stream" else "*/threads/*?tail=*"

    def goes_on_after(milliseconds: int) -> Callable[[Held], object]:
        return lambda request: (comfy.page.wait_for_timeout(milliseconds), request.go_on())

    with held(comfy.page, address, goes_on_after(1500)), held(comfy.page, "*/stop", goes_on_after(800)):
        comfy.reload()
        again = Panel(comfy.page)
        again.open()
        model.play(says("Yes."))
        queued(again).get_by_role("button", name="send now").click()

        expect(again.answers).to_have_count(2, timeout=20_000)
        again.wait_until_the_turn_is_over()
        assert asked(again) == ["tell me a story", "now"]
        assert again.composer.input_value() == ""
        assert [request.closed_early for request in model.requests] == [True, False]
    comfy.reload()
    again.open()
    expect(again.messages).to_have_count(4)
    assert comfy.errors == []


@pytest.mark.slow
def test_messages_that_wait_are_counted_from_three_on(panel: Panel, model):
    model.play(slowly(LONG_STORY))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#3")
    panel.send("and then?")
    expect(queued(panel)).to_have_text(["and then?"])
    panel.send("and then?!")
    panel.send("and in the end?")
    expect(panel.root).to_contain_text("3 messages, sent when this turn is over")
    panel.look_at("queue-of-three")
    panel.stop()
    panel.wait_until_the_turn_is_over()


def test_what_waits_stays_where_the_turn_did_not_end_by_itself(comfy, panel: Panel, model):
    model.play(slowly(STORY))
    panel.send("tell me a story")
    expect(panel.answers.last).to_contain_text("#3")
    panel.send("and then?")
    panel.stop()

    panel.wait_until_the_turn_is_over()
    comfy.page.wait_for_timeout(500)
    expect(queued(panel)).to_have_text(["and then?"])
    assert len(model.requests) == 1
    model.play(says("Here I am."))
    panel.composer.press("ArrowUp")
    expect(panel.composer).to_have_value("and then?")
    panel.composer.press("Enter")
    expect(panel.answers.last).to_contain_text("Here I am.")
    panel.wait_until_the_turn_is_over()
    assert asked(panel) == ["tell me a story", "and then?"]


def test_a_message_is_sent_at_once_by_a_key_and_waits_in_its_own_chat(comfy, panel: Panel, model):
    model.play(slowly(STORY))
    panel.send("a tale of two chats")
    expect(panel.answers.last).to_contain_text("#3")
    model.play(says("At once."))
    panel.composer.fill("no, this")
    panel.composer.press("Control+Enter")
    expect(panel.answers.last).to_contain_text("At once.")
    panel.wait_until_the_turn_is_over()

    model.play(slowly(STORY))
    panel.send("tell me another")
    expect(panel.answers.last).to_contain_text("#3")
    panel.send("meanwhile")
    model.play(says("In the back."))
    panel.begin_new_chat()
    expect(queued(panel)).to_have_count(0)
    model.wait_until(lambda: "meanwhile" in str(model.requests[-1].messages[-1]), seconds=20)
    panel.open_chats()
    panel.chat("a tale of two chats").click()
    expect(panel.answers.last).to_contain_text("In the back.")
    assert asked(panel) == ["a tale of two chats", "no, this", "tell me another", "meanwhile"]


BUTTONS = """(root) => Object.fromEntries([...root.querySelectorAll(".cass-composer button")].map((button) => {
    const { x, y } = button.getBoundingClientRect();
    return [button.getAttribute("aria-label")?.split(" ")[0] ?? button.className, [x, y]];
}))"""


def test_the_buttons_stay_in_place_while_a_turn_begins_and_ends(comfy: ComfyPage, panel: Panel, model):
    """A click must not hit another button than the one that it was meant for."""

    def places() -> dict[str, list[float]]:
        return panel.root.evaluate(BUTTONS)

    model.play(slowly(STORY))
    panel.send("first")
    expect(panel.answers.last).to_contain_text("#3")
    while_empty = places()
    panel.composer.fill("a thought")
    while_writing = places()
    panel.look_at("writing-in-a-turn")
    panel.stop()
    panel.wait_until_the_turn_is_over()

    assert while_writing == while_empty
    while_empty.pop("Stop")
    assert places() == while_empty
