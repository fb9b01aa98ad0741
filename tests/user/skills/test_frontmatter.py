from __future__ import annotations

import time

import pytest
from comfyui_assistant.engine.user.skills.frontmatter import (
    BadFrontMatter,
    Document,
    parse_block,
    split_document,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("---\nname: a\n---\n\nbody", Document("name: a", "body")),
        ("--- \nname: a\n---  \nbody", Document("name: a", "body")),
        ("---\n---\nbody", Document("", "body")),
        ("---\nname: a\n", Document(None, "---\nname: a\n", is_unclosed=True)),
        ("body\n---\n", Document(None, "body\n---\n")),
        ("", Document(None, "")),
    ],
)
def test_front_matter_stands_between_the_first_two_lines_of_hyphens(text, document):
    assert split_document(text) == document


@pytest.mark.parametrize(
    ("block", "values"),
    [
        ("name: no", {"name": "no"}),
        ("name: 2020-01-01", {"name": "2020-01-01"}),
        ("name: 0x10", {"name": "0x10"}),
        ("name:", {"name": ""}),
        ("name: ~", {"name": "~"}),
        ("name: 'it''s'", {"name": "it's"}),
        ("text: |\n  one\n  two", {"text": "one\ntwo"}),
        ("list: [a, 1]\nmap: {b: c}", {"list": ["a", "1"], "map": {"b": "c"}}),
        ("<<: x", {"<<": "x"}),
        ("# only a comment", {}),
        ("a: 1\na: 2", {"a": "2"}),
        (r'"\ud83c\udfa8": "\ud83c\udfa8 \ud83c"', {"🎨": "🎨 \ufffd"}),
    ],
)
def test_values_are_the_text_that_is_written_there(block, values):
    assert parse_block(block) == values


@pytest.mark.parametrize(
    ("block", "found"),
    [
        pytest.param("a: &x [1]\nb: [*x, *x]", "anchors", id="an alias bomb"),
        pytest.param("a: *x", "anchors", id="an alias without its anchor"),
        pytest.param("a: !!python/object/apply:os.system [x]", "tag", id="an object"),
        pytest.param("a: !!binary eA==", "tag", id="a harmless tag"),
        pytest.param("[" * 8_000, "nested deeper than 8", id="8,000 open lists"),
        pytest.param("{a: " * 4_000, "nested deeper than 8", id="4,000 open maps"),
        pytest.param("? " * 8_000, "nested deeper than 8", id="8,000 complex keys"),
        pytest.param("k: v\n" * 50_000, "has 250,000 characters", id="50,000 keys"),
        pytest.param("? [a]\n: b", "unhashable key", id="a list as a key"),
        pytest.param("--- a\n--- b", "another document", id="two documents"),
        pytest.param("- a", "no `key: value` lines", id="a list"),
        pytest.param("just words", "no `key: value` lines", id="a sentence"),
        pytest.param("a: b: c", "not valid YAML in line 2", id="an unquoted colon"),
        pytest.param("a: \x01", "not valid YAML", id="a control character"),
        pytest.param("a: '", "not valid YAML", id="an open quote"),
        pytest.param("%YAML 9.9\n---\na: b", "", id="another YAML version"),
    ],
)
def test_hostile_or_broken_front_matter_is_refused_at_once(block, found):
    began = time.thread_time()
    with pytest.raises(BadFrontMatter) as refused:
        parse_block(block)

    assert found in str(refused.value)
    assert time.thread_time() - began < 1.0


@given(st.text(alphabet="ab:-[]{}&*!|>'\"?#%@` \n\t,.~<0", max_size=400))
def test_any_text_is_parsed_or_refused(block):
    try:
        values = parse_block(block)
    except BadFrontMatter:
        return
    assert isinstance(values, dict)
