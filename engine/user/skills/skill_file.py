"""Reads one SKILL.md, or one document of the system context."""

from __future__ import annotations

import re
from pathlib import Path

from .diagnostic import Diagnostic
from .frontmatter import BadFrontMatter, Document, FrontMatterValue, parse_block, split_document
from .library import DEFAULT_PRIORITY, Skill
from .slugs import slug_for
from .text_file import UnreadableFile, read_text_file

MAX_BYTES = 65_536
_MAX_NAME = 64
_MAX_DESCRIPTION = 1_024
_MAX_METADATA = 256
_MAX_TOOLS = 40
_LINE = re.compile(r"^(name|description):[ \t]*(\S.*)$", re.MULTILINE)
_NO_TEXT = ("[", "{", "|", ">", "&", "*", "!", "%", "@", "`")
_BRACKETS = re.compile(r"\([^)]*\)?")
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f]+")


def read_skill(path: Path, *, inside: Path, label: str, folder: str) -> tuple[Skill | None, list[Diagnostic]]:
    """Read a skill; a missing name or description is made up, with a diagnostic."""
    reading = _read(path, inside=inside, label=label)
    if reading[0] is None:
        return None, reading[1]
    document, diagnostics = reading
    values = _front_matter(document, label, diagnostics)
    if document.is_unclosed:
        problem = "Its front matter does not end."
        diagnostics.append(Diagnostic(label, problem, "Put a line of `---` below its last value."))
    elif document.block is None:
        problem = "It does not begin with front matter (`---`, `name: …`, `description: …`, `---`)."
        diagnostics.append(Diagnostic(label, problem, "Add it at the top."))
    if not document.body.strip():
        problem = "There is nothing below the front matter."
        diagnostics.append(Diagnostic(label, problem, "Write the skill there."))
    name = _one_line(values.get("name"))
    slug = slug_for(folder, name)
    if not name and document.block is not None:
        problem = "Its front matter has no `name`."
        diagnostics.append(Diagnostic(label, problem, f"Add one; until then it is called {slug}."))
    description = _one_line(values.get("description"))
    if not description:
        description = _first_sentence(document.body)
        if document.block is not None:
            problem = "Its front matter has no `description`."
            diagnostics.append(Diagnostic(label, problem, "Add one: it tells the assistant when to read it."))
    if len(description) > _MAX_DESCRIPTION:
        problem = f"Its description has {len(description):,} characters; {_MAX_DESCRIPTION:,} are shown."
        diagnostics.append(Diagnostic(label, problem, "Move details below the front matter."))
        description = description[: _MAX_DESCRIPTION - 1] + "…"
    skill = Skill(
        slug=slug,
        name=name[:_MAX_NAME] or slug,
        description=description,
        content=document.body.strip(),
        source=label,
        is_model_specific="model_" in folder,
        priority=_priority(values, label, diagnostics, default=DEFAULT_PRIORITY),
        license=_one_line(values.get("license"))[:_MAX_NAME],
        metadata=_metadata(values),
        allowed_tools=_allowed_tools(values),
    )
    return skill, diagnostics


def read_document(
    path: Path, *, inside: Path, label: str, slug: str, priority: int
) -> tuple[Skill | None, list[Diagnostic]]:
    """Read a document, which needs no front matter; its first heading is its name."""
    reading = _read(path, inside=inside, label=label)
    if reading[0] is None:
        return None, reading[1]
    document, diagnostics = reading
    values = _front_matter(document, label, diagnostics)
    body = document.body.strip()
    heading = body.split("\n", 1)[0].lstrip("# ") if body.startswith("#") else ""
    skill = Skill(
        slug=slug,
        name=(_one_line(values.get("name")) or _one_line(heading))[:_MAX_NAME] or slug,
        description=_one_line(values.get("description"))[:_MAX_DESCRIPTION],
        content=body,
        source=label,
        priority=_priority(values, label, diagnostics, default=priority),
    )
    return (skill if body else None), diagnostics


def _read(
    path: Path, *, inside: Path, label: str
) -> tuple[Document, list[Diagnostic]] | tuple[None, list[Diagnostic]]:
    try:
        text, diagnostics = read_text_file(path, inside=inside, label=label, max_bytes=MAX_BYTES)
    except UnreadableFile as error:
        return None, [error.diagnostic]
    return split_document(text), diagnostics


def _front_matter(
    document: Document, label: str, diagnostics: list[Diagnostic]
) -> dict[str, FrontMatterValue]:
    if document.block is None:
        return _salvage(document.body.split("\n\n", 1)[0]) if document.is_unclosed else {}
    try:
        return parse_block(document.block)
    except BadFrontMatter as error:
        diagnostics.append(Diagnostic(label, str(error), "Put values that hold : or # in quotes."))
        return _salvage(document.block)


def _salvage(block: str) -> dict[str, FrontMatterValue]:
    """Return name and description from lines that are no valid YAML, without those that begin a list or a mapping."""
    found = {key: value.strip("\"' \t\r") for key, value in _LINE.findall(block[:4_096])}
    return {key: value for key, value in found.items() if not value.startswith(_NO_TEXT)}


def _priority(
    values: dict[str, FrontMatterValue], label: str, diagnostics: list[Diagnostic], *, default: int
) -> int:
    metadata = values.get("metadata")
    priority = metadata.get("priority") if isinstance(metadata, dict) else None
    if priority is None:
        return default
    if isinstance(priority, str) and priority.isascii() and priority.isdecimal() and len(priority) <= 3:
        return int(priority)
    problem = (
        f"Its metadata.priority is {str(priority)[:40]!r}; expected a whole number from 0 (first) to 999."
    )
    diagnostics.append(Diagnostic(label, problem, f"It counts as {default}."))
    return default


def _allowed_tools(values: dict[str, FrontMatterValue]) -> tuple[str, ...]:
    """Return the names, separated by blanks or commas or as a list, without parts in parentheses."""
    value = values.get("allowed-tools")
    text = " ".join(each for each in value if isinstance(each, str)) if isinstance(value, list) else value
    names = _BRACKETS.sub(" ", text).replace(",", " ").split() if isinstance(text, str) else ()
    return tuple(dict.fromkeys(name[:_MAX_NAME] for name in names))[:_MAX_TOOLS]


def _metadata(values: dict[str, FrontMatterValue]) -> tuple[tuple[str, str], ...]:
    """Return the entries that are text, by name, except `priority`, which is ours."""
    metadata = values.get("metadata")
    entries = metadata.items() if isinstance(metadata, dict) else ()
    return tuple(
        (_one_line(name)[:_MAX_NAME], _one_line(value)[:_MAX_METADATA])
        for name, value in entries
        if name != "priority" and isinstance(value, str)
    )


def _one_line(value: FrontMatterValue | None) -> str:
    return _BLANKS.sub(" ", value).strip() if isinstance(value, str) else ""


def _first_sentence(body: str) -> str:
    """Return the first line of text, for a missing description."""
    for line in body[:4_096].split("\n"):
        text = line.strip().lstrip("#>*- ")
        if text and not line.startswith("#"):
            return _BLANKS.sub(" ", text)[:200]
    return ""
