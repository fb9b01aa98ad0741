from __future__ import annotations

import json
from typing import Any

import pytest
from comfyui_assistant.engine.base.extension_metadata import METADATA_KEY
from comfyui_assistant.engine.context.handles import read_back
from comfyui_assistant.engine.context.results import (
    ResultBudget,
    arguments_text,
    cap_result,
    digest_result,
    has_succeeded,
    images,
    in_model_terms,
    new_result,
    one_line,
    result_text,
    share_budget,
    stored_budget,
)
from comfyui_assistant.engine.context.tool_facts import ToolFacts

from .conversations import answer, call, user
from .planned import planned

USUAL, MOST = ToolFacts(), ToolFacts(share="most")
PICTURE = {"url": "data:image/png;base64,AAAA", "caption": "seed 1"}
NOT_RUN = '{"ok":false,"error":"Not run: the person stopped the assistant, or the tab was closed, before it ended."}'


@pytest.mark.parametrize(
    ("free", "tools", "rooms"),
    [
        pytest.param(9_000, [USUAL], [3_000], id="a third for one"),
        pytest.param(9_000, 2 * [USUAL], 2 * [3_000], id="a third for each of two"),
        pytest.param(9_000, 3 * [USUAL], 3 * [2_100], id="seven tenths for all together"),
        pytest.param(10_000, [MOST], [7_000], id="seven tenths for what all else is made of"),
        pytest.param(31_000, [MOST, USUAL], [14_700, 7_000], id="shared by what each asks for"),
        pytest.param(-50, 8 * [USUAL], 8 * [300], id="a little in any case"),
        pytest.param(9_000, [], [], id="no call"),
    ],
)
def test_the_results_of_a_step_share_what_is_free(
    free: int, tools: list[ToolFacts], rooms: list[int]
) -> None:
    assert [room.tokens for room in share_budget(free, tools)] == rooms


def test_a_room_holds_what_counts_no_more_than_its_tokens() -> None:
    room = ResultBudget(30)
    assert (room.holds("x" * 100), room.holds("x" * 101)) == (True, False)
    assert (room.holds(["x" * 90]), room.holds(["x" * 98])) == (True, False)


@pytest.mark.parametrize(
    ("own", "room"),
    [
        pytest.param({"room": 700}, ResultBudget(700), id="as it was told"),
        pytest.param({"callId": "c"}, None, id="a call from before there were rooms"),
        pytest.param({"room": True}, None, id="no number"),
        pytest.param({"room": -1}, None, id="less than nothing"),
    ],
)
def test_a_call_keeps_its_room(own: dict[str, Any], room: ResultBudget | None) -> None:
    part: Any = {"type": "tool-look", "callProviderMetadata": {"comfyuiAssistant": own}}
    assert stored_budget(part) == room


def test_a_large_result_is_capped_at_once_and_its_handle_reads_it_back() -> None:
    output = {
        "ok": True,
        "summary": "Read.",
        "data": [{"id": number, "type": "KSampler"} for number in range(900)],
    }
    conversation = [user("u1"), answer("a1", [call("c1", output)])]
    shown = planned(conversation).messages[-1]["content"]
    assert len(shown) < 4_300
    assert shown.startswith('{"ok":true,"summary":"Read."')
    *kept, marker = json.loads(shown)["data"]
    assert kept == output["data"][: len(kept)]
    whole = read_back(conversation, "r1") or ""
    offset = whole.index(f'{{"id":{len(kept)},')
    assert marker == (
        f"… [r1: {900 - len(kept)} of 900 left out; "
        f'readToolResult with ref "r1" and offset {offset} reads them]'
    )
    assert json.loads(whole) == output


def test_the_offset_of_the_first_gap_is_told_where_lines_of_a_text_are_left_out() -> None:
    lines = [f'line "{number}" of a skill' for number in range(400)]
    part = call("c1", {"ok": True, "data": {"content": "\n".join(lines)}})
    shown = cap_result(part, "r1", cap=3_000, can_read_back=True)
    content = json.loads(shown)["data"]["content"].split("\n")
    at, marker = next((at, line) for at, line in enumerate(content) if line.startswith("…"))
    offset = int(marker.split("offset ")[1].split(" ")[0])
    assert result_text(part)[offset:].startswith(json.dumps(lines[at])[1:-1])
    assert len(shown) <= 3_000


