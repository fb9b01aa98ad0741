from __future__ import annotations

import socket

from dev.demonstration_model.ready import wait_until_ready
from dev.scripted.provider import ScriptedProviderThread


def test_a_server_that_answers_is_ready():
    with ScriptedProviderThread("length") as provider:
        assert wait_until_ready(provider.base_url, seconds=5)


def test_waiting_for_a_dead_process_ends_at_once():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        assert not wait_until_ready(nobody, seconds=60, is_alive=lambda: False)
        assert not wait_until_ready(nobody, seconds=0.1, pause=0.05)
