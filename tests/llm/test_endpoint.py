from __future__ import annotations

from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.llm.endpoint import Endpoint


def test_a_model_that_is_loaded_from_a_disk_is_waited_for_longer() -> None:
    local, remote = (Endpoint("http://h/v1", "small", is_local=is_local) for is_local in (True, False))
    assert local.patience.first_event > remote.patience.first_event
    assert local.patience.next_event > remote.patience.next_event


def test_a_key_is_not_shown_with_its_endpoint() -> None:
    assert "canary" not in repr(Endpoint("http://h/v1", "small", Secret("sk-canary")))
