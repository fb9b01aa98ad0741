from __future__ import annotations

from ..running_assistant import RunningAssistant


async def test_all_threads_are_searched(assistant: RunningAssistant, thread: str) -> None:
    results = (await assistant.call("GET", "/assistant/search?query=red+SKY")).json["results"]
    assert [
        (hit["threadId"], hit["threadTitle"], hit["messageId"], hit["role"], hit["excerpt"])
        for hit in results
    ] == [(thread, "Make the sky red", "u1", "user", "Make the sky red")]
    other = await assistant.call("GET", "/assistant/search?query=sky&threadId=thread_other")
    assert other.json == {"results": []}
    for query in ("", "query=", "query=sky&limit=0", "query=sky&limit=1000"):
        refused = await assistant.call("GET", f"/assistant/search?{query}")
        assert (refused.status, refused.error_code) == (400, "invalid_request"), query