def test_arguments_that_are_huge_are_cut_and_stay_json() -> None:
    conversation = [
        user("u1"),
        answer("a1", [call("c1", arguments={"json": "x" * 500_000, "list": ["y"] * 5_000})]),
    ]
    made = planned(conversation).messages[-2]["tool_calls"][0]["function"]["arguments"]
    assert len(made) <= 20_000
    assert "characters left out" in json.loads(made)["json"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"output": "plain"}, "plain", id="text goes as it is"),
        pytest.param({"output": {"a": "ä"}}, '{"a":"ä"}', id="an object goes as readable JSON"),
        pytest.param({"output": ""}, '""', id="an empty text is not empty content"),
        pytest.param({"output": None}, "null", id="nothing is not empty content either"),
        pytest.param(
            {"state": "output-error", "errorText": "No."}, '{"ok":false,"error":"No."}', id="an error"
        ),
        pytest.param(
            {"state": "output-error"},
            '{"ok":false,"error":"The tool failed without saying why."}',
            id="an error without a word",
        ),
        pytest.param(
            {"state": "output-denied"}, '{"ok":false,"error":"The person refused this call."}', id="a refusal"
        ),
        pytest.param(
            {"output": {"ok": False, "code": "stopped", "error": "No.", "hint": "Ask."}},
            '{"ok":false,"error":"No.","hint":"Ask."}',
            id="a failure goes without its code, which says no more than its sentence",
        ),
        pytest.param(
            {"output": {"ok": True, "code": "a"}}, '{"ok":true,"code":"a"}', id="a code of another kind goes"
        ),
        pytest.param(
            {
                "output": {
                    "ok": True,
                    "summary": "A.",
                    "outside": ["the open workflow: 3.text"],
                    "newOutside": [],
                }
            },
            '{"ok":true,"summary":"A."}',
            id="whose words it brings is not told again",
        ),
        pytest.param(
            {"output": {"ok": False, "error": "A.", "outside": ["x: 3.text"], "newOutside": ["x"]}},
            '{"ok":false,"error":"A.","outside":["x"]}',
            id="whose words it brings is told in a word",
        ),
        pytest.param(
            {"output": {"ok": True, "summary": "A.", "told": ["a"], "data": {"a": 1, "b": 2}}},
            '{"ok":true,"summary":"A.","data":{"b":2}}',
            id="what the summary tells is told once",
        ),
        pytest.param(
            {
                "output": {
                    "ok": True,
                    "told": [["a", "b", "3"], ["a", "c", "5"], ["a", "d"], ["e", "x"], []],
                    "data": {"a": {"b": {"3": "x", "4": "y"}, "c": {"5": "z"}, "d": 1}, "e": [1]},
                }
            },
            '{"ok":true,"data":{"a":{"b":{"4":"y"}},"e":[1]}}',
            id="a part that the summary tells is told once, and what nothing is left of is not named",
        ),
        pytest.param(
            {
                "output": {
                    "ok": True,
                    "told": [["a", "0", "problem"], ["a", "1"], ["b", "0"]],
                    "data": {"a": [{"problem": "x", "fix": "y"}, 5, 6], "b": ["z"], "c": ["z"]},
                }
            },
            '{"ok":true,"data":{"a":[{"fix":"y"},6],"c":["z"]}}',
            id="entries of lists are told once, too",
        ),
        pytest.param(
            {"output": {"ok": True, "summary": "A.", "told": "a", "data": [1]}},
            '{"ok":true,"summary":"A.","data":[1]}',
            id="what tells nothing leaves all data",
        ),
        pytest.param({"state": "input-available"}, NOT_RUN, id="a call that was never answered"),
        pytest.param({"state": "input-streaming"}, NOT_RUN, id="a call that was never finished"),
        pytest.param(
            {"output": {"ok": True, "data": {"images": [PICTURE, {"url": "http://x/1.png"}]}}},
            '{"ok":true,"data":{"images":[{"url":"below","caption":"seed 1"},{"url":"below"}]}}',
            id="the data of pictures is no text",
        ),
    ],
)
def test_every_call_has_a_result(fields: Any, expected: str) -> None:
    assert result_text({**call("c1"), **fields}) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"input": {"a": "ä"}}, '{"a":"ä"}', id="an object"),
        pytest.param({"input": {}}, "{}", id="none"),
        pytest.param({"input": None}, "{}", id="left out"),
        pytest.param(
            {"input": None, "rawInput": '{"type":'}, '{"invalidArguments":"{\\"type\\":"}', id="no JSON"
        ),
        pytest.param(
            {"input": None, "rawInput": '{"type": "KSampler"}'},
            '{"type":"KSampler"}',
            id="refused, and right JSON",
        ),
        pytest.param({"input": [1]}, '{"invalidArguments":[1]}', id="no object"),
    ],
)
def test_arguments_go_back_as_a_json_object_whatever_they_were(fields: Any, expected: str) -> None:
    assert arguments_text(call("c1", **fields), is_digest=False) == expected


@pytest.mark.parametrize(
    ("is_digest", "arguments", "most"),
    [
        (False, {"a": ["x" * 90_000] * 90}, 20_000),
        (True, {"a": ["x" * 90_000] * 90}, 2_000),
        (True, {f"name-{number}": "x" * 90 for number in range(900)}, 2_000),
    ],
)
def test_arguments_of_any_size_stay_an_object_within_the_limit(
    is_digest: bool, arguments: Any, most: int
) -> None:
    written = arguments_text(call("c1", arguments=arguments), is_digest=is_digest)
    assert len(written) <= most
    assert isinstance(json.loads(written), dict)


