from __future__ import annotations

import pytest
from comfyui_assistant.engine.user.skills.library import Skill
from comfyui_assistant.engine.user.skills.skill_file import read_document, read_skill


@pytest.fixture
def read(tmp_path):
    def read_text(text: str):
        path = tmp_path / "SKILL.md"
        path.write_text(text, encoding="utf-8")
        return read_skill(path, inside=tmp_path, label="skills/a/SKILL.md", folder="a")

    return read_text


def problems(diagnostics):
    return [diagnostic.problem for diagnostic in diagnostics]


def test_a_skill_is_what_its_front_matter_says_and_the_text_below(read):
    skill, diagnostics = read(
        "---\nname: Portraits\ndescription: Warm light.\nmetadata:\n  priority: 7\n---\n\n# A\n\nText.\n"
    )

    assert skill == Skill("a", "Portraits", "Warm light.", "# A\n\nText.", "skills/a/SKILL.md", priority=7)
    assert diagnostics == []


@pytest.mark.parametrize(
    ("text", "name", "description", "said"),
    [
        pytest.param(
            "# Portraits\n\n- Use *warm* light.\n",
            "a",
            "Use *warm* light.",
            ["It does not begin with front matter (`---`, `name: …`, `description: …`, `---`)."],
            id="nothing but text",
        ),
        pytest.param(
            "---\ndescription: Warm light.\n---\nText.",
            "a",
            "Warm light.",
            ["Its front matter has no `name`."],
            id="no name",
        ),
        pytest.param(
            "---\nname: Portraits\n---\nText.",
            "Portraits",
            "Text.",
            ["Its front matter has no `description`."],
            id="no description",
        ),
        pytest.param(
            "---\nname: []\ndescription: {}\n---\nText.",
            "a",
            "Text.",
            ["Its front matter has no `name`.", "Its front matter has no `description`."],
            id="neither is a text",
        ),
        pytest.param(
            "---\nname: A\ndescription: B\n---\n \n",
            "A",
            "B",
            ["There is nothing below the front matter."],
            id="no text",
        ),
    ],
)
def test_what_is_missing_is_made_up_and_said(read, text, name, description, said):
    skill, diagnostics = read(text)

    assert (skill.name, skill.description) == (name, description)
    assert problems(diagnostics) == said
    assert all(diagnostic.path == "skills/a/SKILL.md" and diagnostic.action for diagnostic in diagnostics)


@pytest.mark.parametrize(
    ("block", "name", "description"),
    [
        pytest.param(
            'name: "Portraits\ndescription: Warm: light.',
            "Portraits",
            "Warm: light.",
            id="a quote stays open",
        ),
        pytest.param("name: [Portraits\ndescription: {Warm", "a", "Text.", id="a list stays open"),
        pytest.param(
            "name: Portraits\n\tdescription: >\ndescription: Warm.", "Portraits", "Warm.", id="a tab"
        ),
    ],
)
def test_what_can_be_read_of_broken_front_matter_is_taken_without_its_signs(read, block, name, description):
    skill, diagnostics = read(f"---\n{block}\n---\nText.")

    assert (skill.name, skill.description) == (name, description)
    assert diagnostics


def test_front_matter_that_does_not_end_still_names_the_skill(read):
    skill, diagnostics = read("---\nname: Portraits\ndescription: 'Warm'\n\ndescription: of the text\n")

    assert (skill.name, skill.description) == ("Portraits", "Warm")
    assert problems(diagnostics) == ["Its front matter does not end."]


def test_a_file_of_nothing_is_a_skill_of_its_folders_name(read):
    skill, diagnostics = read("")

    assert skill == Skill("a", "a", "", "", "skills/a/SKILL.md")
    assert len(diagnostics) == 2


def test_of_front_matter_that_cannot_be_read_the_plain_lines_are(read):
    skill, diagnostics = read("---\nname: A\ndescription: Use it for: portraits\n---\nText.")

    assert (skill.name, skill.description, len(diagnostics)) == ("A", "Use it for: portraits", 1)


@pytest.mark.parametrize("priority", ["-1", "high", "1.5", "99999", "[1]", "²"])
def test_a_priority_that_is_no_number_is_reported(read, priority):
    skill, [diagnostic] = read(f"---\nname: a\ndescription: b\nmetadata:\n  priority: {priority}\n---\nText.")

    assert skill.priority == 50
    assert "expected a whole number from 0 (first) to 999" in diagnostic.problem


def test_a_long_description_is_shortened_to_one_line(read):
    skill, diagnostics = read('---\nname: "two\\nlines"\ndescription: "' + "word " * 400 + '"\n---\nText.')

    assert skill.name == "two lines"
    assert len(skill.description) == 1_024
    assert skill.description.endswith("…")
    assert problems(diagnostics) == ["Its description has 1,999 characters; 1,024 are shown."]


def test_a_file_that_is_none_is_said(tmp_path):
    skill, [diagnostic] = read_skill(tmp_path, inside=tmp_path.parent, label="skills/a/SKILL.md", folder="a")

    assert skill is None
    assert diagnostic.path == "skills/a/SKILL.md"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("# The role\n\nText.", ("The role", "", "# The role\n\nText.", 10), id="its heading"),
        pytest.param("No heading.", ("role", "", "No heading.", 10), id="its file"),
        pytest.param(
            "---\nname: A\ndescription: B\nmetadata:\n  priority: 3\n---\n# C",
            ("A", "B", "# C", 3),
            id="its front matter",
        ),
    ],
)
def test_a_document_is_named_by(tmp_path, text, expected):
    (tmp_path / "role.md").write_text(text, encoding="utf-8")
    document, diagnostics = read_document(
        tmp_path / "role.md", inside=tmp_path, label="role.md", slug="role", priority=10
    )

    assert (document.name, document.description, document.content, document.priority) == expected
    assert diagnostics == []


def test_a_document_of_nothing_is_none(tmp_path):
    (tmp_path / "role.md").write_text("---\nname: A\n---\n \n", encoding="utf-8")

    assert read_document(tmp_path / "role.md", inside=tmp_path, label="role.md", slug="role", priority=1) == (
        None,
        [],
    )


@pytest.mark.parametrize(
    ("written", "tools"),
    [
        ("getWorkflowInfo viewImages", ("getWorkflowInfo", "viewImages")),
        ("Read, Bash(git add:*, rm), Read", ("Read", "Bash")),
        ("[getWorkflowInfo, [a], viewImages]", ("getWorkflowInfo", "viewImages")),
        ("Bash(", ("Bash",)),
        ("{a: b}", ()),
        ('""', ()),
    ],
)
def test_the_tools_that_a_skill_allows_are_read_as_the_format_has_them(tmp_path, written, tools):
    path = tmp_path / "SKILL.md"
    path.write_text(f"---\nname: n\ndescription: d\nallowed-tools: {written}\n---\nText.", encoding="utf-8")
    skill, diagnostics = read_skill(path, inside=tmp_path, label="skills/a/SKILL.md", folder="a")

    assert (skill.allowed_tools, diagnostics) == (tools, [])
