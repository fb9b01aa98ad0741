from __future__ import annotations

from ..running_assistant import RunningAssistant


async def test_pins_are_added_listed_and_removed(assistant: RunningAssistant, thread: str) -> None:
    path = f"/assistant/threads/{thread}/pins"
    added = await assistant.call("POST", path, {"text": "Keep the seed."})
    assert added.status == 201
    assert (await assistant.call("GET", path)).json == {"pins": [added.json]}
    assert (await assistant.call("POST", path, {"text": "x" * 2_000})).error_code == "too_large"
    assert (await assistant.call("POST", path, {})).error_code == "invalid_request"
    assert (await assistant.call("DELETE", f"{path}/{added.json['id']}")).status == 204
    assert (await assistant.call("GET", path)).json == {"pins": []}


async def test_what_was_sent_and_what_ran_can_be_looked_at(assistant: RunningAssistant, thread: str) -> None:
    contexts = assistant.assistant.providers.contexts
    messages = [{"role": "user", "content": "Make the sky red"}]
    request_id = await contexts.requests.keep(
        thread, message_id="a1", step=1, model="small", messages=messages, tools=[], estimated_tokens=12
    )
    task_id = await contexts.tasks.begin(thread, None, "Find a sampler", {"node": "3"})
    path = f"/assistant/threads/{thread}"
    (listed,) = (await assistant.call("GET", f"{path}/requests")).json["requests"]
    assert (listed["id"], listed["messageId"], listed["estimatedTokens"]) == (request_id, "a1", 12)
    sent = (await assistant.call("GET", f"{path}/requests/{request_id}")).json
    assert sent == {**listed, "messages": messages, "tools": []}
    assert (await assistant.call("GET", f"{path}/requests/none")).error_code == "not_found"
    (task,) = (await assistant.call("GET", f"{path}/tasks")).json["tasks"]
    assert (task["id"], task["status"], task["task"]) == (task_id, "running", "Find a sampler")
