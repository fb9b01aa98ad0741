from __future__ import annotations

from comfyui_assistant.engine.base.network.base_url import is_local, normal_base_url
from comfyui_assistant.engine.llm.presets import PRESETS


def test_each_preset_is_an_address_as_it_is_kept() -> None:
    for preset in PRESETS:
        assert normal_base_url(preset.base_url) == preset.base_url
        assert preset.as_json()["local"] is is_local(preset.base_url)
    assert len({preset.base_url for preset in PRESETS}) == len(PRESETS) >= 15
