from __future__ import annotations

import pytest
from comfyui_assistant.engine.tools.read_documentation import read_documentation
from comfyui_assistant.engine.tools.tool import run_server_tool


@pytest.fixture
def page(comfy, tmp_path):
    path = tmp_path / "docs" / "KSampler.md"
    path.parent.mkdir()
    path.write_text(f"# KSampler\n\nSamples.\n\n## Source\n\n{'long ' * 2_000}", encoding="utf-8")
    comfy.help_pages.append(path.parent)


@pytest.mark.usefixtures("page")
async def test_a_long_page_is_read_in_parts(services):
    first = await run_server_tool(read_documentation, {"node": "ksampler"}, services)
    last = await run_server_tool(read_documentation, {"node": "KSampler", "page": 99}, services)

    assert first["summary"] == "Read the help page of KSampler, page 1 of 3."
    assert first["data"]["sections"] == ["KSampler", "Source"]
    assert first["data"]["text"].startswith("## KSampler\nSamples.\n\n## Source\nlong long")
    assert len(first["data"]["text"]) == 5_000
    assert last["data"]["page"] == "3 of 3"


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
