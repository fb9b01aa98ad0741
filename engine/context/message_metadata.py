"""The metadata of a user message: all that was sent with it, so that it reads the same in later requests."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..base.messages import UIMessage, last_user_index, message_text

_BEGINNING = re.compile(r"\s*/skill[ \t]", re.IGNORECASE)
"""A quick check that comes first, since every message of a thread is checked for each request."""
_COMMAND = re.compile(r"\A\s*/skill[ \t]+(\S.*)\Z", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class UsedSkill:
    """A skill as it was when a message used it, and the rest of the message as its request.

    `tools` are those that may be called for it; an empty tuple allows all of them. `files` names the files beside it,
    as paths for `getUserSkill`.
    """

    name: str
    text: str
    request: str
    tools: tuple[str, ...] = ()
    is_users: bool = False
    """Whether it is from the user's folders, which may contain texts by others."""
    files: str = ""

    @classmethod
    def from_json(cls, kept: Any) -> UsedSkill | None:
        match kept:
            case {"name": str(name), "text": str(text), "request": str(request), **more}:
                tools, files = more.get("tools"), more.get("files")
                names = tools if isinstance(tools, list) else ()
                return cls(
                    name,
                    text,
                    request,
                    tuple(name for name in names if isinstance(name, str)),
                    more.get("isUsers") is True,
                    files if isinstance(files, str) else "",
                )
            case _:
                return None

    def as_json(self) -> dict[str, Any]:
        kept: dict[str, Any] = {"name": self.name, "text": self.text, "request": self.request}
        if self.tools:
            kept["tools"] = list(self.tools)
        if self.is_users:
            kept["isUsers"] = True
        if self.files:
            kept["files"] = self.files
        return kept


@dataclass(frozen=True)
class SentFile:
    """A project file as a message sent it; `version` changes with the file.

    `text` is None if it does not fit and is only searched. A file that `is_gone` is only named.
    """

    number: int
    path: str
    title: str
    kind: str
    version: str
    characters: int
    text: str | None = None
    is_gone: bool = False

    @classmethod
    def from_json(cls, kept: Any) -> SentFile | None:
        match kept:
            case {
                "number": int(number),
                "path": str(path),
                "title": str(title),
                "kind": str(kind),
                "version": str(version),
                "characters": int(characters),
                **more,
            }:
                text = more.get("text")
                whole = text if isinstance(text, str) else None
                return cls(number, path, title, kind, version, characters, whole, more.get("isGone") is True)
            case _:
                return None

    def as_json(self) -> dict[str, Any]:
        kept = {
            "number": self.number,
            "path": self.path,
            "title": self.title,
            "kind": self.kind,
            "version": self.version,
            "characters": self.characters,
            "isWhole": self.text is not None,
        }
        if self.text is not None:
            kept["text"] = self.text
        return {**kept, "isGone": True} if self.is_gone else kept


@dataclass(frozen=True)
class SentFiles:
    """The project files that a message sends: those that are new, changed or deleted.

    `places` are passages on the message from files that are not shown, as JSON, for a model that cannot search itself.
    """

    files: tuple[SentFile, ...] = ()
    places: str = ""

    @classmethod
    def from_json(cls, kept: Any) -> SentFiles:
        if not isinstance(kept, dict):
            return NO_FILES
        files, places = kept.get("files"), kept.get("places")
        told = map(SentFile.from_json, files if isinstance(files, list) else ())
        return cls(tuple(filter(None, told)), places if isinstance(places, str) else "")

    def as_json(self) -> dict[str, Any]:
        kept: dict[str, Any] = {"files": [file.as_json() for file in self.files]}
        return {**kept, "places": self.places} if self.places else kept


NO_FILES = SentFiles()


