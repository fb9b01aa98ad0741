from __future__ import annotations

from pathlib import Path

from ..running_assistant import running_assistant


async def test_a_body_that_is_not_compressed_as_it_says_is_refused(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        headers = {"Content-Encoding": "gzip"}
        refused = await assistant.call("POST", "/chat", b"{}", headers=headers)
    assert (refused.status, refused.error_code) == (400, "invalid_json")
    assert "is not what its Content-Encoding says" in refused.json["error"]["message"]
