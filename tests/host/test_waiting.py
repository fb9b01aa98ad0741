"""What stands below an answer while the model has not begun, or not gone on with it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.any_frontend

TOLD = {
    "choices": [{"index": 0, "delta": {"role": "assistant", "content": None}, "finish_reason": None}],
    "prompt_progress": {"total": 4_096, "cache": 96, "processed": 2_096, "time_ms": 20_000},
}
READS: Any = {
    "about": "A model that tells how far it has read, and then answers slowly.",
    "steps": [
        {"reply": [{"frame": TOLD}, {"wait": 5}, {"say": ["It saves "]}, {"wait": 3}, {"say": ["an image."]}]}
    ],
}


def test_how_far_the_model_has_read_is_told_until_it_answers(panel, model):
    model.play(READS)

    panel.send("What does this workflow do?")

    waiting = panel.root.locator(".cass-waiting")
    expect(waiting).to_have_text("The model reads the request: 51 %, about 20 s more.")
    panel.look_at("the-model-reads")
    expect(panel.answers.last).to_contain_text("It saves")
    expect(waiting).not_to_contain_text("reads the request")
    panel.wait_until_the_turn_is_over()
    expect(panel.answers.last).to_contain_text("It saves an image.")
