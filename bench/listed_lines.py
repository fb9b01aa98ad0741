"""The lines of a workflow as models are shown it, those of copied subgraphs made whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

_NAMED = re.compile(r'("(?:[^"\\]|\\.)*"|[^\s"<=]*)[<=]')
_SOURCE = re.compile(r"^(.*?<)([^.(<]+)(.*)$", re.DOTALL)


def whole_lines(text: str) -> list[str]:
    """In a block like another, `22 KSampler =12 steps=9` is the line of 12 there, from the copies of its sources.

    The remark that says so is left out.
    """
    lines = [line.strip() for line in text.split("\n")]
    whole: list[str] = []
    graphs: dict[str, dict[str, list[str]]] = {}
    key, like, ids = "", "", {}
    for place, line in enumerate(lines):
        words = list(split_words(line))
        if line.startswith("# In "):
            continue
        if line.startswith("subgraph "):
            key, like = words[1], words[-1] if words[-2] == "like" else ""
            block = lines[place + 1 :]
            block = block[: block.index("end")] if "end" in block else block
            ids = {
                words[2][1:]: words[0]
                for words in map(list, map(split_words, block))
                if like and len(words) > 2 and words[2].startswith("=")
            }
        elif line == "end":
            key, like, ids = "", "", {}
        elif len(words) > 1 and words[0] != "group":
            twin = graphs.get(like, {}).get(words[2][1:]) if len(words) > 2 and words[2][0] == "=" else None
            if twin is not None:
                words = _copied(twin, words, ids)
                line = " ".join(words)
            graphs.setdefault(key, {})[words[0]] = words
        whole.append(line)
    return whole


def _copied(twin: Sequence[str], words: Sequence[str], ids: Mapping[str, str]) -> list[str]:
    """What the line names stands in place of what its twin has under the same name."""
    [node_id, node_type, _, *own] = words
    names = {match[1] for word in own if (match := _NAMED.match(word))}
    has_title = any(word.startswith('"') and not _NAMED.match(word) for word in own)
    kept: list[str] = []
    for place, word in enumerate(twin[2:], 2):
        match = _NAMED.match(word)
        if match is None and word.isalnum() and any(each.startswith("<") for each in twin[2:place]):
            kept += [] if "" in names else [ids.get(word, word)]
        elif match is None:
            kept += [] if has_title and word.startswith('"') else [word]
        elif match[1] not in names:
            source = _SOURCE.match(word) if word[match.end() - 1] == "<" else None
            kept.append(f"{source[1]}{ids.get(source[2], source[2])}{source[3]}" if source else word)
    return [node_id, node_type, *own[:has_title], *kept, *own[has_title:]]


def split_words(line: str) -> Iterator[str]:
    """At spaces outside quotes and brackets."""
    start, at, depth, is_quoted = 0, 0, 0, False
    while at < len(line):
        sign = line[at]
        if is_quoted:
            at += sign == "\\"
            is_quoted = sign != '"'
        elif sign == '"':
            is_quoted = True
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        elif sign == " " and depth <= 0:
            if at > start:
                yield line[start:at]
            start = at + 1
        at += 1
    if start < len(line):
        yield line[start:]
