from __future__ import annotations

from comfyui_assistant.engine.context.tokens import Calibration
from comfyui_assistant.engine.llm.adjustment import Adjustment
from comfyui_assistant.engine.llm.known.token_calibrations import TokenCalibrations
from comfyui_assistant.engine.llm.learned import Learned
from comfyui_assistant.engine.llm.requests.endpoint_rule_store import EndpointRuleStore
from comfyui_assistant.engine.llm.requests.endpoint_rules import EndpointRules

HERE = ("http://127.0.0.1:1/v1", "small")


async def test_what_was_learned_is_told_in_one_note_and_forgotten_together_but_for_the_window() -> None:
    learned = Learned(counts=TokenCalibrations(clock=lambda: 7.0), rules=EndpointRuleStore(clock=lambda: 5.0))
    assert await learned.note(*HERE) is None
    await learned.windows.learn(*HERE, 8_000, "a request that was too long")
    await learned.counts.keep(*HERE, Calibration(1.04, 31))
    counts = "Learned from 31 answers: this model counts 4 % more tokens than we estimate."
    assert await learned.note(*HERE) == Adjustment(counts, 7.0)
    await learned.rules.keep(*HERE, EndpointRules(refuses_tools=True))
    assert await learned.note(*HERE) == Adjustment(
        f"Learned from what this server refused: it takes no tools. {counts}", 7.0
    )
    await learned.forget_rules(*HERE)
    assert await learned.note(*HERE) is None
    assert await learned.windows.earlier(*HERE) == 8_000
