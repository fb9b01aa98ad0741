from __future__ import annotations

from ..running_assistant import RunningAssistant


async def test_the_provider_of_a_chat_that_nobody_chose_is_the_default(assistant: RunningAssistant) -> None:
    thread = await assistant.new_thread()
    chosen = (await assistant.call("GET", f"/assistant/threads/{thread}/provider")).json
    assert (chosen["provider"], chosen["model"], chosen["status"]["state"]) == ("", "", "needs-setup")


async def test_an_unknown_chat_has_none(assistant: RunningAssistant) -> None:
    refused = await assistant.call("GET", "/assistant/threads/none/provider")
    assert (refused.status, refused.error_code) == (404, "unknown_thread")
