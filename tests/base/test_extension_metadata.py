from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.extension_metadata import (
    METADATA_KEY,
    CallMetadata,
    FileMetadata,
    FlatCall,
)

CALL = CallMetadata("f:0", {"signature": "abc"}, FlatCall("setValue", {"name": "steps"}), 700, ("a.md",))
FILE = FileMetadata(2, "image 64x64")


@pytest.mark.parametrize(
    "metadata",
    [
        *(None, [], "text", {}, {"another": {}}, {METADATA_KEY: None}, {METADATA_KEY: "odd"}),
        {METADATA_KEY: {"callId": 7, "extraContent": [], "asked": {"name": "setValue"}, "room": True}},
        {METADATA_KEY: {"asked": {"name": 1, "input": {}}, "room": -1, "outside": "a.md", "document": "1"}},
        {METADATA_KEY: {"outside": [1], "about": 3}},
    ],
)
def test_metadata_of_others_and_of_another_form_hold_nothing_of_ours(metadata: Any) -> None:
    assert CallMetadata.of({"callProviderMetadata": metadata}) == CallMetadata()
    assert FileMetadata.of({"providerMetadata": metadata}) == FileMetadata()


def test_what_is_kept_is_read_as_it_was_beside_that_of_others() -> None:
    assert CallMetadata.of({"callProviderMetadata": {"another": 1, **CALL.as_json()}}) == CALL
    assert FileMetadata.of({"providerMetadata": {"another": 1, **FILE.as_json()}}) == FILE


def test_only_what_there_is_is_kept_under_the_names_that_the_panel_knows() -> None:
    assert CallMetadata().as_json() == FileMetadata().as_json() == {}
    assert CALL.as_json() == {
        "comfyuiAssistant": {
            "callId": "f:0",
            "extraContent": {"signature": "abc"},
            "asked": {"name": "setValue", "input": {"name": "steps"}},
            "room": 700,
            "outside": ["a.md"],
        }
    }
    assert FILE.as_json() == {"comfyuiAssistant": {"document": 2, "about": "image 64x64"}}
