from __future__ import annotations

import pytest

from dev.scripted.refusal import Refusal
from dev.scripted.request_rules import first_refusal, parse_body

from .conversations import calls, result, says, user

TOOL = {
    "type": "function",
    "function": {"name": "addNode", "parameters": {"type": "object", "properties": {}}},
}
ROUND = [calls("addNode"), result("call_0")]


def request(*messages, **options):
    return {"model": "m", "messages": list(messages), **options}


def with_arguments(text):
    message = calls("addNode")
    message["tool_calls"][0]["function"]["arguments"] = text
    return message


def with_id(identifier):
    message = calls("addNode")
    message["tool_calls"][0]["id"] = identifier
    return message


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(request(user()), id="one question"),
        pytest.param(
            request({"role": "system", "content": "Be brief."}, user(), *ROUND, says("Done.")), id="a turn"
        ),
        pytest.param(
            request(user(), calls("addNode", "getNodeInfo"), result("call_1"), result("call_0")),
            id="parallel results in any order",
        ),
        pytest.param(
            request({"role": "user", "content": [{"type": "text", "text": "look"}]}), id="content in parts"
        ),
        pytest.param(
            request(
                user(), tools=[TOOL], tool_choice="auto", stream=True, stream_options={"include_usage": True}
            ),
            id="a stream with tools",
        ),
        pytest.param(
            request(user(), {**says("Yes."), "reasoning_content": "Well."}, user()), id="reasoning given back"
        ),
    ],
)
def test_a_well_formed_request_is_accepted(body):
    assert first_refusal(body, []) is None


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        pytest.param(request(), "'messages' is missing or empty", id="no messages"),
        pytest.param({"messages": [user()]}, "model parameter", id="no model"),
        pytest.param(request(user(""), stream=True), "'messages[0].content'", id="empty user text"),
        pytest.param(request(user(), says("")), "'messages[1].content'", id="empty assistant without calls"),
        pytest.param(
            request(user(), {"role": "assistant"}), "'messages[1].content'", id="nothing in a reply"
        ),
        pytest.param(
            request({"role": "user", "content": [{"type": "text", "text": ""}]}),
            "content[0].text",
            id="empty part",
        ),
        pytest.param(request({"role": "human", "content": "x"}), "role", id="unknown role"),
        pytest.param(
            request(user(), calls("addNode")), "did not have response messages: call_0", id="no result"
        ),
        pytest.param(
            request(user(), calls("addNode", "addNode"), result("call_0"), user()),
            "did not have response messages: call_1",
            id="one of two results",
        ),
        pytest.param(
            request(user(), calls("addNode"), user(), result("call_0")),
            "did not have",
            id="something in between",
        ),
        pytest.param(request(user(), result("call_9")), "must be a response", id="a result of no call"),
        pytest.param(request(user(), *ROUND, result("call_0")), "must be a response", id="a second result"),
        pytest.param(request(user(), *ROUND, *ROUND), "a second time", id="an id used twice"),
        pytest.param(request(user(), with_id("")), "expected 1 to 40 characters", id="an empty id"),
        pytest.param(request(user(), with_id("x" * 41)), "expected 1 to 40 characters", id="a long id"),
        pytest.param(request(user(), with_arguments('{"type')), "not a JSON object", id="cut arguments"),
        pytest.param(request(user(), with_arguments("")), "not a JSON object", id="empty arguments"),
        pytest.param(request(user(), with_arguments("[1]")), "not a JSON object", id="a list as arguments"),
        pytest.param(
            request(user(), {"role": "assistant", "content": "x", "tool_calls": []}),
            "at least one",
            id="no calls",
        ),
        pytest.param(request(user("a\ud83d")), "surrogate", id="half a surrogate pair"),
        pytest.param(request(user(), tools=[]), "at least one tool", id="an empty list of tools"),
        pytest.param(request(user(), tools=[TOOL, TOOL]), "used twice", id="a tool twice"),
        pytest.param(
            request(user(), tool_choice="auto"), "only allowed when 'tools'", id="a choice of no tools"
        ),
        pytest.param(
            request(user(), stream_options={}), "only allowed when 'stream'", id="stream options alone"
        ),
        pytest.param(request(user(), temperature="hot"), "'temperature'", id="temperature in words"),
        pytest.param(request(user(), max_tokens=0), "'max_tokens'", id="no tokens"),
        pytest.param(
            request(user(), top_k=4), "Unrecognized request argument", id="a parameter of another API"
        ),
        pytest.param(
            request({"role": "user", "content": "x", "id": "u1"}),
            "Additional properties",
            id="a key of our own",
        ),
    ],
)
def test_a_malformed_request_is_refused_with_the_reason(body, complaint):
    refusal = first_refusal(body, [])
    assert refusal is not None
    assert complaint in refusal.message


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ("mistral", [user(), with_id("abcdefgh1"), result("abcdefgh1"), says("x"), user()], [user(), *ROUND]),
        (
            "mistral",
            [user(), says("x"), user()],
            [user(), with_id("abcdefgh1"), result("abcdefgh1"), user()],
        ),
        ("alternating-roles", [user(), *ROUND, says("x"), user()], [user(), user()]),
        (
            "alternating-roles",
            [{"role": "system", "content": "s"}, user()],
            [user(), {"role": "system", "content": "s"}],
        ),
        ("no-system-role", [user()], [{"role": "system", "content": "s"}, user()]),
        ("reasoning-replayed", [user(), {**says("x"), "reasoning_content": "r"}], [user(), says("x")]),
        ("reasoning-refused", [user(), says("x")], [user(), {**says("x"), "reasoning": "r"}]),
        (
            "kimi-thinks",
            [user(), {**ROUND[0], "reasoning_content": " "}, *ROUND[1:]],
            [user(), {**ROUND[0], "reasoning_content": ""}, *ROUND[1:]],
        ),
        (
            "kimi-ids",
            [user(), with_id("functions.addNode:0"), result("functions.addNode:0")],
            [user(), *ROUND],
        ),
    ],
)
def test_a_server_of_one_kind_refuses_more(rule, good, bad):
    assert first_refusal(request(*good), [rule]) is None
    assert first_refusal(request(*bad), []) is None
    assert first_refusal(request(*bad), [rule]) is not None


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "additionalProperties": False},
        {"type": "object", "properties": {"a": {"type": ["string", "number"]}}},
        {"type": "object", "properties": {"a": {"anyOf": [{"const": 1}]}}},
    ],
)
def test_only_plain_schemas_pass_where_a_server_wants_them(schema):
    body = request(user(), tools=[{"type": "function", "function": {"name": "f", "parameters": schema}}])
    plain = {"type": "object", "properties": {"const": {"type": "string", "enum": ["additionalProperties"]}}}
    assert first_refusal(body, ["plain-schemas"]) is not None
    body["tools"][0]["function"]["parameters"] = plain
    assert first_refusal(body, ["plain-schemas"]) is None


@pytest.mark.parametrize("content", [b"{", b"[1]", b'{"a": NaN}', b"[" * 100_000, b"\xff"])
def test_a_body_that_is_no_json_object_is_refused(content):
    assert isinstance(parse_body(content), Refusal)
