from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.base.events import Usage
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.chat.thread_context.context_log import ThreadContextLog
from comfyui_assistant.engine.llm.learned import Learned
from comfyui_assistant.engine.store.compactions import Compactions
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.requests import Requests
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.engine.user.memory_days import MemoryDays


async def no_keys() -> list[Secret]:
    return []


async def test_each_figure_of_a_reply_stands_in_the_place_of_its_name(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    thread_id = (await ThreadStore(database).create()).id
    requests = Requests(database)
    log = ThreadContextLog(
        learned=Learned(),
        base_url="http://localhost",
        model="small",
        thread_id=thread_id,
        requests=requests,
        compactions=Compactions(database),
        memory=MemoryDays(tmp_path, no_keys),
    )
    request_id = await log.keep_request("a1", 2, [{"role": "user", "content": "hi"}], [], 12, ["digest"])
    assert request_id is not None
    await log.finish_request(request_id, Usage(512, 33, cached_tokens=480), 41.5)
    (kept,) = await requests.list(thread_id)
    database.close()
    assert kept.as_json() == {
        "id": request_id,
        "messageId": "a1",
        "step": 2,
        "model": "small",
        "createdAt": kept.created_at,
        "estimatedTokens": 12,
        "stages": ["digest"],
        "inputTokens": 512,
        "cachedInputTokens": 480,
        "outputTokens": 33,
        "firstTokenMs": 41.5,
    }
