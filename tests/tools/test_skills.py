from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.load_failures import LoadFailure
from comfyui_assistant.engine.tools.skills import (
    get_system_skill,
    get_user_skill,
    list_system_skills,
    list_user_skills,
)
from comfyui_assistant.engine.tools.tool import run_server_tool


async def test_the_systems_skills_are_listed_with_what_they_are_for(services):
    result = await run_server_tool(list_system_skills, {}, services)

    assert result["data"]["skills"][0] == {
        "slug": "plain",
        "name": "Plain skill",
        "description": "Says how plain skills look.",
    }
    assert result["summary"].startswith("12 system skills: plain, folded-description, ")


async def test_without_skills_of_the_user_the_list_says_how_to_add_one(services):
    result = await run_server_tool(list_user_skills, {}, services)

    assert result == {
        "ok": True,
        "summary": "There are no user skills.",
        "data": {"skills": [], "hint": "The user can add one as skills/<name>/SKILL.md or skills/<name>.md."},
    }


async def test_a_skill_that_the_user_drops_in_is_listed_and_read(services, tmp_path):
    (tmp_path / "skills" / "Portraits").mkdir(parents=True)
    text = "---\nname: Portraits\ndescription: How I like portraits.\n---\nWarm light."
    (tmp_path / "skills" / "Portraits" / "SKILL.md").write_text(text, encoding="utf-8")
    listed = await run_server_tool(list_user_skills, {}, services)
    read = await run_server_tool(get_user_skill, {"slug": "portraits"}, services)

    assert listed["summary"] == "1 user skill: portraits."
    assert read == {
        "ok": True,
        "summary": 'Read the user skill "portraits".',
        "data": {
            "slug": "portraits",
            "name": "Portraits",
            "description": "How I like portraits.",
            "content": "Warm light.",
        },
        "outside": ["a skill of the user's folder"],
    }


@pytest.mark.parametrize("slug", ["model-example", "Example model", "03_MODEL_EXAMPLE", "example"])
async def test_a_skill_is_read_by_slug_name_or_folder(services, slug):
    result = await run_server_tool(get_system_skill, {"slug": slug}, services)

    assert result["data"]["slug"] == "model-example"


@pytest.mark.parametrize(
    ("slug", "hint"),
    [
        ("plane", "Closest: plain, model-example. listSystemSkills shows all."),
        ("../../secret", "listSystemSkills shows all."),
        ("", "listSystemSkills shows all."),
    ],
)
async def test_an_unknown_skill_fails_with_the_closest_slugs(services, slug, hint):
    result = await run_server_tool(get_system_skill, {"slug": slug}, services)

    assert result["error"] == f'There is no system skill "{slug}".'
    assert result["hint"] == hint


async def test_the_list_names_what_is_left_out_and_why(services, tmp_path):
    for number in range(12):
        (tmp_path / "skills" / f"empty-{number:02}").mkdir(parents=True)
    (tmp_path / "skills" / "neon.md").write_text("---\nname: n\ndescription: d\n---\nText.", encoding="utf-8")
    data = (await run_server_tool(list_user_skills, {}, services))["data"]

    assert [skill["slug"] for skill in data["skills"]] == ["neon"]
    assert data["leftOut"][0].endswith(
        "skills/empty-00: It holds no SKILL.md. Add one, or move the folder away."
    )
    assert data["leftOut"][8:] == ["4 more; the panel shows them all."]


async def test_a_long_list_has_the_names_of_all(services, tmp_path):
    for number in range(70):
        folder = tmp_path / "skills" / f"skill-{number:02}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text("---\nname: n\ndescription: d\n---\nText.", encoding="utf-8")
    result = await run_server_tool(list_user_skills, {}, services)

    assert len(result["data"]["skills"]) == 60
    assert result["data"]["others"] == [f"skill-{number}" for number in range(60, 70)]


async def test_a_skill_ends_with_the_types_that_it_names_and_that_are_not_installed(
    services, comfy, tmp_path
):
    (tmp_path / "skills" / "edges").mkdir(parents=True)
    text = "---\nname: Edges\ndescription: Edges.\n---\n`Canny.image`, `KSampler.model`, `LoraLoader`, `seed`, Canny."
    (tmp_path / "skills" / "edges" / "SKILL.md").write_text(text, encoding="utf-8")
    del comfy.object_info["LoraLoader"]
    comfy.failures.append(LoadFailure("nodes_canny", "No module named 'kornia'", ("Canny",)))
    read = await run_server_tool(get_user_skill, {"slug": "edges"}, services)

    assert read["data"]["content"].endswith(
        "\n\nNot installed here: Canny (part of ComfyUI, its module nodes_canny did not load: "
        "No module named 'kornia'), LoraLoader."
    )


@pytest.fixture
def portraits(tmp_path):
    (tmp_path / "skills" / "portraits" / "references").mkdir(parents=True)
    text = "---\nname: Portraits\ndescription: d\n---\nSee references/lenses.md."
    (tmp_path / "skills" / "portraits" / "SKILL.md").write_text(text, encoding="utf-8")
    (tmp_path / "skills" / "portraits" / "references" / "lenses.md").write_text("85 mm.", encoding="utf-8")


async def test_a_skill_names_its_files_and_each_is_read(services, portraits):
    skill = await run_server_tool(get_user_skill, {"slug": "portraits"}, services)
    assert skill["data"]["files"] == ["portraits/references/lenses.md"]
    file = await run_server_tool(get_user_skill, {"slug": skill["data"]["files"][0]}, services)

    assert file == {
        "ok": True,
        "summary": 'Read references/lenses.md of the skill "portraits".',
        "data": {"slug": "portraits", "path": "references/lenses.md", "content": "85 mm."},
        "outside": ["a skill of the user's folder"],
    }


@pytest.mark.parametrize(
    ("slug", "path", "error", "hint"),
    [
        (
            "portraits",
            "lenses.md",
            "portraits/lenses.md: It is no file of the skill.",
            "Files of portraits: references/lenses.md.",
        ),
        ("portraits", "../../x", "portraits/../../x: It is no file of the skill.", "Files of portraits"),
        ("plain", "a.md", "plain/a.md: It is no file of the skill.", "plain has no files."),
        ("portrait", "a.md", 'There is no skill "portrait".', "Closest: portraits"),
    ],
)
async def test_a_file_that_is_not_there_fails_with_those_that_are(
    services, portraits, slug, path, error, hint
):
    result = await run_server_tool(get_user_skill, {"slug": f"{slug}/{path}"}, services)

    assert result["error"].startswith(error)
    assert result["hint"].startswith(hint)
