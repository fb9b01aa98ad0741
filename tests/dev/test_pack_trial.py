from __future__ import annotations

from tests.host.pack_trial import verdict


def test_an_example_that_comfyui_itself_does_not_load_whole_is_not_compared():
    outcome = {
        "read": {"ok": True},
        "isReadPure": True,
        "before": {"nodes": {}},
        "brokenBy": "Cannot delete property 'value'",
    }

    found = verdict("an example", outcome, {})

    assert found.not_compared == "ComfyUI itself does not load it whole: Cannot delete property 'value'"
    assert found.findings == ()
