from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.user.personas import Persona, PersonaFiles, load_personas


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "SOUL.md").write_text(text, "utf-8")


def test_a_persona_is_a_folder_that_says_how_to_speak(tmp_path: Path) -> None:
    write(
        tmp_path,
        "01_critic",
        "---\nname: The Critic\ndescription: Finds flaws.\nmodel: big\n---\nBe strict.\n",
    )
    write(tmp_path, "Ada", "Speak as Ada.")
    write(tmp_path, "bare", "---\nreplace_base: true\n---\nOnly this.")
    assert load_personas(tmp_path).found == (
        Persona(
            "critic",
            "The Critic",
            "Finds flaws.",
            "Be strict.",
            "personas/01_critic/SOUL.md",
            model="big",
        ),
        Persona("ada", "ada", "", "Speak as Ada.", "personas/Ada/SOUL.md"),
        Persona("bare", "bare", "", "Only this.", "personas/bare/SOUL.md", replaces_base=True),
    )


def test_what_is_no_persona_is_named_and_hinders_no_other(tmp_path: Path) -> None:
    write(tmp_path, "ada", "Speak as Ada.")
    write(tmp_path, "Ada_", "Another.")
    write(tmp_path, "broken", "---\nname: [\n---\nStill heard.")
    write(tmp_path, "lan", "---\nprovider: lan\nmodel: big\n---\nSpeak.")
    write(tmp_path, "mute", "---\nname: Mute\n---\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "secret.md").write_text("secret", "utf-8")
    (tmp_path / "outside" / "SOUL.md").symlink_to("/etc/hostname")
    personas = load_personas(tmp_path)
    assert [persona.slug for persona in personas.found] == ["ada", "broken", "lan"]
    lan = personas.found[-1]
    assert (lan.provider, lan.model, lan.folder) == ("lan", "big", "lan")
    assert {diagnostic.path for diagnostic in personas.diagnostics} == {
        "personas/ada/SOUL.md",
        "personas/broken/SOUL.md",
        "personas/empty",
        "personas/mute/SOUL.md",
        "personas/outside/SOUL.md",
        "personas/secret.md",
    }


@pytest.mark.parametrize("name", ["soul.md", "Soul.MD"])
def test_its_file_may_be_spelled_in_small_letters(tmp_path: Path, name: str) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / name).write_text("Speak as Ada.", "utf-8")
    (persona,) = load_personas(tmp_path).found
    assert (persona.text, persona.source) == ("Speak as Ada.", f"personas/ada/{name}")


@pytest.mark.skipif(Path(__file__.upper()).exists(), reason="both names are one file there")
def test_a_second_file_of_one_that_is_spelled_otherwise_is_told(tmp_path: Path) -> None:
    write(tmp_path, "ada", "Speak as Ada.")
    (tmp_path / "ada" / "soul.md").write_text("Speak as Bob.", "utf-8")
    personas = load_personas(tmp_path)
    assert [persona.text for persona in personas.found] == ["Speak as Ada."]
    assert [str(each) for each in personas.diagnostics] == [
        "personas/ada/soul.md: SOUL.md lies beside it. Remove one of the two."
    ]


def test_without_a_folder_there_are_none(tmp_path: Path) -> None:
    assert load_personas(tmp_path / "none").found == ()


@pytest.mark.parametrize("words", ["The Critic", "critic", "crit", "/The-Critic"])
def test_it_is_found_by_name_slug_or_the_beginning_of_one(tmp_path: Path, words: str) -> None:
    write(tmp_path, "critic", "---\nname: The Critic\n---\nBe strict.")
    write(tmp_path, "ada", "Speak as Ada.")
    assert load_personas(tmp_path).find(words).slug == "critic"


@pytest.mark.parametrize(
    ("words", "hint"), [("c", "critic, cook"), ("zed", "critic, cook, ada"), ("", "critic")]
)
def test_one_that_is_not_there_is_answered_with_those_that_are(tmp_path: Path, words: str, hint: str) -> None:
    for name in ("1_critic", "2_cook", "3_ada"):
        write(tmp_path, name, "Speak.")
    with pytest.raises(RequestError) as raised:
        load_personas(tmp_path).find(words)
    assert raised.value.code == "not_found"
    assert hint in raised.value.hint


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    (tmp_path / "personas").write_text("no folder", "utf-8")
    personas = load_personas(tmp_path / "personas")
    assert personas.found == ()
    (diagnostic,) = personas.diagnostics
    assert (diagnostic.path, diagnostic.leaves_out) == ("personas", True)
    assert diagnostic.problem == "It cannot be listed (Not a directory)."


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
