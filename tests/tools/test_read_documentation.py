from __future__ import annotations

from dataclasses import replace

import pytest
from comfyui_assistant.engine.comfy.host import HelpFolder
from comfyui_assistant.engine.context.results import ResultBudget
from comfyui_assistant.engine.tools.read_documentation import read_documentation
from comfyui_assistant.engine.tools.tool import run_server_tool


@pytest.fixture
def page(comfy, tmp_path):
    path = tmp_path / "docs" / "KSampler.md"
    path.parent.mkdir()
    path.write_text(f"# KSampler\n\nSamples.\n\n## Source\n\n{'long ' * 2_000}", encoding="utf-8")
    comfy.help_pages.append(HelpFolder(path.parent))


@pytest.mark.usefixtures("page")
async def test_a_long_page_is_read_in_parts_that_end_with_a_word_as_far_as_there_is_room(services):
    services = replace(services, room=ResultBudget(1_000))
    whole = (
        await run_server_tool(
            read_documentation, {"node": "KSampler"}, replace(services, room=ResultBudget())
        )
    )["data"]
    parts, offset = [], 0
    while offset is not None:
        part = await run_server_tool(read_documentation, {"node": "ksampler", "offset": offset}, services)
        assert services.room.holds(part)
        parts.append(part["data"]["text"])
        offset = part["data"].get("nextOffset")

    assert whole["sections"] == ["KSampler", "Source"]
    assert whole["text"].startswith("## KSampler\nSamples.\n\n## Source\nlong long")
    assert "nextOffset" not in whole
    assert len(parts) > 3
    assert all(part.endswith("long ") for part in parts[:-1])
    assert "".join(parts) == whole["text"]


@pytest.mark.usefixtures("page")
async def test_behind_the_end_of_a_page_nothing_is_made_up(services):
    result = await run_server_tool(read_documentation, {"node": "KSampler", "offset": 99_999}, services)

    assert result["error"].startswith("This help page of KSampler ends at character 10,")


@pytest.mark.usefixtures("page")
async def test_one_section_is_read_alone(services):
    result = await run_server_tool(read_documentation, {"node": "KSampler", "section": "ksam"}, services)

    assert result["data"]["text"] == "Samples."


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize(
    ("arguments", "error", "hint"),
    [
        (
            {"node": "KSampler", "section": "Magic"},
            'The help page of KSampler has no section "Magic".',
            "Its sections: KSampler, Source.",
        ),
        (
            {"node": "VAEDecode"},
            "VAEDecode has no help page here.",
            "getNodeInfo tells its inputs and outputs with their tooltips.",
        ),
        (
            {"node": "KSamplr"},
            'There is no node type "KSamplr".',
            "Closest: KSampler, ",
        ),
    ],
)
async def test_what_is_not_there_is_told_with_what_to_do(services, arguments, error, hint):
    result = await run_server_tool(read_documentation, arguments, services)

    assert result["error"] == error
    assert result["hint"].startswith(hint)


@pytest.mark.parametrize(("is_own", "places"), [(False, ["a help page"]), (True, None)])
async def test_a_page_is_text_from_outside_unless_it_comes_with_comfyui(
    comfy, tmp_path, services, is_own, places
):
    (tmp_path / "KSampler.md").write_text("# KSampler\n\nSamples.", encoding="utf-8")
    comfy.help_pages.append(HelpFolder(tmp_path, is_own=is_own))

    result = await run_server_tool(read_documentation, {"node": "KSampler"}, services)

    assert result["ok"] is True
    assert result.get("outside") == places
