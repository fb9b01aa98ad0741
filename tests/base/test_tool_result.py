"""`contract/failureCodes.json` holds the codes that both sides know: make contract."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import get_args

from comfyui_assistant.engine.base.tool_result import FailureCode, failure

CONTRACT = Path(__file__).parents[2] / "contract" / "failureCodes.json"


def test_the_panel_knows_the_same_codes() -> None:
    text = json.dumps(list(get_args(FailureCode)), indent=2) + "\n"
    if os.environ.get("WRITE_CONTRACT"):
        CONTRACT.write_text(text, "utf-8")
    assert CONTRACT.read_text("utf-8") == text, "run make contract"


def test_a_failure_has_only_what_is_told_of_it() -> None:
    assert failure("No.") == {"ok": False, "error": "No."}
    assert failure("No.", "Ask.", code="declined") == {
        "ok": False,
        "code": "declined",
        "error": "No.",
        "hint": "Ask.",
    }
