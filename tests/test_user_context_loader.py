from __future__ import annotations

import os
from pathlib import Path

import pytest
from comfyui_assistant.engine.comfy.summary import EnvironmentSummary, save_summary
from comfyui_assistant.user_context_loader import (
    load_environment_summary,
    load_system_context,
    load_user_context,
    system_skill_folders,
    user_skill_folders,
)

ROOT = Path(__file__).parent.parent
CAPITALS_ARE_NOTHING = Path(__file__.upper()).exists()
SKILL = "---\nname: {name}\ndescription: About {name}.\n---\n{name} text."


@pytest.fixture
def write(tmp_path):
    def write(path: str, content: str | bytes) -> Path:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return file

    return write


@pytest.fixture
def load_user(tmp_path):
    return lambda: load_user_context(tmp_path / "data", tmp_path / "user_context")


class TestSystemContext:
    def test_documents_come_first_then_skills_then_nothing_of_single_models(self, tmp_path, write):
        write("02_second.md", "second")
        write("01_first.md", "first")
        write("skills/02_b/SKILL.md", SKILL.format(name="b"))
        write("skills/01_a/SKILL.md", SKILL.format(name="a"))
        write("skills/09_model_flux/SKILL.md", SKILL.format(name="Flux"))
        context = load_system_context(tmp_path)

        assert [section.content for section in context.sections] == ["first", "second", "a text.", "b text."]
        assert [skill.slug for skill in context.on_demand] == ["model-flux"]
        assert context.diagnostics == ()

    def test_every_section_keeps_its_source_and_priority(self, tmp_path, write):
        write("01_role.md", "role")
        write("skills/01_a/SKILL.md", "---\nname: a\ndescription: a\nmetadata:\n  priority: '20'\n---\ntext")
        sections = load_system_context(tmp_path).sections

        assert [(section.source, section.priority) for section in sections] == [
            (f"{tmp_path.name}/01_role.md", 10),
            (f"{tmp_path.name}/skills/01_a/SKILL.md", 20),
        ]

    def test_a_missing_folder_is_an_empty_context(self, tmp_path):
        context = load_system_context(tmp_path / "nothing")

        assert (context.sections, context.on_demand, context.diagnostics) == ((), (), ())

    @pytest.mark.parametrize(
        "written",
        [
            pytest.param(b"# Role\r\n\r\nText.\r\n", id="Windows newlines"),
            pytest.param(b"\xef\xbb\xbf# Role\n\nText.\n\n\n", id="a byte order mark and blank lines"),
            pytest.param("# Role\n\nText.".encode("utf-16"), id="UTF-16"),
        ],
    )
    def test_the_same_words_give_the_same_bytes(self, tmp_path, write, written):
        write("01_role.md", written)

        assert [section.content for section in load_system_context(tmp_path).sections] == ["# Role\n\nText."]

    def test_a_file_of_five_megabytes_is_cut_with_a_marker(self, tmp_path, write):
        write("01_role.md", b"words \n" * 750_000)
        context = load_system_context(tmp_path)

        assert len(context.sections[0].content) < 66_000
        assert context.sections[0].content.endswith("of its 5,250,000 bytes are not shown.]")
        assert context.diagnostics[0].path == f"{tmp_path.name}/01_role.md"

    @pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
    def test_a_file_that_cannot_be_read_leaves_the_others(self, tmp_path, write):
        write("02_good.md", "good")
        (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
        (tmp_path / "context").mkdir()
        (tmp_path / "context" / "01_link.md").symlink_to(tmp_path / "secret.txt")
        (tmp_path / "context" / "02_good.md").write_text("good", encoding="utf-8")
        context = load_system_context(tmp_path / "context")

        assert [section.content for section in context.sections] == ["good"]
        assert context.diagnostics[0].problem == "It is a link to a place outside its folder."

    async def test_every_section_can_be_read_by_tool(self):
        library = await system_skill_folders(ROOT / "system_context").library()
        context = load_system_context(ROOT / "system_context")

        for section in (*context.sections, *context.on_demand):
            assert library.find(section.slug) == section


class TestUserContext:
    def test_nothing_written_is_an_empty_context(self, load_user):
        context = load_user()

        assert (context.rules, context.soul, context.goals, context.preferences) == ((), "", "", ())
        assert context.problems == ()

    @pytest.mark.parametrize(
        ("text", "rules"),
        [
            pytest.param(
                "- one\n* two\n+ three\n1. four\n2) five",
                ("one", "two", "three", "four", "five"),
                id="list items",
            ),
            pytest.param(
                "# Title\n\n- one\n  goes on\n- two", ("one goes on", "two"), id="an item over two lines"
            ),
            pytest.param(
                "Never do this.\n\nAlways do\nthat.", ("Never do this.", "Always do that."), id="paragraphs"
            ),
            pytest.param("Intro:\n- one", ("Intro:", "one"), id="a sentence and a list"),
            pytest.param("<!-- - not this\n- nor this -->\n- one", ("one",), id="comments"),
            pytest.param("<!-- never closed\n- one", (), id="an open comment"),
            pytest.param("-one\n- \n\n", ("-one",), id="no item at all"),
        ],
    )
    def test_rules_are_the_items_or_paragraphs_of_their_file(self, write, load_user, text, rules):
        write("data/rules.md", text)

        assert load_user().rules == rules

    def test_the_data_directory_comes_before_the_shipped_folder(self, write, load_user):
        write("data/SOUL.md", "mine")
        write("data/goals.md", "  \n")
        write("user_context/SOUL.md", "shipped")
        write("user_context/goals.md", "shipped goals")
        context = load_user()

        assert (context.soul, context.goals) == ("mine", "shipped goals")

    def test_preferences_are_names_and_values_in_sorted_order(self, write, load_user):
        write(
            "data/preferences.json",
            '{"steps": 20, "sampler": " euler\\n", "save": true, "cfg": 7.5, "none": ""}',
        )

        assert load_user().preferences == (
            ("cfg", "7.5"),
            ("sampler", "euler"),
            ("save", "yes"),
            ("steps", "20"),
        )

    @pytest.mark.parametrize(
        ("written", "found"),
        [
            ("{", "It is not valid JSON."),
            ("[" * 60_000, "It is not valid JSON."),
            ("[1]", "It holds no JSON object."),
            ('{"a": {"b": 1}}', '"a" is neither text nor a number.'),
            ('{"a": null}', '"a" is neither text nor a number.'),
            ('{"a": NaN}', '"a" is neither text nor a number.'),
            ('{"a": ' + "9" * 5_000 + "}", "It is not valid JSON."),
        ],
    )
    def test_flawed_preferences_are_reported_and_left_out(self, write, load_user, written, found):
        write("data/preferences.json", written)
        context = load_user()

        assert context.preferences == ()
        assert [diagnostic.problem for diagnostic in context.problems] == [found]

    def test_unpaired_surrogates_are_replaced(self, write, load_user):
        write("data/preferences.json", '{"a\\ud800": "b\\udfff\\ud83d\\ude00\\u0000"}')
        write("data/SOUL.md", b"a\xed\xa0\x80b")
        context = load_user()

        [(name, value)] = context.preferences
        (name + value + context.soul).encode("utf-8")
        assert value.endswith("\U0001f600\N{REPLACEMENT CHARACTER}")

    def test_a_folder_in_place_of_a_file_is_reported(self, tmp_path, load_user):
        (tmp_path / "data" / "rules.md").mkdir(parents=True)
        context = load_user()

        assert context.rules == ()
        assert context.problems[0].path == "data/rules.md"
        assert str(tmp_path) not in str(context.problems[0])

    def test_skills_of_both_folders_are_found(self, write, tmp_path):
        write("data/skills/mine/SKILL.md", SKILL.format(name="Mine"))
        write("user_context/skills/shipped/SKILL.md", SKILL.format(name="Shipped"))
        write("user_context/skills/mine/SKILL.md", SKILL.format(name="Other"))
        library = user_skill_folders(tmp_path / "data", tmp_path / "user_context").load()

        assert [skill.name for skill in library.skills] == ["Mine", "Shipped"]
        assert library.diagnostics[0].path == "user_context/skills/mine/SKILL.md"

    @pytest.mark.skipif(CAPITALS_ARE_NOTHING, reason="both names are one file there")
    def test_a_file_that_is_spelled_otherwise_is_told_with_the_name_that_is_read(self, load_user, write):
        write("data/Rules.md", "- not read")
        write("data/SOUL.md", "Calm.")
        write("data/soul.md", "Loud.")
        context = load_user()

        assert (context.rules, context.soul) == ((), "Calm.")
        assert [str(problem) for problem in context.problems] == [
            "data/Rules.md: It is not read, since its name is spelled otherwise. Rename it to rules.md.",
            "data/soul.md: SOUL.md lies beside it, which is read. Remove one of the two.",
        ]

    def test_a_folder_that_cannot_be_looked_into_takes_nothing_else_away(self, tmp_path, write):
        write("data/rules.md", "- rule")
        folders = (tmp_path / "data", tmp_path / ("long" * 100))

        assert load_user_context(*folders).rules == ("rule",)
        [diagnostic] = user_skill_folders(*folders).load().diagnostics
        assert diagnostic.problem == "It cannot be listed (File name too long)."

    async def test_what_the_system_message_shortens_can_be_read_whole_by_tool(self, tmp_path, write):
        write("data/rules.md", "- rule\n" * 100)
        write("user_context/SOUL.md", "soul")
        write("user_context/README.md", "not for the model")
        library = await user_skill_folders(tmp_path / "data", tmp_path / "user_context").library()

        assert library.find("rules").content.count("rule") == 100
        assert library.find("SOUL").content == "soul"
        assert library.find("README") is None
        assert library.skills == ()

    def test_the_shipped_examples_are_read_only_once_they_are_renamed(self, tmp_path):
        context = load_user_context(tmp_path, ROOT / "user_context")

        assert (context.rules, context.soul, context.goals, context.preferences) == ((), "", "", ())
        assert context.problems == ()

    def test_the_shipped_examples_are_sound(self, tmp_path):
        for example in (ROOT / "user_context").glob("*.example.*"):
            (tmp_path / example.name.replace(".example", "")).write_bytes(example.read_bytes())
        context = load_user_context(tmp_path, tmp_path / "none")

        assert len(context.rules) == 3
        assert context.soul.startswith("Calm")
        assert context.goals.startswith("A series")
        assert dict(context.preferences)["sampler"] == "dpmpp_2m with karras"
        assert context.problems == ()


def test_the_environment_summary_is_what_the_last_scan_kept(tmp_path):
    before = load_environment_summary(tmp_path)
    save_summary(EnvironmentSummary(packages=87, node_types=523, models=150), tmp_path)

    assert before == ""
    assert load_environment_summary(tmp_path) == "87 packages, 523 node types, 150 models"
