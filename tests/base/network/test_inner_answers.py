from __future__ import annotations

import asyncio

from comfyui_assistant.engine.base.network.inner_answers import are_inner_answers_told, telling_inner_answers


async def test_what_a_request_begins_keeps_to_what_may_be_told_to_its_caller():
    async def told() -> bool:
        await asyncio.sleep(0)
        return are_inner_answers_told()

    with telling_inner_answers(False):
        begun = asyncio.create_task(told())
    assert are_inner_answers_told()
    assert not await begun