@dataclass(frozen=True)
class MessageMetadata:
    """The metadata of a user message. An answer has others: `base.messages.answer_metadata`.

    - `reminder` is sent after the message.
    - `persona` marks a persona that the message sent whole: `user.text_changes`.
    - `workflow` lists the open workflow, which is sent with the message while it is the newest one;
      `workflow_names` are the names of nodes and values in the list, None if there is no list.
    - `project` and `skill` are sent before the user's own text.
    - `is_beyond_budget` lets the turn go on, whatever budgets say.
    """

    reminder: str = ""
    persona: str = ""
    workflow: str = ""
    workflow_names: Mapping[str, str] | None = None
    project: SentFiles = NO_FILES
    is_beyond_budget: bool = False
    skill: UsedSkill | None = None

    @classmethod
    def of(cls, message: UIMessage) -> MessageMetadata:
        """Read the metadata of a message; fields of another form are ignored."""
        kept = message.get("metadata")
        if message["role"] != "user" or not isinstance(kept, dict) or not kept:
            return NO_METADATA
        names = kept.get("workflowNames")
        return cls(
            _text(kept, "reminder"),
            _text(kept, "persona"),
            _text(kept, "workflow"),
            names if isinstance(names, dict) else None,
            SentFiles.from_json(kept.get("project")),
            kept.get("beyondBudget") is True,
            UsedSkill.from_json(kept.get("skill")),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the metadata as it is stored, without empty fields."""
        kept = {
            "reminder": self.reminder,
            "persona": self.persona,
            "workflow": self.workflow,
            "workflowNames": self.workflow_names,
            "project": None if self.project == NO_FILES else self.project.as_json(),
            "beyondBudget": self.is_beyond_budget,
            "skill": None if self.skill is None else self.skill.as_json(),
        }
        return {name: value for name, value in kept.items() if value}

    def put_into(self, message: UIMessage) -> UIMessage:
        """Return the message with this metadata added to what others store with it."""
        kept = {**message.get("metadata", {}), **self.as_json()}
        return {**message, "metadata": kept} if kept else message


NO_METADATA = MessageMetadata()


def newest_metadata(conversation: Sequence[UIMessage]) -> MessageMetadata:
    """Return the metadata of the newest user message, empty if there is no such message."""
    index = last_user_index(conversation)
    return MessageMetadata.of(conversation[index]) if index >= 0 else NO_METADATA


def _text(kept: Mapping[str, Any], name: str) -> str:
    text = kept.get(name)
    return text if isinstance(text, str) else ""


def without_file_texts(message: UIMessage) -> UIMessage:
    """Return the message as the panel needs it: with the names of its project files, without their texts."""
    files = MessageMetadata.of(message).project.files
    if all(file.text is None for file in files):
        return message
    metadata = message.get("metadata", {})
    bare = [{**file.as_json(), "text": None} for file in files]
    return {**message, "metadata": {**metadata, "project": {**metadata["project"], "files": bare}}}


def skill_command(message: UIMessage) -> str | None:
    """Return the words after `/skill` in a user message; None if it is no such command."""
    if message["role"] != "user":
        return None
    first = next((part["text"] for part in message["parts"] if part["type"] == "text"), "")
    if not _BEGINNING.match(first):
        return None
    match = _COMMAND.match(message_text(message))
    return match[1].strip() if match else None


def with_skill(
    message: UIMessage, *, shorten: Callable[[str], str] = str.strip, can_read_files: bool = True
) -> str:
    """Return a user message's text after that of its skill, which is `shorten`ed."""
    skill = MessageMetadata.of(message).skill
    if skill is None:
        return message_text(message)
    tools = f"Call no tools for it but {', '.join(skill.tools)}.\n" if skill.tools else ""
    return (
        f'The person activated the skill "{skill.name}". Follow it for this request.\n{tools}'
        f'<skill name="{skill.name}">\n{shorten(skill.text.strip())}{_files(skill, can_read_files)}\n</skill>\n\n'
        f"{_request(skill)}"
    )


def without_skill(message: UIMessage, *, how: str) -> str:
    """Return a user message's text with the name of its skill; `how` says how the skill's text is read."""
    skill = MessageMetadata.of(message).skill
    if skill is None:
        return message_text(message)
    return f'[For this the person activated the skill "{skill.name}"{how}]\n{_request(skill)}'


def _files(skill: UsedSkill, can_read: bool) -> str:
    if not skill.files:
        return ""
    how = "read by getUserSkill with the path as slug" if can_read else "which you cannot read"
    return f"\n\nFiles of this skill, {how}: {skill.files}."


def _request(skill: UsedSkill) -> str:
    return skill.request or "Apply it to the open workflow, or say what you need to know first."
