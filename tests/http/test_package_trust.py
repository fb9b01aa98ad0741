from __future__ import annotations

import pytest

from ..running_assistant import running_assistant

PATH = "/assistant/trusted-packages"


async def test_packages_are_trusted_until_they_are_taken_back_also_after_a_restart(tmp_path):
    async with running_assistant(tmp_path, {}) as assistant:
        assert (await assistant.call("GET", PATH)).json == {"packages": []}
        await assistant.call("PUT", PATH, {"packages": ["tint", "herd"]})
        assert (await assistant.call("PUT", PATH, {"packages": ["herd"]})).json["packages"] == [
            "herd",
            "tint",
        ]
    async with running_assistant(tmp_path, {}) as assistant:
        taken = await assistant.call("PUT", PATH, {"packages": ["herd"], "trusted": False})
        assert taken.json == {"packages": ["tint"]}
        assert (await assistant.call("GET", PATH)).json == {"packages": ["tint"]}


@pytest.mark.parametrize("packages", [None, "herd", [""], [3], ["x" * 201]])
async def test_what_is_no_list_of_names_is_refused(tmp_path, packages):
    async with running_assistant(tmp_path, {}) as assistant:
        answer = await assistant.call("PUT", PATH, {"packages": packages})
        assert (answer.status, answer.error_code) == (400, "invalid_request")
        too_many = await assistant.call("PUT", PATH, {"packages": [str(number) for number in range(2_001)]})
        assert too_many.error_code == "too_large"
