from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.chat.contexts.context_log import ContextLog
from comfyui_assistant.engine.chat.contexts.turn_context import TurnContext
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.calibration import Calibration
from comfyui_assistant.engine.context.compaction import clear_conversation
from comfyui_assistant.engine.context.emergency import ContextTooSmall
from comfyui_assistant.engine.context.frame import Frame
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.errors import StoreError
from comfyui_assistant.engine.events import Usage
from comfyui_assistant.engine.llm.refusals.overflow import Overflow

from ...context.conversations import turns

SHORT, LONG = turns(2), turns(60)


class MemoryContextLog(ContextLog):
    """Keeps what it is told, or refuses it all."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses
        self.kept: list[tuple[str, Any]] = []

    async def keep_request(self, message_id: str, step: int, *_: Any) -> str:
        return self._keep("request", (message_id, step))

    async def finish_request(
        self, request_id: str, usage: Usage | None, first_token_ms: float | None
    ) -> None:
        self._keep("reply", (request_id, usage, first_token_ms))

    async def keep_compaction(self, compaction: Any) -> str:
        return self._keep("compaction", compaction.cause)

    async def keep_calibration(self, calibration: Calibration) -> None:
        self._keep("calibration", calibration.n)

    async def learn_window(self, window: int, *, refused: int | None = None) -> None:
        self._keep("window", window)

    async def grow_window(self, *, used: int, share: float) -> None:
        self._keep("success", used)

    def _keep(self, kind: str, value: Any) -> str:
        if self.refuses:
            raise StoreError("store_failed", "The disk is full.")
        self.kept.append((kind, value))
        return f"{kind}-{len(self.kept)}"


def context(window: int = 16_000, *, log: ContextLog | None = None, **options: Any) -> TurnContext:
    frame = Frame("Rules.", "full")
    return TurnContext(frame, Budget(window, 0), count_text, "a-model", log=log or ContextLog(), **options)


async def test_what_was_condensed_holds_for_the_next_request_and_is_told_once() -> None:
    log = MemoryContextLog()
    turn = context(log=log)
    request = await turn.plan(LONG)
    (divider,) = await turn.write_condensed(request)
    assert (divider["id"], divider["cause"]) == ("compaction-1", "rule")
    again = await turn.plan(LONG)
    assert again.messages == request.messages
    assert await turn.write_condensed(again) == []
    assert log.kept == [("compaction", "rule")]


async def test_dividers_that_no_answer_shows_yet_come_with_the_next_request() -> None:
    turn = context(pending_dividers=[{"id": "compaction_1"}])
    request = await turn.plan(SHORT)
    assert await turn.write_condensed(request) == [{"id": "compaction_1"}]
    assert await turn.write_condensed(request) == []


async def test_what_was_condensed_on_another_branch_does_not_hold_on_this_one() -> None:
    turn = context(compactions=[clear_conversation(SHORT)])
    assert "Question 0" not in str((await turn.plan([*SHORT, *turns(1, first=2)])).messages)
    assert "Question 7" in str((await turn.plan(turns(2, first=7))).messages)


@pytest.mark.parametrize(
    ("named", "learned"),
    [(Overflow(window=9_000), [("window", 9_000)]), (Overflow(), [])],
    ids=["the window is named", "it is not"],
)
async def test_a_request_that_was_refused_as_too_long_is_made_smaller(
    named: Overflow, learned: list[Any]
) -> None:
    log = MemoryContextLog()
    turn = context(40_000, log=log)
    request = await turn.plan(LONG)
    smaller = await turn.shrink(LONG, request, named)
    assert smaller.estimate < request.estimate
    assert log.kept == learned
    (divider,) = await turn.write_condensed(smaller)
    assert divider["cause"] == "emergency"


async def test_what_was_tried_after_a_refusal_is_learned_when_it_succeeds() -> None:
    log = MemoryContextLog()
    turn = context(40_000, log=log)
    smaller = await turn.shrink(LONG, await turn.plan(LONG), Overflow())
    assert log.kept == []
    await turn.write_usage(smaller, None, None)
    assert log.kept == [("window", turn.budget.window)]


async def test_reserve_and_factor_are_taken_once_from_what_was_refused() -> None:
    turn = context(64_000)
    request = await turn.plan(LONG)
    await turn.shrink(LONG, request, Overflow())
    room = turn.budget.window - turn.budget.reserve
    assert room == pytest.approx(0.7 * request.tokens, abs=2)


@pytest.mark.parametrize("overflow", [Overflow(), Overflow(window=3_000)], ids=["no window", "a window"])
async def test_where_nothing_smaller_can_be_made_the_window_is_kept_for_the_next_message(
    overflow: Overflow,
) -> None:
    log = MemoryContextLog()
    turn = TurnContext(Frame(RULES, "full", TOOLS), Budget(8_000, 500), count_text, "a-model", log=log)
    request = await turn.plan(ONE_WORD)

    async def shrink_on() -> None:
        smaller = request
        while True:
            smaller = await turn.shrink(ONE_WORD, smaller, overflow)

    with pytest.raises(ContextTooSmall):
        await shrink_on()
    kind, window = log.kept[-1]
    assert kind == "window"
    assert window < 8_000


@pytest.mark.parametrize("form", ["full", "slim"])
async def test_a_window_that_has_a_form_of_its_own_is_kept_and_the_message_asked_again(form: Any) -> None:
    log = MemoryContextLog()
    turn = TurnContext(Frame("Rules.", form), Budget(16_000, 0), count_text, "a-model", log=log)
    begun = [*LONG, {"id": "u61", "role": "user", "parts": [{"type": "text", "text": "And now?"}]}]
    request = await turn.plan(begun)
    if form == "slim":
        assert (await turn.shrink(begun, request, Overflow(window=8_000))).tokens < 8_000
    else:
        with pytest.raises(ContextTooSmall):
            await turn.shrink(begun, request, Overflow(window=8_000))
    assert ("window", 8_000) in log.kept


async def test_a_turn_that_has_begun_goes_on_in_its_form() -> None:
    turn = context()
    request = await turn.shrink(LONG, await turn.plan(LONG), Overflow(window=8_000))
    assert (request.form, LONG[-1]["role"]) == ("full", "assistant")


async def test_the_count_that_a_refusal_names_corrects_ours() -> None:
    turn = context()
    request = await turn.plan(SHORT)
    await turn.shrink(SHORT, request, Overflow(requested=2 * request.estimate))
    assert (turn.calibration.n, turn.calibration.ratio) == (1, 2.0)


async def test_each_request_is_written_down_with_what_it_cost_and_teaches() -> None:
    log = MemoryContextLog()
    turn = context(log=log, idle_seconds=3_600)
    request = await turn.plan(SHORT)
    turn.write_request(request, message_id="a3", step=2)
    assert turn.idle_seconds == 0
    usage = Usage(2 * request.estimate, 5, cached_tokens=request.estimate)
    assert await turn.write_usage(request, usage, 12.5) is None
    assert log.kept == [
        ("request", ("a3", 2)),
        ("reply", ("request-1", usage, 12.5)),
        ("calibration", 1),
        ("success", usage.input_tokens + 5),
    ]
    assert turn.calibration.ratio == 2.0
    assert turn.report(request, 2)["cachedShare"] == 0.5


async def test_a_model_that_reads_much_less_than_it_was_sent_is_named_and_teaches_nothing() -> None:
    turn = context(window=100_000)
    request = await turn.plan(LONG)
    notice = await turn.write_usage(request, Usage(2_048, 5), None)
    assert notice is not None
    assert notice.code == "prompt-cut"
    assert turn.calibration == Calibration()


RULES = "Answer in few words, and say which node you mean. " * 120
TOOLS = [{"type": "function", "function": {"name": "look", "description": RULES, "parameters": {}}}]
RUSSIAN = "Пожалуйста, измени количество шагов и запусти рабочий процесс ещё раз. " * 100
ONE_WORD = [{"id": "u1", "role": "user", "parts": [{"type": "text", "text": "hello"}]}]


@pytest.mark.parametrize(
    ("text", "usage"),
    [
        pytest.param(RUSSIAN, Usage(len(RULES) // 5 * 2 + len(RUSSIAN) // 4, 5), id="a text in Russian"),
        pytest.param("hello", Usage(len(RULES) // 5, 5), id="a server that leaves the tools out"),
        pytest.param(
            "hello", Usage(400, 5, cached_tokens=3_000), id="a server that tells the cached ones apart"
        ),
    ],
)
async def test_a_server_that_counts_less_than_we_do_has_not_cut_the_prompt(text: str, usage: Usage) -> None:
    conversation: Any = [{**ONE_WORD[0], "parts": [{"type": "text", "text": text}]}]
    turn = TurnContext(Frame(RULES, "full", TOOLS), Budget(100_000, 0), count_text, "a-model")
    request = await turn.plan(conversation)
    assert usage.input_tokens < request.estimate / 2
    assert await turn.write_usage(request, usage, None) is None
    assert turn.calibration == Calibration()


async def test_a_cut_to_a_small_window_is_told_at_the_first_message_where_tools_are_sent() -> None:
    turn = TurnContext(Frame(RULES, "full", 2 * TOOLS), Budget(100_000, 0), count_text, "a-model")
    request = await turn.plan(ONE_WORD)
    notice = await turn.write_usage(request, Usage(2_048, 5), None)
    assert notice is not None
    assert notice.code == "prompt-cut"


@pytest.mark.parametrize("usage", [None, Usage(0, 5)], ids=["none", "nothing read"])
async def test_a_reply_without_figures_teaches_nothing(usage: Usage | None) -> None:
    turn = context()
    request = await turn.plan(SHORT)
    assert await turn.write_usage(request, usage, None) is None
    assert turn.calibration == Calibration()
    assert "cachedShare" not in turn.report(request, 1)


async def test_a_turn_does_not_fail_for_want_of_what_could_not_be_written_down() -> None:
    turn = context(log=MemoryContextLog(refuses=True))
    request = await turn.plan(LONG)
    (divider,) = await turn.write_condensed(request)
    assert divider["id"] == ""
    turn.write_request(request, message_id="a3", step=1)
    assert await turn.write_usage(request, Usage(request.estimate, 5), 1.0) is None
    assert (await turn.plan(LONG)).messages == request.messages


async def test_a_context_of_its_own_has_the_frame_and_nothing_of_the_thread() -> None:
    log = MemoryContextLog()
    turn = context(log=log, pins=["A pin."], compactions=[clear_conversation(SHORT)])
    fresh = turn.fresh()
    assert (fresh.frame, fresh.budget, fresh.model) == (turn.frame, turn.budget, "a-model")
    assert (fresh.pins, fresh.compactions) == ((), [])
    await fresh.write_condensed(await fresh.plan(LONG))
    assert log.kept == []
