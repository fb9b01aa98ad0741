"""Invariant 19: every look at a text is linear.

A text of a megabyte holds a reader of the server under 0.2 s, whatever letter it is full of. The time is compared with
that of a plain loop over the same text on the same machine at the same moment.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from comfyui_assistant import user_context_loader
from comfyui_assistant.engine.base.events import ReplyFinished, TextDelta
from comfyui_assistant.engine.base.messages import UIMessage
from comfyui_assistant.engine.base.network.base_url import normal_base_url, without_secrets
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.base.text.clip import clip_line, clip_words
from comfyui_assistant.engine.base.text.portable_text import (
    invisible_problem,
    portable_json,
    reveal_invisible,
    reveal_tags,
    strict_json,
    valid_unicode,
)
from comfyui_assistant.engine.base.text.relative_dates import parse_day
from comfyui_assistant.engine.base.text.sentences import split_sentences
from comfyui_assistant.engine.comfy.downloads.file_names import check_name
from comfyui_assistant.engine.comfy.downloads.hosts import origin_of, read_host
from comfyui_assistant.engine.comfy.downloads.source import read_source
from comfyui_assistant.engine.comfy.help_pages import HelpPages
from comfyui_assistant.engine.comfy.synonyms import conversions, phrase_synonyms
from comfyui_assistant.engine.comfy.words import query_runs, unwanted_words, words
from comfyui_assistant.engine.context.find import find_in_conversation
from comfyui_assistant.engine.context.handles import read_back
from comfyui_assistant.engine.context.key_sentences import focus_words, key_passages, key_sentences
from comfyui_assistant.engine.context.message_metadata import skill_command
from comfyui_assistant.engine.context.outline import headings
from comfyui_assistant.engine.context.reminder import reminders_that_fit
from comfyui_assistant.engine.context.shorten import shorten_result
from comfyui_assistant.engine.context.user_wishes import UserWishes
from comfyui_assistant.engine.llm.known.model_facts import model_facts
from comfyui_assistant.engine.llm.refusals.failures import failure_of, retry_after
from comfyui_assistant.engine.llm.refusals.overflow import read_overflow
from comfyui_assistant.engine.llm.replies.inline_calls import InlineCalls
from comfyui_assistant.engine.llm.replies.thoughts import Thoughts
from comfyui_assistant.engine.llm.replies.tool_calls import parse_arguments
from comfyui_assistant.engine.llm.requests.after_refusal import refused_among
from comfyui_assistant.engine.llm.requests.request_body import rules_for
from comfyui_assistant.engine.small_windows.flat_tools import call_in_text
from comfyui_assistant.engine.small_windows.resolve import compact_name
from comfyui_assistant.engine.user.personas import read_persona
from comfyui_assistant.engine.user.project.passages import PassageIndex, split_passages
from comfyui_assistant.engine.user.skills.frontmatter import parse_block, split_document
from comfyui_assistant.engine.user.skills.library import SkillLibrary, parse_skill_command
from comfyui_assistant.engine.user.skills.skill_file import read_skill
from comfyui_assistant.engine.user.skills.slugs import plain_query, slugify

SIZE = 1_000_000
MOST_SECONDS, LOOP_SECONDS = 0.2, 0.02
"""And what a plain loop over such a text takes where that is held to."""
KEY = Secret("sk-canary-0123456789")
TOOL = {
    "function": {
        "name": "addNode",
        "parameters": {"properties": {"type": {"type": "string"}}, "required": ["type"]},
    }
}


def said(text: str) -> UIMessage:
    return {"id": "u1", "role": "user", "parts": [{"type": "text", "text": text}]}


def inline_calls(text: str, *, at_once: int = SIZE * 2) -> None:
    calls = InlineCalls([TOOL], lambda: "call_1")
    for start in range(0, len(text), at_once):
        calls.feed(TextDelta(text[start : start + at_once]))
    calls.feed(ReplyFinished("stop", (), None))


def thoughts(text: str) -> None:
    reader = Thoughts()
    reader.feed(TextDelta(text))
    reader.feed(ReplyFinished("stop", (), None))


def behind(beginning: str, read: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: read(beginning + text)


def asked(text: str) -> object:
    return UserWishes([(1, text), (2, "Make it blue. " * 400)]).lines(2_000)


READERS: dict[str, Callable[[str], object]] = {
    "letters that nobody sees": reveal_invisible,
    "whether there are such": invisible_problem,
    "tags": reveal_tags,
    "halves of characters": valid_unicode,
    "JSON": strict_json,
    "JSON of providers": portable_json,
    "sentences": split_sentences,
    "a line": lambda text: clip_line(text, 200),
    "words of a title": lambda text: clip_words(text, 200),
    "a day": lambda text: parse_day(text, date(2026, 1, 1)),
    "a skill's parts": split_document,
    "front matter": parse_block,
    "a persona": lambda text: read_persona(text, "poet", "poet/SOUL.md"),
    "a slug": slugify,
    "a skill's name": plain_query,
    "which skill": lambda text: parse_skill_command(text, SkillLibrary(())),
    "a command": lambda text: skill_command(said(text)),
    "/skill": lambda text: skill_command(said(f"/skill {text}")),
    "rules": user_context_loader._rules,
    "reminders": lambda text: reminders_that_fit([text]),
    "what was asked": asked,
    "key sentences": lambda text: key_sentences(text, 500),
    "key passages": lambda text: key_passages(text, 500, "…"),
    "focus": focus_words,
    "headings": headings,
    "a result": lambda text: shorten_result({"text": text}, 500, lambda *_: "…"),
    "a handle": lambda text: read_back([said("hello")], text),
    "a search in a chat": lambda text: find_in_conversation([said("hello")], text),
    "a chat that is searched": lambda text: find_in_conversation([said(text)], "hello a /"),
    "passages": split_passages,
    "a question to documents": lambda text: PassageIndex().search({"d1": "hello world"}, text),
    "words of a query": words,
    "runs of a query": query_runs,
    "what a query is without": unwanted_words,
    "phrases of a query": lambda text: list(phrase_synonyms(text)),
    "conversions of a query": lambda text: list(conversions(text)),
    "a refusal": lambda text: failure_of(
        400, {"error": {"message": text}}, base_url="http://127.0.0.1:1/v1", model="m", key=KEY
    ),
    "a page instead of an answer": lambda text: failure_of(
        502, text, base_url="http://127.0.0.1:1/v1", model="m", key=KEY
    ),
    "a window that was too small": lambda text: read_overflow(400, {"error": {"message": text}}),
    "a limit of requests": lambda text: retry_after({}, text),
    "refused parameters": lambda text: refused_among({"temperature": 1, "reasoning_effort": "low"}, text),
    "a model's rules": lambda text: rules_for("http://127.0.0.1:1/v1", text),
    "a model's facts": lambda text: model_facts(text, server=None, is_local=False),
    "a key": KEY.mask,
    "thoughts": thoughts,
    "thoughts behind a tag": behind("<think>", thoughts),
    "thoughts in a channel": behind("<|channel|>analysis<|message|>", thoughts),
    "arguments": parse_arguments,
    "calls written as text": inline_calls,
    "calls in pieces": lambda text: inline_calls(text, at_once=4_096),
    **{
        f"calls behind {opener}": behind(opener, inline_calls)
        for opener in (
            "{",
            "```",
            "<function=",
            "<function=addNode>",
            "<invoke ",
            "<tool_call>",
            "[TOOL_CALLS]a",
        )
    },
    "a flat tool's call": call_in_text,
    "a flat tool's name": compact_name,
    "a base URL": normal_base_url,
    "a host": behind("http://", normal_base_url),
    "an address with secrets": without_secrets,
    "a source of models": lambda text: read_source(text, [read_host("https://one.example")]),
    "a file there": lambda text: read_source(
        f"https://one.example/{text}", [read_host("https://one.example")]
    ),
    "an origin": behind("https://", origin_of),
    "a model's file name": check_name,
}

SLOWER = {
    **dict.fromkeys(
        (
            "words of a query",
            "runs of a query",
            "phrases of a query",
            "conversions of a query",
            "a flat tool's name",
        ),
        0.5,
    ),
    **dict.fromkeys(("sentences", "passages", "rules", "what was asked"), 0.5),
    "calls in pieces": 1.0,
}
"""Seconds of those that go word by word, line by line or piece by piece, and take half of that on a quiet machine."""

ASCII = [chr(code) for code in range(128)]
OTHERS = [*"éßİ漢。٣😀", "\u00a0", "\u200b", "\u200d", "\ud800", "\U000e0041"]
PAIRS = [
    "a/",
    "\\n ",
    "\n ",
    "a ",
    ". ",
    "a.",
    "a\n",
    "# ",
    "- a\n",
    "1.",
    "1,",
    "a_",
    "aA",
    "a-",
    "@a",
    "//",
    "/.",
]
MARKS = [
    "[a",
    "![",
    "](",
    "<a",
    "</",
    "<!--",
    "```",
    "\"'",
    '{"a":',
    "[[",
    "%4",
    "%41",
    "a: ",
    "---\n",
    "://",
    "\r\n",
]
CALLS = ["<parameter=a>", "<arg_key>", "<arg_key>a</arg_key>", "<function=a>", "</tool_call>", "[ARGS]"]


UNITS = [*ASCII, *OTHERS, *PAIRS, *MARKS, *CALLS, "# a  ", "[](", "![]("]
AROUND_BLANKS = [("a", "b"), ("{", "b"), ("# a", "b"), ("```", "```a")]


def of_unit(unit: str) -> Callable[[int], str]:
    return lambda size: unit * (size // len(unit))


def of_blanks(first: str, blank: str, last: str) -> Callable[[int], str]:
    return lambda size: first + blank * size + last


TEXTS: dict[str, Callable[[int], str]] = {
    **{repr(unit): of_unit(unit) for unit in UNITS},
    **{
        f"{blank!r} between {first!r} and {last!r}": of_blanks(first, blank, last)
        for first, last in AROUND_BLANKS
        for blank in (" ", "\n")
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_megabyte_of_any_letter_is_read_at_once(name: str) -> None:
    check(READERS[name], most=SLOWER.get(name, MOST_SECONDS))


@pytest.mark.parametrize("beginning", ["", "---\nname: x\ndescription: ", "---\nname: x\n---\n"])
def test_a_file_of_any_letter_is_a_skill_or_a_help_page_at_once(tmp_path: Path, beginning: str) -> None:
    path = tmp_path / "SKILL.md"
    pages = HelpPages({"Node": path})

    def read(text: str) -> None:
        path.write_text(beginning + text, "utf-8", "replace")
        read_skill(path, inside=tmp_path, label="SKILL.md", folder="x")
        pages.read("Node")
        pages.first_paragraph("Node")

    check(read)


def check(read: Callable[[str], object], *, most: float = MOST_SECONDS) -> None:
    """A little of each, then a megabyte of what took longest: what grows faster than its text is among these."""
    slowest = sorted(TEXTS, key=lambda name: -_seconds(read, TEXTS[name](SIZE // 200)))
    for name in slowest[:2]:
        took = allowed = 0.0
        for _ in range(3):
            took, allowed = _seconds(read, TEXTS[name](SIZE)), most
            if took > allowed:
                allowed *= max(1.0, _seconds(_loop, "a" * SIZE) / LOOP_SECONDS)
            if took <= allowed:
                break
        else:
            pytest.fail(f"{took:.2f} s for a megabyte of {name}; at most {allowed:.2f} s")


def _seconds(read: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    with contextlib.suppress(Exception):
        read(text)
    return time.thread_time() - began


def _loop(text: str) -> None:
    for _ in text:
        pass
