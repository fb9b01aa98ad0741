"""What a user message keeps of all that it was sent with, so that it reads the same in later requests."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..base.messages import UIMessage, last_user_index, text_of

_BEGINNING = re.compile(r"\s*/skill[ \t]", re.IGNORECASE)
"""Looked for first, since all messages of a thread are looked through for each request."""
_COMMAND = re.compile(r"\A\s*/skill[ \t]+(\S.*)\Z", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class UsedSkill:
    """A skill as it was when a message used it, and what the message asks beside it.

    `tools` are those that may be called for it; without any, all of them. `files` names those that lie beside it, as
    paths for `getUserSkill`.
    """

    name: str
    text: str
    request: str
    tools: tuple[str, ...] = ()
    is_users: bool = False
    """From the user's folders, into which they may have put what others wrote."""
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
class ToldFile:
    """A project file as it was when a message was told it; `version` is another one once it has changed.

    `text` is None where it is not shown, since it does not fit: then it is searched. Of one that `is_gone` only that
    is told.
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
    def from_json(cls, kept: Any) -> ToldFile | None:
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
class Telling:
    """What a message tells of the project files: those that are news. `places` are JSON of what those that are not
    shown say about the message, for a model that cannot search itself.
    """

    files: tuple[ToldFile, ...] = ()
    places: str = ""

    @classmethod
    def from_json(cls, kept: Any) -> Telling:
        if not isinstance(kept, dict):
            return NOTHING_TOLD
        files, places = kept.get("files"), kept.get("places")
        told = map(ToldFile.from_json, files if isinstance(files, list) else ())
        return cls(tuple(filter(None, told)), places if isinstance(places, str) else "")

    def as_json(self) -> dict[str, Any]:
        kept: dict[str, Any] = {"files": [file.as_json() for file in self.files]}
        return {**kept, "places": self.places} if self.places else kept


NOTHING_TOLD = Telling()


@dataclass(frozen=True)
class MessageMetadata:
    """The metadata of a user message. Those of an answer are others: `base.messages.answer_metadata`.

    - `reminder` is sent behind the message.
    - `persona` marks a persona that the message told whole: `user.persona_changes`.
    - `workflow` lists the open workflow, which is sent with the message while it is the newest one;
      `workflow_names` are the names that the list gives nodes and values, None where there is no list.
    - `project` and `skill` are sent before what the person wrote.
    - `is_beyond_budget` lets the turn go on, whatever budgets say.
    """

    reminder: str = ""
    persona: str = ""
    workflow: str = ""
    workflow_names: Mapping[str, str] | None = None
    project: Telling = NOTHING_TOLD
    is_beyond_budget: bool = False
    skill: UsedSkill | None = None

    @classmethod
    def of(cls, message: UIMessage) -> MessageMetadata:
        """Read a message; what has another form is as if it were not there."""
        kept = message.get("metadata")
        if message["role"] != "user" or not isinstance(kept, dict) or not kept:
            return NO_METADATA
        names = kept.get("workflowNames")
        return cls(
            _text(kept, "reminder"),
            _text(kept, "persona"),
            _text(kept, "workflow"),
            names if isinstance(names, dict) else None,
            Telling.from_json(kept.get("project")),
            kept.get("beyondBudget") is True,
            UsedSkill.from_json(kept.get("skill")),
        )

    def as_json(self) -> dict[str, Any]:
        """Return what is stored with the message, only of what there is."""
        kept = {
            "reminder": self.reminder,
            "persona": self.persona,
            "workflow": self.workflow,
            "workflowNames": self.workflow_names,
            "project": None if self.project == NOTHING_TOLD else self.project.as_json(),
            "beyondBudget": self.is_beyond_budget,
            "skill": None if self.skill is None else self.skill.as_json(),
        }
        return {name: value for name, value in kept.items() if value}

    def put_into(self, message: UIMessage) -> UIMessage:
        """Return the message with this metadata; what others keep with it stays."""
        kept = {**message.get("metadata", {}), **self.as_json()}
        return {**message, "metadata": kept} if kept else message


NO_METADATA = MessageMetadata()


def metadata_of_newest(conversation: Sequence[UIMessage]) -> MessageMetadata:
    """Return the metadata of the newest user message, empty where there is no such message."""
    index = last_user_index(conversation)
    return MessageMetadata.of(conversation[index]) if index >= 0 else NO_METADATA


def _text(kept: Mapping[str, Any], name: str) -> str:
    text = kept.get(name)
    return text if isinstance(text, str) else ""


def without_file_texts(message: UIMessage) -> UIMessage:
    """Return the message as the panel needs it: which project files it tells, not what stands in them."""
    files = MessageMetadata.of(message).project.files
    if all(file.text is None for file in files):
        return message
    metadata = message.get("metadata", {})
    bare = [{**file.as_json(), "text": None} for file in files]
    return {**message, "metadata": {**metadata, "project": {**metadata["project"], "files": bare}}}


def skill_command(message: UIMessage) -> str | None:
    """What stands behind `/skill` in a user message; None where it is no such command."""
    if message["role"] != "user":
        return None
    first = next((part["text"] for part in message["parts"] if part["type"] == "text"), "")
    if not _BEGINNING.match(first):
        return None
    match = _COMMAND.match(text_of(message))
    return match[1].strip() if match else None


def with_skill(
    message: UIMessage, *, shorten: Callable[[str], str] = str.strip, can_read_files: bool = True
) -> str:
    """A user message's text with that of its skill before it, `shorten`ed."""
    skill = MessageMetadata.of(message).skill
    if skill is None:
        return text_of(message)
    tools = f"Call no tools for it but {', '.join(skill.tools)}.\n" if skill.tools else ""
    return (
        f'The person activated the skill "{skill.name}". Follow it for this request.\n{tools}'
        f'<skill name="{skill.name}">\n{shorten(skill.text.strip())}{_files(skill, can_read_files)}\n</skill>\n\n'
        f"{_request(skill)}"
    )


def without_skill(message: UIMessage, *, how: str) -> str:
    """The same where the skill has done its work; `how` says how its text is read."""
    skill = MessageMetadata.of(message).skill
    if skill is None:
        return text_of(message)
    return f'[For this the person activated the skill "{skill.name}"{how}]\n{_request(skill)}'


def _files(skill: UsedSkill, can_read: bool) -> str:
    if not skill.files:
        return ""
    how = "read by getUserSkill with the path as slug" if can_read else "which you cannot read"
    return f"\n\nFiles of this skill, {how}: {skill.files}."


def _request(skill: UsedSkill) -> str:
    return skill.request or "Apply it to the open workflow, or say what you need to know first."
