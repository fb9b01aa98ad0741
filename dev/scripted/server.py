"""The HTTP side of the scripted provider: OpenAI's routes, and `/scripted/…` to look at it and to steer it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from aiohttp import web

from .chunking import rechunk
from .pauses import Pauses
from .position import position_of, step_for
from .recording import RecordedRequest, RequestLog, key_name
from .refusal import Refusal
from .reply import STAMP, Envelope, Piece, streamed, whole
from .request_rules import first_refusal, parse_body
from .scenario import Say, Scenario, Step
from .scenario_files import ScenarioError, load_scenario, parse_scenario, scenario_names
from .template import TemplateError, Values

MODEL = "scripted"
"""The model that plays the current scenario; `scripted/<name>` plays the one of that name."""

Program = Callable[[dict[str, Any]], Step]
"""Answers a request in place of the scenario's steps. Runs in the event loop."""

_LARGEST_BODY = 64 * 1024 * 1024
_PROBE_REPLY = Step(reply=[Say(say=".")], finish="length")


class ScriptedServer:
    """The routes over one current scenario and one log. Runs in the event loop of whoever starts its `app`."""

    def __init__(
        self,
        scenario: Scenario,
        *,
        name: str,
        keys: Mapping[str, str],
        required_key: str | None,
        chunking: str,
        pace: float | None,
        program: Program | None = None,
    ) -> None:
        rechunk([], chunking)
        self._program = program
        self.log = RequestLog()
        self.stopping = False
        self._keys = keys
        self._required_key = required_key
        self._chunking = chunking
        self._pace = pace
        self._attempts: Counter[str] = Counter()
        self._started = time.monotonic()
        self.play(scenario, name=name)

    def play(self, scenario: Scenario, *, name: str) -> None:
        self._scenario, self._name = scenario, name
        self._pauses = Pauses()
        self._attempts.clear()

    def hurry(self) -> None:
        self._pauses.end()

    def app(self) -> web.Application:
        app = web.Application(client_max_size=_LARGEST_BODY)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/scripted/requests", self._requests)
        app.router.add_get("/scripted/state", self._state)
        app.router.add_post("/scripted/reset", self._reset)
        app.router.add_post("/scripted/scenario", self._choose)
        app.router.add_route("*", "/{path:.*}", self._elsewhere)
        return app

    async def _elsewhere(self, request: web.Request) -> web.Response:
        answer = self._scenario.elsewhere.get(request.path)
        if answer is None:
            raise web.HTTPNotFound
        return web.json_response(answer)

    async def _models(self, request: web.Request) -> web.Response:
        record = self._record(request)
        if refused := self._wrong_key(record):
            return self._json(record, refused.body(), status=refused.status)
        names = [MODEL, *(f"{MODEL}/{name}" for name in scenario_names())]
        models = [{"id": name, "object": "model", "created": 0, "owned_by": "scripted"} for name in names]
        return self._json(record, {"object": "list", "data": models})

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        record = self._record(request)
        try:
            return await self._answer(request, record)
        except ConnectionError:
            # Nobody is there to be answered; raised, it would be logged as a fault of ours.
            record.closed_early = True
            return web.Response()
        except asyncio.CancelledError:
            record.closed_early = not self.stopping
            raise
        finally:
            record.finished = self._now()
            self.log.changed()

    async def _answer(self, request: web.Request, record: RecordedRequest) -> web.StreamResponse:
        body = parse_body(await request.read())
        if isinstance(body, Refusal):
            return self._refuse(record, body)
        record.body = body
        self.log.changed()
        if refused := self._wrong_key(record):
            return self._json(record, refused.body(), status=refused.status)
        chosen = self._scenario_for(body.get("model"), record)
        if isinstance(chosen, Refusal):
            return self._refuse(record, chosen)
        if refused := first_refusal(body, chosen.rules):
            return self._refuse(record, refused)
        if chosen.window is not None and (tokens := _tokens(body)) > chosen.window:
            numbers = _numbers(tokens, chosen.window) if chosen.tells_window else ""
            return self._json(record, _overflow(numbers).body(), status=400)
        position = position_of(body["messages"])
        step: Step | Refusal = _PROBE_REPLY
        if not is_probe(body):
            record.step, record.attempt = position.step, self._next_attempt(body, record.scenario or "")
            step = (
                self._program(body) if self._program else step_for(chosen, position, attempt=record.attempt)
            )
        if isinstance(step, Refusal):
            return self._refuse(record, step)
        tokens = _tokens(body)
        return await self._play(request, record, step, position.values, self._pace_of(step, chosen), tokens)

    async def _play(
        self,
        request: web.Request,
        record: RecordedRequest,
        step: Step,
        values: Values,
        pace: float,
        tokens: int,
    ) -> web.StreamResponse:
        if step.first_byte:
            await asyncio.sleep(step.first_byte if self._pace is None else min(step.first_byte, self._pace))
        if step.status != 200 or step.body is not None:
            return self._json(record, step.body, status=step.status, headers=step.headers)
        body = record.body
        envelope = Envelope(_reply_id(body), body["model"], int(time.time()))
        try:
            if not (body.get("stream") if step.stream is None else step.stream):
                return self._json(
                    record, whole(step, envelope, values, prompt_tokens=tokens), headers=step.headers
                )
            pieces = streamed(
                step,
                envelope,
                values,
                pace=pace,
                prompt_tokens=tokens,
                include_usage=bool((body.get("stream_options") or {}).get("include_usage")),
            )
        except TemplateError as error:
            return self._refuse(record, Refusal(str(error), code="scripted_no_value"))
        return await self._write(request, record, step, rechunk(pieces, self._chunking))

    async def _write(
        self, request: web.Request, record: RecordedRequest, step: Step, pieces: list[Piece]
    ) -> web.StreamResponse:
        headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache", **step.headers}
        response = web.StreamResponse(headers=headers)
        record.status = 200
        await response.prepare(request)
        clock, pauses = asyncio.get_running_loop().time, self._pauses
        due = clock()
        for piece in pieces:
            due += piece.pause
            await pauses.wait(due - clock())
            if record.first_byte is None:
                record.first_byte = self._now()
            data = piece.data
            if piece.stamped:
                data = data.replace(STAMP, b"%019d" % time.monotonic_ns(), 1)
            if data:
                await response.write(data)
            record.writes += 1
        if step.end == "hang":
            self.log.changed()
            await asyncio.Event().wait()
        record.finished = self._now()
        if step.end == "cut" and request.transport is not None:
            request.transport.close()
        else:
            await response.write_eof()
        return response

    async def _requests(self, _request: web.Request) -> web.Response:
        return web.json_response({"requests": [record.as_json() for record in self.log.requests]})

    async def _state(self, _request: web.Request) -> web.Response:
        state = {"scenario": self._name, "open": self.log.open_count, "peakOpen": self.log.peak_open}
        return web.json_response(state)

    async def _reset(self, _request: web.Request) -> web.Response:
        self.reset()
        return web.json_response({"ok": True})

    async def _choose(self, request: web.Request) -> web.Response:
        body = parse_body(await request.read())
        wanted = {} if isinstance(body, Refusal) else body
        try:
            if isinstance(wanted.get("name"), str):
                name = wanted["name"]
                scenario = load_scenario(name)
            elif "scenario" in wanted:
                name, scenario = "posted", parse_scenario(wanted["scenario"])
            else:
                raise ScenarioError(
                    'Nothing to switch to; expected {"name": "red-image"} or {"scenario": {…}}.'
                )
        except ScenarioError as error:
            return web.json_response(Refusal(str(error)).body(), status=400)
        self.play(scenario, name=name)
        return web.json_response({"ok": True, "scenario": name})

    def reset(self) -> None:
        self.log.clear()
        self._attempts.clear()

    def _record(self, request: web.Request) -> RecordedRequest:
        return self.log.add(
            method=request.method,
            path=request.path,
            headers=request.headers,
            key=key_name(request.headers, self._keys),
            at=self._now(),
        )

    def _wrong_key(self, record: RecordedRequest) -> Refusal | None:
        if self._required_key is None or record.key == self._required_key:
            return None
        return Refusal("Incorrect API key provided.", code="invalid_api_key", status=401)

    def _scenario_for(self, model: Any, record: RecordedRequest) -> Scenario | Refusal:
        prefix = f"{MODEL}/"
        record.scenario = self._name
        if not isinstance(model, str) or not model.startswith(prefix):
            return self._scenario
        record.scenario = model.removeprefix(prefix)
        try:
            return load_scenario(record.scenario)
        except ScenarioError as error:
            return Refusal(str(error), "model", "model_not_found", status=404)

    def _next_attempt(self, body: dict[str, Any], scenario: str) -> int:
        key = scenario + json.dumps(body["messages"], sort_keys=True)
        key = hashlib.sha256(key.encode()).hexdigest()
        self._attempts[key] += 1
        return self._attempts[key] - 1

    def _pace_of(self, step: Step, scenario: Scenario) -> float:
        if self._pace is not None:
            return self._pace
        return scenario.pace if step.pace is None else step.pace

    def _refuse(self, record: RecordedRequest, refusal: Refusal) -> web.Response:
        record.refusal = refusal.message
        return self._json(record, refusal.body(), status=refusal.status)

    def _json(
        self,
        record: RecordedRequest,
        body: Any,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> web.Response:
        record.status = status
        record.finished = record.first_byte = self._now()
        self.log.changed()
        kind = "text/html" if isinstance(body, str) and body.lstrip().startswith("<") else "application/json"
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(text=text, status=status, content_type=kind, headers=headers)

    def _now(self) -> float:
        return round(time.monotonic() - self._started, 6)


def named_scenario(scenario: str | Path | Scenario | dict[str, Any]) -> tuple[str, Scenario]:
    if isinstance(scenario, Scenario):
        return "given", scenario
    if isinstance(scenario, dict):
        return "given", parse_scenario(scenario)
    return Path(scenario).stem if isinstance(scenario, Path) else scenario, load_scenario(scenario)


def is_probe(body: dict[str, Any]) -> bool:
    """A request for one token is a warm-up or a connection test, not part of a conversation."""
    return 1 in (body.get("max_tokens"), body.get("max_completion_tokens"))


def _tokens(body: dict[str, Any]) -> int:
    return max(1, len(json.dumps(body, ensure_ascii=False)) // 4)


def _numbers(tokens: int, window: int) -> str:
    return (
        f"This model's maximum context length is {window} tokens. However, your messages resulted in {tokens} "
        "tokens. "
    )


def _overflow(numbers: str) -> Refusal:
    message = f"{numbers}Please reduce the length of the messages."
    return Refusal(message, "messages", "context_length_exceeded")


def _reply_id(body: dict[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps(body["messages"], sort_keys=True).encode()).hexdigest()
    return f"chatcmpl-{digest[:24]}"
