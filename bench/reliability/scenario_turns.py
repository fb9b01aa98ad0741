"""One answer to a scenario as the panel would get it, and the calls that it lets run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from comfyui_assistant.engine.chat.turn.turn import Turn
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint, Patience
from comfyui_assistant.engine.store.log.event_log import fold

from tests.stream.contract_streams import MemoryTurnLog, at_once, turn_setup
from tests.stream.reference_reader import ReadingError, read

PATIENCE = Patience(first_event=20, next_event=20)


@dataclass
class Answer:
    calls: list[tuple[str, Any]] = field(default_factory=list)
    problem: str = ""


async def answer_of(base_url: str, client: ChatClient) -> Answer:
    """What became of one request: calls that may run, and what is wrong, where something is."""
    log = MemoryTurnLog("Hello.")
    endpoint = Endpoint(base_url, "scripted", is_local=True)
    turn = Turn(fold(log.events), message_id="msg_1", setup=turn_setup(endpoint), model=client, log=log)
    answer = Answer()
    chunks: list[Any] = []
    try:
        async for chunk in turn.run():
            chunks.append(chunk)
            if chunk["type"] == "tool-input-available":
                answer.calls.append((chunk["toolName"], chunk["input"]))
        read(chunks)
    except ReadingError as error:
        answer.problem = str(error)
    except Exception as error:
        answer.problem = f"{type(error).__name__}: {error}"
    if not answer.problem and chunks[-1]["type"] not in ("finish", "error"):
        answer.problem = f"it ends with {chunks[-1]['type']}"
    codes = [chunk["data"]["code"] for chunk in chunks if chunk["type"] == "data-error"]
    if "internal_error" in codes:
        answer.problem = "internal_error"
    return answer


def new_client() -> ChatClient:
    return ChatClient(sleep=at_once, patience=PATIENCE)
