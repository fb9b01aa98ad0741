from __future__ import annotations

import pytest
from comfyui_assistant.engine.chat.thread_context.system_messages import StoredSystemMessages
from comfyui_assistant.engine.context.frame import LeftOut, SystemMessage

MESSAGE = SystemMessage(
    "Rules.", (LeftOut("rules.md", 28, "rules"), LeftOut("skills/a/SKILL.md", 900, "tokens"))
)


def test_a_form_comes_back_with_what_it_left_out() -> None:
    kept = StoredSystemMessages({}).keep("full", MESSAGE)
    assert StoredSystemMessages(kept).get("full") == MESSAGE
    assert StoredSystemMessages(kept).get("slim") is None


def test_forms_are_kept_beside_each_other() -> None:
    kept = StoredSystemMessages(StoredSystemMessages({}).keep("full", MESSAGE)).keep(
        "slim", SystemMessage("Short.")
    )
    assert StoredSystemMessages(kept).get("full") == MESSAGE
    assert StoredSystemMessages(kept).get("slim") == SystemMessage("Short.")


def test_texts_of_older_threads_have_left_out_nothing() -> None:
    assert StoredSystemMessages({"full": "Rules."}).get("full") == SystemMessage("Rules.")


@pytest.mark.parametrize("damaged", ["{", "[1]", "null", '[{"source": "a"}]'])
def test_what_cannot_be_read_of_what_was_left_out_does_not_stop_a_chat(damaged: str) -> None:
    kept = {**StoredSystemMessages({}).keep("full", MESSAGE)}
    [name] = [name for name in kept if name != "full"]
    assert StoredSystemMessages({**kept, name: damaged}).get("full") == SystemMessage("Rules.")


def test_the_rules_of_the_time_are_kept_beside_a_form() -> None:
    ruled, none = SystemMessage("Rules.", rules=("Save all.",)), SystemMessage("Rules.", rules=())
    for message in (ruled, none):
        assert StoredSystemMessages(StoredSystemMessages({}).keep("full", message)).get("full") == message