@pytest.mark.parametrize(
    ("room", "most"),
    [
        pytest.param(None, 1_000, id="one without room"),
        pytest.param(100, 1_000, id="one with little room"),
        pytest.param(900, 3_000, id="one with room"),
        pytest.param(9_000, 9_000, id="one with room for all"),
    ],
)
def test_a_new_result_is_as_long_as_its_room_allows_and_capped_later(room: int | None, most: int) -> None:
    part = call("c1", "\n".join(["x" * 99] * 90), callProviderMetadata={"comfyuiAssistant": {"room": room}})
    shown = new_result(part, "r7", cap=1_000, can_read_back=True)
    assert most - 200 <= len(shown) <= most
    capped = cap_result(part, "r7", cap=1_000, can_read_back=False)
    assert 800 <= len(capped) <= 1_000
    assert {*capped.split("\n")} == {"x" * 99, "… [r7: 81 of 90 lines left out]"}


LONG = "word " * 200


@pytest.mark.parametrize(
    ("fields", "digest", "line"),
    [
        pytest.param(
            {"output": {"ok": True, "summary": "Two\nlines.", "data": LONG}},
            {"ok": True, "summary": "Two\nlines.", "ref": "r2"},
            "Two lines.",
            id="a tool's own summary",
        ),
        pytest.param(
            {"output": json.dumps({"ok": True, "summary": "Done.", "data": LONG})},
            {"ok": True, "summary": "Done.", "ref": "r2"},
            "Done.",
            id="a summary in JSON text",
        ),
        pytest.param(
            {"output": {"ok": False, "error": LONG, "hint": LONG}},
            {"ok": False, "error": f"{LONG[:299]}…", "ref": "r2"},
            f"{LONG[:299]}…",
            id="a failure",
        ),
        pytest.param(
            {"state": "output-error", "errorText": LONG},
            {"ok": False, "error": f"{LONG[:299]}…", "ref": "r2"},
            f"{LONG[:299]}…",
            id="an error",
        ),
        pytest.param(
            {"output": LONG},
            {"summary": f"{LONG[:119]}…", "ref": "r2"},
            f"{LONG[:119]}…",
            id="the first words",
        ),
    ],
)
def test_an_old_result_becomes_its_digest_and_handle(fields: Any, digest: Any, line: str) -> None:
    part = call("c1", **fields)
    assert json.loads(digest_result(part, "r2")) == digest
    assert one_line(part) == line


def test_a_result_that_is_shorter_than_its_digest_stays() -> None:
    assert digest_result(call("c1", "ok"), "r2") == "ok"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"output": "x"}, True),
        ({"output": {"ok": True}}, True),
        ({"output": {"ok": False}}, False),
        ({"state": "output-error"}, False),
        ({"state": "input-available"}, False),
    ],
)
def test_a_call_has_succeeded_where_its_result_does_not_say_otherwise(fields: Any, expected: bool) -> None:
    assert has_succeeded(call("c1", **fields)) is expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(
            [PICTURE, {"url": PICTURE["url"]}], [(PICTURE["url"], "seed 1"), (PICTURE["url"], "image")]
        ),
        pytest.param([{"url": "http://x/1.png"}, {"url": 7}, "x", {}], []),
        pytest.param("x", []),
    ],
)
def test_the_pictures_of_a_result_are_those_that_came_with_it(data: Any, expected: Any) -> None:
    assert images(call("c1", {"ok": True, "data": {"images": data}})) == expected


@pytest.mark.parametrize(
    ("corrected", "expected"),
    [
        ({"node": "3", "widget": "steps", "value": 10000}, {"name": "steps", "value": 10000}),
        ({"node": "9", "widget": "steps", "value": 20000}, None),
        (None, None),
    ],
)
def test_a_corrected_call_is_told_in_the_plain_words_of_the_model(corrected: Any, expected: Any) -> None:
    asked = {"name": "setValue", "input": {"name": "steps", "value": "20000"}}
    part = {
        **call(
            "c1", {"ok": False, "error": "Too much.", **({"sendInstead": corrected} if corrected else {})}
        ),
        "input": {"node": "3", "widget": "steps", "value": "20000"},
        "callProviderMetadata": {METADATA_KEY: {"asked": asked}},
    }

    told = json.loads(new_result(in_model_terms(part), "r1", cap=1_000, can_read_back=False))

    assert told.get("sendInstead") == expected


def test_what_only_tools_of_the_full_form_take_is_left_out_of_a_flat_calls_result() -> None:
    data = {"text": "5 KSampler", "otherTabs": ["a"], "revision": "f00"}
    part = {
        **call("c1", {"ok": True, "summary": "Read.", "data": data}),
        "callProviderMetadata": {METADATA_KEY: {"asked": {"name": "readNode", "input": {"node": "5"}}}},
    }
    assert in_model_terms(part)["output"]["data"] == {"text": "5 KSampler"}
