from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from comfyui_assistant import agent_prompts, tools_definitions
from comfyui_assistant.engine.context.tokens import count_text
from comfyui_assistant.engine.context.tool_facts import Effect, Share
from comfyui_assistant.engine.tools import SERVER_TOOLS
from comfyui_assistant.tools_definitions import load_catalog


def tokens(value: Any) -> int:
    """Count tokens with tiktoken's o200k vocabulary if it is there, else by the estimate, which is higher here."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        import tiktoken

        return len(tiktoken.get_encoding("o200k_base").encode_ordinary(text))
    except Exception:
        return count_text(text)


def test_the_catalogue_has_every_tool_once_in_the_order_of_its_lists_the_browsers_first() -> None:
    declared = json.loads(tools_definitions.CONTRACT.read_text("utf-8"))
    browser = [tool["name"] for tool in declared if not tool.get("slim", {}).get("only")]
    names = [tool["function"]["name"] for tool in load_catalog().full]
    assert names == [*browser, *(tool.name for tool in SERVER_TOOLS)]
    assert len(set(names)) == len(names)


def test_the_list_is_the_same_bytes_each_time() -> None:
    assert json.dumps(load_catalog().full) == json.dumps(load_catalog().full)


def test_all_schemas_take_little_of_a_window(capsys: pytest.CaptureFixture[str]) -> None:
    whole = tokens(load_catalog().full)
    flat = tokens(load_catalog().flat(4_096)) + tokens(agent_prompts.get_system_message_slim().text)
    with capsys.disabled():
        print(f"\nall tool schemas: {whole} tokens; short system message and tools at 4,096: {flat} tokens")
    assert whole <= 4_000
    assert flat <= 1_365


def test_the_schemas_of_the_servers_tools_take_at_most_1400_tokens() -> None:
    catalog = load_catalog()
    server = [tool for tool in catalog.full if tool["function"]["name"] not in catalog.browser_names]
    assert tokens(server) <= 1_400


def test_a_small_window_is_offered_as_many_flat_tools_as_it_has_room_for_the_most_used_first() -> None:
    catalog = load_catalog()
    names = [tool["function"]["name"] for tool in catalog.flat(8_192)]
    assert tuple(names) == tools_definitions.FLAT_ORDER
    assert len(set(names)) == len(names)
    assert [tool["function"]["name"] for tool in catalog.flat(4_096)] == names[:8]
    assert json.dumps(catalog.flat(4_096)) == json.dumps(catalog.flat(4_096))


def test_models_are_sent_name_description_and_parameters_of_a_tool_and_none_of_its_facts() -> None:
    declared = {tool["name"]: tool for tool in json.loads(tools_definitions.CONTRACT.read_text("utf-8"))}
    catalog = load_catalog()
    for schema in catalog.full:
        assert list(schema) == ["type", "function"]
        assert list(schema["function"]) == ["name", "description", "parameters"]
        if schema["function"]["name"] in catalog.browser_names:
            tool = declared[schema["function"]["name"]]
            assert schema["function"] == {key: tool[key] for key in ("name", "description", "parameters")}
    for schema in catalog.flat(8_192):
        assert list(schema["function"]) == ["name", "description", "parameters"]


def test_the_facts_of_a_browser_tool_are_words_that_the_server_knows() -> None:
    for name, facts in load_catalog().facts.items():
        assert facts.effect in get_args(Effect), name
        assert facts.share in get_args(Share), name


def test_every_tool_has_its_facts_those_of_small_models_too() -> None:
    catalog = load_catalog()
    offered = [*catalog.full, *catalog.flat(8_192)]
    assert set(catalog.facts) == {tool["function"]["name"] for tool in offered}


def test_what_small_models_may_leave_out_is_an_argument_of_its_tool() -> None:
    for tool in json.loads(tools_definitions.CONTRACT.read_text("utf-8")):
        optional = tool.get("slim", {}).get("optional", [])
        assert set(optional) <= set(tool["parameters"]["properties"]), tool["name"]


@pytest.mark.parametrize("key", ["$schema", "additionalProperties", "title", "$defs", "anyOf", "const"])
def test_schemas_hold_nothing_that_some_provider_refuses(key: str) -> None:
    def keys(schema: Any, *, is_properties: bool = False) -> set[str]:
        if isinstance(schema, list):
            return set().union(*map(keys, schema))
        if not isinstance(schema, dict):
            return set()
        inner = [keys(value, is_properties=name == "properties") for name, value in schema.items()]
        return set().union(*inner, set() if is_properties else set(schema))

    parameters = [tool["function"]["parameters"] for tool in load_catalog().full]
    assert key not in keys(parameters)
    assert '"type":["' not in json.dumps(parameters).replace(" ", "")


def test_the_contract_is_where_the_catalogue_reads_it() -> None:
    assert tools_definitions.CONTRACT.is_file()


def test_the_slim_tools_offer_small_models_nothing_to_invent() -> None:
    offered = {
        tool["function"]["name"]: list(tool["function"]["parameters"]["properties"])
        for tool in load_catalog().flat(8_192)
    }
    assert offered["addNode"] == ["type"]
    assert offered["setValue"] == ["name", "value"]
    assert offered["connectNodes"] == ["from", "to"]
    assert offered["searchInstalledNodes"] == ["query"]
