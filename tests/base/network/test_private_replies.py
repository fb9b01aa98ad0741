from __future__ import annotations

import asyncio

from comfyui_assistant.engine.base.network.private_replies import (
    are_private_replies_shown,
    show_private_replies,
)


async def test_what_a_request_begins_keeps_to_what_may_be_told_to_its_caller():
    async def told() -> bool:
        await asyncio.sleep(0)
        return are_private_replies_shown()

    with show_private_replies(False):
        begun = asyncio.create_task(told())
    assert are_private_replies_shown()
    assert not await begun
