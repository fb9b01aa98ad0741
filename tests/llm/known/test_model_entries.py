from __future__ import annotations

from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.known.model_entries import model_entries

ENTRIES = [
    {"id": "gpt-4.1", "context_length": 9_000, "pricing": {"prompt": "0.000001", "completion": "0.000002"}},
    {"id": "openai/gpt-4.1"},
    {"id": "nobodys-own"},
]


def test_each_model_is_listed_with_what_its_server_or_the_table_tells() -> None:
    known = model_entries(Endpoint("https://api.example/v1", ""), ENTRIES)
    assert [(each["id"], each["window"], each["price"] and each["price"]["input"]) for each in known] == [
        ("gpt-4.1", 9_000, 1.0),
        ("openai/gpt-4.1", 1_047_576, 2.0),
        ("nobodys-own", None, None),
    ]


def test_the_table_is_not_asked_for_the_window_that_a_server_near_by_makes_room_for() -> None:
    (known,) = model_entries(Endpoint("http://ollama:1/v1", "", is_on_network=True), ENTRIES[1:2])
    assert known["window"] is None
