from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.user.persona_files import PersonaFiles


def test_a_persona_is_written_whole_and_taken_away_with_its_folder(tmp_path: Path) -> None:
    personas = PersonaFiles(tmp_path)
    assert personas.write("ada", "Speak as Ada.", "").text == "Speak as Ada."
    assert [persona.slug for persona in personas.load().found] == ["ada"]
    assert personas.read("ada").text == "Speak as Ada."
    assert personas.write("ada", "", "Speak as Ada.").text == ""
    assert list((tmp_path / "personas").iterdir()) == []


def test_a_file_in_small_letters_is_the_one_that_is_written(tmp_path: Path) -> None:
    home = tmp_path / "personas" / "ada"
    home.mkdir(parents=True)
    (home / "soul.md").write_text("Speak as Ada.", "utf-8")
    assert PersonaFiles(tmp_path).write("ada", "Speak.", "Speak as Ada.").text == "Speak."
    assert [path.name for path in home.iterdir()] == ["soul.md"]


def test_what_lies_outside_of_the_folder_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "SOUL.md").write_text("Theirs.", "utf-8")
    (tmp_path / "own" / "personas").mkdir(parents=True)
    (tmp_path / "own" / "personas" / "ada").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RequestError) as refused:
        PersonaFiles(tmp_path / "own").write("ada", "Mine.", "")
    assert refused.value.code == "unreadable"
    assert (tmp_path / "elsewhere" / "SOUL.md").read_text("utf-8") == "Theirs."
