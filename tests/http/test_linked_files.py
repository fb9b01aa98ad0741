from __future__ import annotations

import os

import pytest
from comfyui_assistant.engine.environment.recorded import RecordedComfy
from comfyui_assistant.engine.http.linked_files import LinkedFileHandlers

from .handlers import serving

ROUTE = "/assistant/linked-files"


@pytest.fixture
async def client(tmp_path):
    (tmp_path / "input").mkdir()
    os.symlink(tmp_path.parent, tmp_path / "input" / "link")
    async with serving(LinkedFileHandlers(RecordedComfy({}, directory=tmp_path)).routes()) as client:
        yield client


async def test_the_names_that_lead_elsewhere_are_told_in_their_order(client):
    answer = await client.post(ROUTE, json={"names": ["b.png", "link/b", "link/a"]})

    assert (answer.status, await answer.json()) == (200, {"outside": ["link/b", "link/a"]})


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid_request"),
        ({"names": "link/a"}, "invalid_request"),
        ({"names": ["link/a", 1]}, "invalid_request"),
        ({"names": ["a"] * 5_001}, "too_large"),
    ],
)
async def test_what_is_no_list_of_names_is_refused(client, body, code):
    answer = await client.post(ROUTE, json=body)

    assert (answer.status, (await answer.json())["error"]["code"]) == (400, code)
