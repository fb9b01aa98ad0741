"""How many clients are open at a time; no connection is made by opening one."""

from __future__ import annotations

import asyncio

import pytest
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.llm.clients import Clients
from comfyui_assistant.engine.llm.endpoint import Endpoint


def endpoint(key: str) -> Endpoint:
    return Endpoint("http://127.0.0.1:9/v1", "a-model", Secret(key))


async def test_the_few_that_were_used_last_stay_and_the_rest_are_closed() -> None:
    clients = Clients()
    used = []
    for number in range(12):
        async with clients.use(endpoint(f"key {number}")) as client:
            used.append(client)
    assert len(clients) == 4
    assert [client.is_closed() for client in used] == [True] * 8 + [False] * 4
    async with clients.use(endpoint("key 11")) as again:
        assert again is used[11]
    await clients.close()
    assert all(client.is_closed() for client in used)


async def test_one_that_is_in_use_stays_open_however_many_come_after_it() -> None:
    clients = Clients()
    async with clients.use(endpoint("a long answer")) as answering:
        for number in range(12):
            async with clients.use(endpoint(f"key {number}")):
                pass
        assert not answering.is_closed()
    assert len(clients) == 4
    await clients.close()


async def test_two_first_calls_at_once_share_one() -> None:
    clients = Clients()

    async def use() -> object:
        async with clients.use(endpoint("key")) as client:
            return client

    assert len({id(client) for client in await asyncio.gather(use(), use(), use())}) == 1
    await clients.close()


async def test_who_gives_up_while_it_is_made_does_not_take_it_from_the_others() -> None:
    clients = Clients()

    async def use() -> bool:
        async with clients.use(endpoint("key")) as client:
            return client.is_closed()

    first, second = asyncio.create_task(use()), asyncio.create_task(use())
    await asyncio.sleep(0)
    first.cancel()
    assert await second is False
    await clients.close()


async def test_one_that_could_not_be_made_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clients = Clients()
    with monkeypatch.context() as environment:
        environment.setenv("SSL_CERT_FILE", "/missing/certificates.pem")
        with pytest.raises(FileNotFoundError):
            async with clients.use(endpoint("key")):
                pass
    async with clients.use(endpoint("key")) as client:
        assert not client.is_closed()
    await clients.close()
