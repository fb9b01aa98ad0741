"""A user with one of everything that is stored, each with the word "elephant", and the places to ask for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from .running_assistant import Reply

SECRET = "elephant"
_SKILL = f"---\nname: sketch-first\ndescription: How to sketch an {SECRET}.\n---\nThin {SECRET} lines.\n"

_MEMORY = f"- Asked: an {SECRET}."
_SOUL = f"---\nname: Keeper\ndescription: Knows each {SECRET}.\n---\nSpeak to the {SECRET}."
_RULE = "Always ask first."

Call = Callable[..., Awaitable[Reply]]


async def keep_everything(call: Call, folder: Path) -> Mapping[str, str]:
    """Store chats of the calling user, and their files in `folder`; return the values for placeholders in paths."""
    (folder / "skills" / "sketch-first").mkdir(parents=True)
    (folder / "skills" / "sketch-first" / "SKILL.md").write_text(_SKILL, "utf-8")
    (folder / "rules.md").write_text(f"- Draw the {SECRET} first.\n", "utf-8")
    (folder / "memory").mkdir()
    (folder / "memory" / "2026-01-31.md").write_text(_MEMORY, "utf-8")
    (folder / "personas" / "keeper").mkdir(parents=True)
    (folder / "personas" / "keeper" / "SOUL.md").write_text(_SOUL, "utf-8")
    (folder / "project").mkdir(parents=True)
    (folder / "project" / "animal.md").write_text(f"All about the {SECRET}.\n", "utf-8")
    (folder / "goals.md").write_text(f"- A herd of {SECRET}s.\n", "utf-8")
    thread = (await call("POST", "/assistant/threads", {})).json["id"]
    of_thread = f"/assistant/threads/{thread}"
    for number in (1, 2):
        message = {
            "id": f"u{number}",
            "role": "user",
            "parts": [{"type": "text", "text": f"a purple {SECRET}"}],
        }
        said = await call("POST", "/chat", {"id": thread, "messages": [message], "parentId": None})
        assert said.status == 200
    await call("POST", "/assistant/you/rules", {"text": _RULE})
    provider = {
        "baseUrl": "http://127.0.0.1:9/v1",
        "model": f"{SECRET}-7b",
        "name": f"The {SECRET}",
        "apiKey": f"sk-canary-{SECRET}",
    }
    added = (await call("POST", "/assistant/providers", provider)).json
    pin = (await call("POST", f"{of_thread}/pins", {"text": f"always an {SECRET}"})).json
    requests = (await call("GET", f"{of_thread}/requests")).json["requests"]
    branches = (await call("GET", f"{of_thread}/branches")).json["branches"]
    assert len(branches) == 2
    return {
        "id": thread,
        "branchId": next(branch["id"] for branch in branches if not branch["isCurrent"]),
        "pinId": str(pin["id"]),
        "requestId": str(requests[0]["id"]),
        "ref": "u1",
        "number": "1",
        "rule": _RULE,
        "kind": "rules",
        "document": "persona",
        "slug": "sketch-first",
        "provider": added["id"],
        "change": "1",
        "name": "none",
        "download": "none",
        "run": "none",
        "made": "none",
        "day": "2026-01-31",
        "memory": _MEMORY,
        "persona": "keeper",
        "soul": _SOUL,
    }
