from __future__ import annotations

import pytest
from comfyui_assistant.engine.comfy.help_pages import HelpPages
from comfyui_assistant.engine.comfy.host import HelpFolder

PAGE = """<!-- generated -->
# Blur

> Written by a machine.

![a picture](blur.png) Softens an [image](https://example.org).

| a | table |

## Inputs

- `radius`: how far.

## Inputs of rare use

None.
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "Blur").mkdir()
    (tmp_path / "Blur" / "en.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "Blur" / "de.md").write_text("# Weichzeichner", encoding="utf-8")
    (tmp_path / "Epsilon Scaling.md").write_bytes(b"Scales \xff noise.\r\n\r\n## More\r\n")
    return tmp_path


def test_a_page_is_read_by_its_sections(folder):
    page = HelpPages.in_folders([HelpFolder(folder)]).read("Blur")

    assert page is not None
    assert [section.heading for section in page.sections] == ["Blur", "Inputs", "Inputs of rare use"]
    assert page.sections[1].text == "- `radius`: how far."


@pytest.mark.parametrize(
    ("asked", "heading"),
    [("inputs", "Inputs"), ("Inputs of", "Inputs of rare use"), ("rare", "Inputs of rare use")],
)
def test_a_section_is_found_by_its_heading_or_part_of_it(folder, asked, heading):
    section = HelpPages.in_folders([HelpFolder(folder)]).read("Blur").section(asked)

    assert section is not None
    assert section.heading == heading


def test_a_section_that_is_not_there_is_none(folder):
    page = HelpPages.in_folders([HelpFolder(folder)]).read("Blur")

    assert page.section("outputs") is None
    assert page.section(" ") is None


def test_the_first_paragraph_is_prose_without_links_pictures_and_notices(folder):
    assert HelpPages.in_folders([HelpFolder(folder)]).first_paragraph("Blur") == "Softens an image."


def test_a_page_of_another_layout_and_encoding_is_read_too(folder):
    pages = HelpPages.in_folders([HelpFolder(folder)])

    assert pages.first_paragraph("Epsilon Scaling") == "Scales \N{REPLACEMENT CHARACTER} noise."


def test_the_first_folder_that_has_a_page_gives_it(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("docs")
    (other / "Blur.md").write_text("Another blur.", encoding="utf-8")
    missing = other / "missing"

    assert (
        HelpPages.in_folders([*map(HelpFolder, (missing, other, folder))]).first_paragraph("Blur")
        == "Another blur."
    )


@pytest.mark.parametrize("name", ["", "..", "../Blur", "Unknown", "de.md"])
def test_without_a_page_there_is_nothing(folder, name):
    pages = HelpPages.in_folders([HelpFolder(folder)])

    assert pages.read(name) is None
    assert pages.first_paragraph(name) == ""


async def test_a_node_is_found_by_what_its_help_page_says(folder, object_info):
    from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
    from comfyui_assistant.engine.comfy.scan import EnvironmentScanner

    comfy = FakeComfy({**object_info, "Blur": {}}, help_pages=[HelpFolder(folder)])
    environment = await EnvironmentScanner(comfy).snapshot()

    assert environment.index.search("softens")[0].type == "Blur"


def test_a_page_is_comfyuis_own_where_its_folder_gives_it(folder, tmp_path_factory):
    package = tmp_path_factory.mktemp("package")
    (package / "Blur.md").write_text("# Ours is better", encoding="utf-8")
    (package / "Sharpen.md").write_text("# Sharpen", encoding="utf-8")

    pages = HelpPages.in_folders([HelpFolder(folder, is_own=True), HelpFolder(package)])
    assert [pages.is_own(name) for name in ("Blur", "Sharpen", "Nothing")] == [True, False, False]

    pages = HelpPages.in_folders([HelpFolder(package), HelpFolder(folder, is_own=True)])
    assert [pages.is_own(name) for name in ("Blur", "Epsilon Scaling")] == [False, True]
