"""What a scenario file may hold, as types; `scenarios/README.md` shows each key in use."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0}


def seconds(value: Any) -> float:
    """A length of time as a scenario writes it: "250ms", "1.5s", "2m", or a plain number of seconds."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0:
        return float(value)
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f'{value!r} is not a length of time; expected for example "250ms", "1.5s" or "2m"')
    return float(match[1]) * _SECONDS[match[2]]


Duration = Annotated[float, BeforeValidator(seconds)]


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Say(_Value):
    """Text for the user. A list is sent in exactly these deltas; a string is split."""

    say: str | list[str]
    split: Literal["words", "characters", "whole"] = "words"


class Think(_Value):
    """Reasoning, in the field that the imitated server uses for it."""

    think: str | list[str]
    field: Literal["reasoning_content", "reasoning"] = "reasoning_content"
    split: Literal["words", "characters", "whole"] = "words"


class Call(_Value):
    """One tool call. Arguments in a string are sent verbatim, valid JSON or not."""

    call: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)
    id: str | None = None
    pieces: int = Field(default=3, ge=1)


class Tokens(_Value):
    """Numbered tokens at a fixed rate, for measurements.

    A stamped token is `#<number>@<nanoseconds> `, the server's `time.monotonic_ns()` at the write: on one
    machine the reader's own monotonic clock minus the stamp is the time that the token was under way.
    """

    tokens: int = Field(ge=1)
    every: Duration = 0.02
    stamped: bool = False


class Delta(_Value):
    """A delta of choice 0 exactly as written, in the usual chunk around it."""

    delta: dict[str, Any]
    finish: str | None = None


class Frame(_Value):
    """A whole `data:` payload exactly as written: an object, or text that is not JSON."""

    frame: Any
    event: str | None = None


class Raw(_Value):
    """Bytes of the stream exactly as written."""

    raw: str


class Comment(_Value):
    """An SSE comment, as servers send them to keep a connection alive."""

    comment: str


class Wait(_Value):
    wait: Duration


_PARTS = ("say", "think", "call", "tokens", "delta", "frame", "raw", "comment", "wait")


def _key_of(names: tuple[str, ...], otherwise: str | None = None):
    def kind(value: Any) -> str | None:
        if isinstance(value, BaseModel):
            return next((name for name in names if hasattr(value, name)), otherwise)
        found = [name for name in names if isinstance(value, dict) and name in value]
        return found[0] if len(found) == 1 else otherwise

    return kind


Part = Annotated[
    Annotated[Say, Tag("say")]
    | Annotated[Think, Tag("think")]
    | Annotated[Call, Tag("call")]
    | Annotated[Tokens, Tag("tokens")]
    | Annotated[Delta, Tag("delta")]
    | Annotated[Frame, Tag("frame")]
    | Annotated[Raw, Tag("raw")]
    | Annotated[Comment, Tag("comment")]
    | Annotated[Wait, Tag("wait")],
    Discriminator(
        _key_of(_PARTS),
        custom_error_type="part",
        custom_error_message=f"a part of a reply has exactly one of the keys {', '.join(_PARTS)}",
    ),
]


class When(_Value):
    """What the request must look like for a step to answer it. Nothing said means anything goes."""

    last: Literal["user", "tool", "assistant", "system"] | None = None
    contains: str | None = None
    """Text of the last message, upper and lower case alike."""
    results: list[str] | None = None
    """Tools whose results must be there since the user's message."""
    ok: bool | None = None
    """Whether the newest tool result says `"ok": true`."""


class ReadCall(_Value):
    name: str
    arguments: Any
    """The parsed arguments, or the text where they are no JSON object."""


class ReadsAs(_Value):
    """What a reader must make of a streamed step, however the bytes fall into reads."""

    text: str = ""
    reasoning: str = ""
    calls: list[ReadCall] = Field(default_factory=list)
    reason: str | None = None
    """The finish reason in neutral words, where it matters."""
    error: str | None = None
    """Part of the message of the error that the stream ends with."""
    cut_off: bool = False


class Step(_Value):
    """One reply of the model, or one HTTP error."""

    when: When = When()
    reply: list[Part] = Field(default_factory=list)
    finish: str = "auto"
    """The finish reason: auto (tool_calls if there are calls, else stop), none (left out), or as written."""
    usage: dict[str, Any] | Literal["auto", "none"] = "auto"
    end: Literal["done", "silent", "cut", "hang"] = "done"
    """After the reply: `[DONE]`, a clean end without it, a dropped connection, or silence until the client leaves."""
    first_byte: Duration = 0.0
    """Time before the headers of the answer."""
    pace: Duration | None = None
    """Time between the deltas; the scenario's own if left out."""
    newline: Literal["lf", "crlf", "cr"] = "lf"
    stream: bool | None = None
    """Forces a streamed or a whole reply, whatever was asked for."""
    status: int = 200
    headers: dict[str, str] = Field(default_factory=dict)
    body: Any = None
    reads_as: ReadsAs | None = None


class Either(_Value):
    """Several steps at one place of the conversation: the first whose condition holds answers."""

    either: list[Step] = Field(min_length=1)


class Attempts(_Value):
    """One place of the conversation that answers differently each time the same request comes; the last one stays."""

    attempts: list[Step] = Field(min_length=1)


Place = Annotated[
    Annotated[Step, Tag("step")] | Annotated[Either, Tag("either")] | Annotated[Attempts, Tag("attempts")],
    Discriminator(_key_of(("either", "attempts"), otherwise="step")),
]


class Turn(_Value):
    """The steps that answer one user message, from its first request to the final answer."""

    user: str | None = None
    steps: list[Place] = Field(min_length=1)
    after: Literal["refuse", "repeat"] = "refuse"
    """What a request past the last step gets: a 400 that says so, or the last step again."""


class Scenario(_Value):
    """A file: a title, the rules that the imitated server has for requests, and the turns it can answer."""

    about: str
    rules: list[str] = Field(default_factory=list)
    window: int | None = None
    """Requests of more tokens (a quarter of their characters) are refused as too long."""
    tells_window: bool = True
    """Whether such a refusal has the numbers."""
    pace: Duration = 0.0
    elsewhere: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """What the imitated server answers at addresses of its own: `{"/api/show": {"modelfile": "…"}}`."""
    turns: list[Turn] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _one_turn_needs_no_list(cls, value: Any) -> Any:
        if isinstance(value, dict) and "turns" not in value and "steps" in value:
            value = dict(value)
            turn = {key: value.pop(key) for key in ("user", "steps", "after") if key in value}
            return {**value, "turns": [turn]}
        return value
