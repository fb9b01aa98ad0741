"""A call for each route of the assistant. A new route without one fails the tests that use them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from comfyui_assistant.engine.http.guard import Route

from .running_assistant import RunningAssistant

_QUERIES = {
    "/assistant/search": "?query=elephant",
    "/assistant/project/files": "?name=new.md&path=animal.md",
}

BODIES: Mapping[str, Any] = {
    "POST /chat": {
        "id": "{id}",
        "messages": [{"id": "new", "role": "user", "parts": [{"type": "text", "text": "hi"}]}],
    },
    "POST /assistant/threads": {},
    "POST /assistant/threads/{id}/stop": {},
    "POST /assistant/threads/{id}/page": {"page": "mine"},
    "PATCH /assistant/threads/{id}": {"title": "mine now", "pinned": True},
    "DELETE /assistant/threads/{id}": None,
    "POST /assistant/threads/{id}/branches/{branchId}": {},
    "POST /assistant/threads/{id}/pins": {"text": "a rule"},
    "DELETE /assistant/threads/{id}/pins/{pinId}": None,
    "POST /assistant/threads/{id}/context": {"action": "clear"},
    "POST /assistant/you/{kind}": {"text": "Another rule."},
    "PATCH /assistant/you/{kind}": {"text": "{rule}", "isOn": False},
    "DELETE /assistant/you/{kind}": {"text": "{rule}"},
    "DELETE /assistant/first-run": None,
    "PUT /assistant/threads/{id}/persona": {"name": ""},
    "PUT /assistant/personas/{persona}": {"text": "A herd.", "seen": "{soul}"},
    "PUT /assistant/threads/{id}/provider": {"provider": ""},
    "PUT /assistant/threads/{id}/memory": {"searchesAll": True},
    "PUT /assistant/memory/{day}": {"text": "A herd.", "seen": "{memory}"},
    "POST /assistant/runs": {"promptId": "none"},
    "DELETE /assistant/runs/{made}": None,
    "PUT /assistant/project/files": {"a herd": True},
    "PATCH /assistant/project/files": {"path": "animal.md", "isOn": False},
    "DELETE /assistant/project/files": None,
    "POST /assistant/renamed-workflows": {"from": "workflows/elephant.json", "to": "workflows/herd.json"},
    "PATCH /assistant/you/documents/{document}": {"text": "A herd.", "seen": "", "isOn": True},
    "POST /user-context/skills": {"slug": "another", "text": "---\nname: A\ndescription: B\n---\nC"},
    "PATCH /user-context/skills/{slug}": {"isOn": False},
    "DELETE /user-context/skills/{slug}": {"seen": ""},
    "POST /user-context/skill-changes/{change}": {},
    "POST /user-context/skill-imports": {"name": "none", "zip": ""},
    "PUT /assistant/settings": {},
    "POST /assistant/access": {"code": "none"},
    "PUT /assistant/trusted-packages": {"packages": ["a-herd"]},
    "POST /assistant/providers/test": {},
    "POST /assistant/providers": {"baseUrl": "http://127.0.0.1:9/v1"},
    "POST /assistant/providers/{provider}/models": {},
    "PATCH /assistant/providers/{provider}": {"name": "Mine"},
    "DELETE /assistant/providers/{provider}": None,
    "DELETE /assistant/providers/learned-window": None,
    "DELETE /assistant/providers/learned-rules": None,
    "POST /assistant/documents/text": {"file": "none.pdf"},
    "POST /assistant/renders/{run}": {},
    "DELETE /assistant/renders/{run}": None,
    "PUT /assistant/options": {"name": "max_steps", "value": 9},
    "POST /environment/model-heads": {"names": ["elephant.safetensors"]},
    "POST /assistant/missing": {"workflow": {"nodes": [], "links": []}},
    "POST /assistant/missing/packages": {"ids": [], "types": []},
    "POST /assistant/models/offers": {"url": "https://models.example/a.safetensors", "folder": "loras"},
    "POST /assistant/models/downloads": {"offer": "none"},
    "DELETE /assistant/models/downloads/{download}": None,
    "PUT /assistant/models/hosts": {"host": "https://models.example"},
}


@dataclass(frozen=True)
class RouteCall:
    """A call of a route. `path` has its placeholders filled in; `route` is the declared one."""

    route: Route
    path: str
    body: Any

    @property
    def name(self) -> str:
        return _name_of(self.route)

    @property
    def is_of_a_thread(self) -> bool:
        return "/threads/{id}" in self.route.path or self.route.path == "/chat"


def route_calls(assistant: RunningAssistant, places: Mapping[str, str]) -> list[RouteCall]:
    """Return a call of each route, with `places` for the names in braces. Destructive calls come last."""
    routes = assistant.assistant.routes()
    unknown = {_name_of(route) for route in routes if route.method != "GET"} ^ BODIES.keys()
    assert not unknown, f"tests/route_calls.py and the routes differ in {sorted(unknown)}"
    calls = [
        RouteCall(route, filled(route.path, places) + _QUERIES.get(route.path, ""), _body(route, places))
        for route in routes
    ]
    return sorted(calls, key=lambda call: ("GET", "POST", "PUT", "PATCH", "DELETE").index(call.route.method))


def _name_of(route: Route) -> str:
    return f"{route.method} {route.path}"


def filled(text: str, places: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: places[found[1]], text)


def _body(route: Route, places: Mapping[str, str]) -> Any:
    return body_with(BODIES.get(_name_of(route)), places)


def body_with(body: Any, places: Mapping[str, str]) -> Any:
    """Return a body of `BODIES` with its placeholders filled in."""
    if not isinstance(body, dict):
        return body
    return {name: filled(value, places) if isinstance(value, str) else value for name, value in body.items()}
