from __future__ import annotations

from comfyui_assistant.engine.small_windows.call import BrowserCall, edit, not_found_failure
from comfyui_assistant.engine.small_windows.resolve import NotFound


def test_operations_become_one_batch() -> None:
    assert edit({"op": "mode"}) == BrowserCall("editWorkflow", {"operations": [{"op": "mode"}]})


def test_what_is_not_found_names_what_could_be_meant() -> None:
    result = not_found_failure("node", "lora", NotFound(["11 Load LoRA", "13 Load LoRA"]))
    assert result["hint"] == 'Use one of these: "11 Load LoRA", "13 Load LoRA".'
    assert "There is no node" in not_found_failure("node", "lora", NotFound([]))["error"]
