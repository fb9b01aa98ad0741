"""Whatever a route answers, no other page may frame it, and no browser may guess what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from .person_with_everything import keep_everything
from .route_calls import route_calls
from .talking import talking


@pytest.mark.slow
async def test_every_answer_says_that_only_comfyui_may_frame_it(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, _):
        places = await keep_everything(assistant.call, tmp_path)
        answers = {
            call.name: (await assistant.call(call.route.method, call.path, call.body)).headers
            for call in route_calls(assistant, places)
        }
        refused = await assistant.call(
            "GET", "/assistant/threads", headers={"Origin": "https://evil.example"}
        )

    for name, headers in {**answers, "refused": refused.headers}.items():
        assert headers.get("Content-Security-Policy") == "frame-ancestors 'self'", name
        # ComfyUI with --disable-api-nodes replaces the policy by one that says nothing of frames.
        assert headers.get("X-Frame-Options") == "SAMEORIGIN", name
        assert headers.get("X-Content-Type-Options") == "nosniff", name
