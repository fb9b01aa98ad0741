"""Our chat template, rendered by jinja2 as llama.cpp's own engine renders it."""

from __future__ import annotations

import json

import pytest

from dev.demonstration_model.models import DEMONSTRATION_MODELS

jinja2 = pytest.importorskip("jinja2")

ADD_NODE = {
    "type": "function",
    "function": {
        "name": "addNode",
        "description": "Add a node.",
        "parameters": {
            "type": "object",
            "properties": {
                "type": {"type": "string", "description": "The node type."},
                "title": {"type": "string"},
            },
            "required": ["type"],
        },
    },
}
RUN = {
    "type": "function",
    "function": {"name": "executeWorkflow", "description": "Run it.", "parameters": {"type": "object"}},
}


def call(name, **arguments):
    """llama.cpp hands the arguments of an earlier call to the template as an object."""
    return {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}


def rendered(*messages, tools=(ADD_NODE, RUN)):
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    template = environment.from_string(DEMONSTRATION_MODELS["1.5b"].chat_template.read_text("utf-8"))
    messages = [{"content": "", **message} for message in messages]
    return template.render(messages=messages, tools=list(tools), add_generation_prompt=True)


SYSTEM = {"role": "system", "content": "You help."}
ADD_BOTH = {"role": "user", "content": "Add both."}


def test_without_tools_it_is_plain_chatml():
    assert rendered(SYSTEM, ADD_BOTH, {"role": "assistant", "content": "Done."}, ADD_BOTH, tools=()) == (
        "<|im_start|>system\nYou help.<|im_end|>\n"
        "<|im_start|>user\nAdd both.<|im_end|>\n"
        "<|im_start|>assistant\nDone.<|im_end|>\n"
        "<|im_start|>user\nAdd both.<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


def test_the_tools_are_listed_in_words_in_the_system_message():
    system = rendered(SYSTEM, ADD_BOTH).split("<|im_end|>")[0]
    assert system.startswith(
        "<|im_start|>system\nYou help.\n\n# Tools\n\n"
        "addNode: Add a node.\n"
        '- "type" (string): The node type.\n'
        '- "title" (string, may be left out): \n\n'
        "executeWorkflow: Run it.\n"
    )


def test_earlier_calls_look_as_the_model_is_told_to_write_them():
    text = rendered(
        SYSTEM,
        ADD_BOTH,
        {"role": "assistant", "content": "First this.", "tool_calls": [call("addNode", type="KSampler")]},
        {"role": "tool", "tool_call_id": "c", "content": '{"ok": true}'},
    )
    assert (
        "<|im_start|>assistant\nFirst this.\n"
        '```json\n{"name": "addNode", "arguments": {"type": "KSampler"}}\n```<|im_end|>\n'
    ) in text


def test_results_come_in_one_user_message_that_repeats_the_request():
    text = rendered(
        ADD_BOTH,
        {"role": "assistant", "tool_calls": [call("addNode", type="A"), call("addNode", type="B")]},
        {"role": "tool", "tool_call_id": "c", "content": '{"id": 1}'},
        {"role": "tool", "tool_call_id": "d", "content": '{"id": 2}'},
    )
    last = text.split("<|im_start|>user\n")[-1].split("<|im_end|>")[0]
    assert text.count("<|im_start|>user\n") == 2
    assert last.index('{"id": 1}') < last.index('{"id": 2}') < last.index("Add both.")


def test_the_request_is_repeated_only_after_the_newest_results_so_that_the_prompt_grows_at_its_end():
    first = [
        ADD_BOTH,
        {"role": "assistant", "tool_calls": [call("addNode", type="A")]},
        {"role": "tool", "tool_call_id": "c", "content": '{"id": 1}'},
    ]
    second = [
        *first,
        {"role": "assistant", "tool_calls": [call("executeWorkflow")]},
        {**first[-1], "content": "{}"},
    ]
    before, after = rendered(SYSTEM, *first), rendered(SYSTEM, *second)
    assert after.count("Add both.") == before.count("Add both.") == 2
    assert after.startswith(before[: before.rindex("Add both.") - 20])


def test_a_conversation_without_a_system_message_gets_the_tools_all_the_same():
    assert rendered(ADD_BOTH).startswith("<|im_start|>system\n\n")
    assert "executeWorkflow: Run it." in rendered(ADD_BOTH)


@pytest.mark.parametrize(
    ("results", "asked"),
    [
        pytest.param(['{"ok": true}'], "use the next tool for it", id="after a success"),
        pytest.param(['{"ok": false, "error": "x"}'], "Follow its hint", id="after a failure"),
        pytest.param(['{"ok":false}', '{"ok":false}'], "what did not work", id="after a second failure"),
        pytest.param(
            ['{"ok":false}', '{"ok":true}'], "All steps are made", id="after a call that was made before"
        ),
    ],
)
def test_what_the_model_is_asked_for_depends_on_how_the_call_went(results, asked):
    rounds = [
        message
        for content in results
        for message in (
            {"role": "assistant", "tool_calls": [call("addNode", type="A")]},
            {"role": "tool", "tool_call_id": "c", "content": content},
        )
    ]
    assert asked in rendered(ADD_BOTH, *rounds).split("Add both.")[-1]
    earlier_turn = rendered(ADD_BOTH, *rounds, {"role": "assistant", "content": "Done."}, ADD_BOTH)
    assert asked not in earlier_turn
    assert "All steps are made" not in rendered(ADD_BOTH, *rounds, ADD_BOTH, *rounds[:1], rounds[-1])
