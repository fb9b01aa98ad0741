from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.store.chat_outputs import ChatOutput, ChatOutputs, ChatRun
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import LogEvent
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import call, step, text, user

OUTPUT = {
    "ok": True,
    "summary": "Ran in 3 s.",
    "data": {"status": "success", "outputs": [{"node": "9", "files": [{"filename": "output/fox_1.png"}]}]},
}


async def test_a_request_leads_to_the_pictures_of_its_turn_and_to_the_workflow(folder: Path) -> None:
    database = Database.in_folder(folder)
    threads = ThreadStore(database)
    thread = (await threads.create()).id
    await threads.keep_workflow(thread, "workflows/fox.json")
    await threads.append(
        thread,
        [
            user("u1", "the fox"),
            step("a1", call("c1")),
            LogEvent("result", "a1", {"toolCallId": "c1", "state": "output-available", "output": OUTPUT}),
            user("u2", "thanks"),
            step("a2", text("Welcome.")),
        ],
    )
    outputs = ChatOutputs(database)
    expected = ChatOutput("workflows/fox.json", (ChatRun("Ran in 3 s.", ("output/fox_1.png",)),))
    assert await outputs.find(thread, "u1") == expected
    assert await outputs.find(thread, "a1") == expected
    assert await outputs.find(thread, "u2") == ChatOutput("workflows/fox.json", ())
    database.close()
