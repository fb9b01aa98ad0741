from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.caller import acting_for
from comfyui_assistant.engine.base.extension_metadata import FileMetadata
from comfyui_assistant.engine.base.files.pdf import PdfText
from comfyui_assistant.engine.context.budget import Budget
from comfyui_assistant.engine.context.compaction import Compaction, clear_conversation
from comfyui_assistant.engine.context.message_metadata import MessageMetadata
from comfyui_assistant.engine.user.project import file_text, project_files
from comfyui_assistant.engine.user.project.folder import MOST_FILES
from comfyui_assistant.engine.user.project.project_files import ProjectFiles, ProjectRoom, ThreadProject

from ...context.conversations import answer, file, text, user

Put = Callable[..., Path]
BOOK = "# Lenses\n\nA wide lens bends the lighthouse.\n" + "Filler words, page after page. " * 2_000


async def test_each_user_has_files_of_their_own(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    with acting_for("ann"):
        await files.write("style.md", b"No neon.", replace=False)
        assert [each.place.name for each in (await files.list()).files] == ["style.md"]
    with acting_for("bob"):
        assert list((await files.list()).files) == []
        assert await files.usable() == []


async def test_what_is_off_or_has_no_text_is_listed_and_not_usable(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    off = await files.write("off.md", b"Off.", replace=False)
    await files.write("picture.png", b"\x89PNG\0", replace=False)
    await files.write("style.md", b"No neon.", replace=False)
    await files.switch(off.place.path, is_on=False)
    assert [each.place.name for each in await files.usable()] == ["style.md"]
    listed = {each.place.name: each.as_json() for each in (await files.list()).files}
    assert listed["off.md"]["isOn"] is False
    assert listed["picture.png"]["problem"].startswith("It is no text.")
    assert listed["style.md"]["kind"] == "text/markdown"


async def test_a_file_that_somebody_puts_into_the_folder_is_one_at_once(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    folder = (await files.list()).folder
    folder.mkdir(parents=True)
    (folder / "notes.md").write_text("Blue.", "utf-8")
    (file,) = await files.usable()
    assert await files.text(file) == "Blue."
    ((_, _, text),) = await files.search([file], "blue")
    assert text == "Blue."


async def test_a_file_whose_name_is_no_utf_8_is_listed_searched_switched_and_deleted(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / os.fsdecode(b"caf\xe9.md")).write_text("Blue.", "utf-8")
    (file,) = await files.usable()
    assert file.place.name == "caf\N{REPLACEMENT CHARACTER}.md"
    json.dumps(file.as_json(), ensure_ascii=False).encode()
    ((found, _, text),) = await files.search([file], "blue")
    assert (found.place.path, text) == (file.place.path, "Blue.")
    assert (await files.switch(file.place.path, is_on=False)).place.is_on is False
    await files.delete(file.place.path)
    assert list((await files.list()).files) == []


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def put(name: str, content: str) -> Path:
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
        return path

    return put


class Thread:
    """A thread that keeps what it is told."""

    def __init__(self, data: Path) -> None:
        self.project = ThreadProject(ProjectFiles(data))
        self.conversation: list[Any] = []

    async def say(self, *, room: int = 1_000, compaction: Compaction | None = None) -> list[tuple[Any, ...]]:
        """What the new message tells: number, title, whether whole, whether gone."""
        message = user(f"u{len(self.conversation)}")
        self.conversation.append(message)
        told = await self.project.tell(self.conversation, compaction=compaction, room=ProjectRoom(room))
        self.conversation[-1] = MessageMetadata(project=told).put_into(message)
        self.conversation.append(answer(f"a{len(self.conversation)}", [text("Yes.")]))
        return [(each.number, each.title, each.text is not None, each.is_gone) for each in told.files]


@pytest.fixture
def thread(tmp_path: Path) -> Thread:
    return Thread(tmp_path)


async def test_files_are_told_once_and_again_only_as_they_change(thread: Thread, put: Put) -> None:
    style = put("style.md", "No neon.")
    assert await thread.say() == [(1, "style.md", True, False)]
    assert await thread.say() == []
    style.write_text("Neon now, and only that.", "utf-8")
    put("more.md", "More.")
    assert await thread.say() == [(2, "more.md", True, False), (1, "style.md", True, False)]
    style.unlink()
    assert await thread.say() == [(1, "style.md", False, True)]
    assert await thread.say() == []


async def test_what_does_not_fit_is_told_by_name_and_found_by_its_words(thread: Thread, put: Put) -> None:
    put("book.md", BOOK)
    put("style.md", "No neon.")
    assert await thread.say() == [(1, "book.md", False, False), (2, "style.md", True, False)]
    (found, *_) = await thread.project.search(thread.conversation, "what bends a lighthouse?")
    assert (found["document"], found["place"]) == (1, "Lenses")
    assert "bends the lighthouse" in found["text"]
    assert await thread.project.search(thread.conversation, "neon") == []
    assert await thread.project.text(thread.conversation, 1) == BOOK.rstrip()
    assert await thread.project.text(thread.conversation, 9) is None


async def test_with_more_room_a_file_is_shown_after_all_and_with_less_no_longer(
    thread: Thread, put: Put
) -> None:
    put("a.md", "word " * 400)
    assert await thread.say(room=100) == [(1, "a.md", False, False)]
    assert await thread.say(room=1_000) == [(1, "a.md", True, False)]
    put("b.md", "tiny")
    assert await thread.say(room=900) == [(2, "b.md", True, False)]
    assert await thread.say(room=100) == [(1, "a.md", False, False)]


async def test_a_file_that_is_switched_off_is_gone_and_back_with_its_number(thread: Thread, put: Put) -> None:
    put("sky.md", "Blue.")
    assert await thread.say() == [(1, "sky.md", True, False)]
    await thread.project.files.switch("sky.md", is_on=False)
    assert await thread.say() == [(1, "sky.md", False, True)]
    assert await thread.project.search(thread.conversation, "blue") == []
    await thread.project.files.switch("sky.md", is_on=True)
    assert await thread.say() == [(1, "sky.md", True, False)]


async def test_after_the_chat_was_cleared_the_files_are_told_anew(thread: Thread, put: Put) -> None:
    put("style.md", "No neon.")
    await thread.say()
    cleared = clear_conversation(thread.conversation)
    assert await thread.say(compaction=cleared) == [(1, "style.md", True, False)]
    assert await thread.say(compaction=cleared) == []


async def test_numbers_go_on_behind_attached_documents_and_both_are_listed(thread: Thread, put: Put) -> None:
    style = put("style.md", "No neon.")
    attached = file("notes.txt", "text/plain", "data:text/plain,Hello")
    attached["providerMetadata"] = FileMetadata(document=1).as_json()
    thread.conversation = [user("u", "Read it.", attached), answer("a", [text("Yes.")])]
    (told,) = await thread.say()
    assert told[0] == 2
    style.write_text("Changed since.", "utf-8")
    documents = await thread.project.documents(thread.conversation)
    assert [await thread.project.document_text(each) for each in documents] == ["Hello", "No neon."]
    assert [(each.number, each.text, each.is_changed) for each in documents] == [
        (1, "Hello", False),
        (2, "No neon.", True),
    ]


async def test_a_file_that_is_still_being_read_is_told_by_name_and_whole_once_it_was(
    thread: Thread, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = asyncio.Event()

    async def slowly(path: Path) -> PdfText:
        await may_end.wait()
        return PdfText(["The sky."], 1)

    monkeypatch.setattr(file_text, "read_pdf", slowly)
    monkeypatch.setattr(project_files, "READING_SECONDS", 0.05)
    put("sky.pdf", "%PDF")
    assert await thread.say() == [(1, "sky.pdf", False, False)]
    assert await thread.say() == []
    may_end.set()
    assert await thread.say() == [(1, "sky.pdf", True, False)]


async def test_of_files_that_are_too_many_the_first_are_known(thread: Thread, put: Put) -> None:
    for number in range(MOST_FILES + 3):
        put(f"{number:03}.md", "x")
    assert len(await thread.say(room=0)) == MOST_FILES
    assert await thread.say(room=0) == []


async def test_a_slim_model_is_told_what_files_that_it_is_not_shown_say_about_the_message(
    tmp_path: Path, put: Put
) -> None:
    put("book.md", BOOK)
    project = ThreadProject(ProjectFiles(tmp_path))

    async def tell(said: str, *, room: int = 600, is_slim: bool = True) -> list[Any]:
        shown = ProjectRoom(room, is_searched=not is_slim)
        told = await project.tell([user("u1", said)], compaction=None, room=shown)
        return json.loads(told.places or "[]")

    [place] = await tell("which lens bends a lighthouse?")
    assert (place["document"], place["title"], place["place"]) == (1, "book.md", "Lenses")
    assert "A wide lens bends the lighthouse." in place["text"]
    assert await tell("make the lens red") == []
    assert await tell("which lens bends a lighthouse?", room=20) == []
    assert await tell("which lens bends a lighthouse?", is_slim=False) == []


async def test_without_any_files_nothing_is_told(thread: Thread) -> None:
    assert await thread.say() == []
    assert await thread.project.search(thread.conversation, "sky") == []


def test_small_models_have_less_room_for_files() -> None:
    budget = Budget(32_000, 4_000)
    slim, full = (ProjectRoom.of(budget, is_slim=is_slim) for is_slim in (True, False))
    assert 0 < slim.tokens < full.tokens < 32_000 / 4
    assert full.is_searched
    assert not slim.is_searched
