from __future__ import annotations

import json
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.saved_providers import SavedProvider, read_providers
from comfyui_assistant.engine.store.saved_settings import SavedSettings, SavedSettingsFile

HERE, CLOUD = "http://127.0.0.1:8000/v1", "https://api.example.com/v1"
WHOLE = SavedProvider("p1", HERE, "small", "Mine", 9_000, False, "slim", (1.0, 0.5, 2.0), "low", 0.0, True)


def test_another_server_has_other_models() -> None:
    assert WHOLE.with_base_url("http://127.0.0.1:8000/other").model == "small"
    assert WHOLE.with_base_url(CLOUD).model == ""


def test_what_was_entered_of_a_model_is_not_true_of_another() -> None:
    assert WHOLE.with_model("small") == WHOLE
    assert WHOLE.with_model("large") == SavedProvider(
        "p1", HERE, "large", "Mine", profile="slim", drops_system=True
    )


@pytest.mark.parametrize("provider", [SavedProvider("p1"), WHOLE])
def test_a_provider_is_read_as_it_was_saved(provider: SavedProvider) -> None:
    assert read_providers({"providers": [provider.as_json()]}) == (provider,)


async def test_a_file_of_an_early_version_is_kept_beside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"baseUrl": HERE, "model": "m", "keys": {"http://127.0.0.1:8000": "sesame"}}))
    assert await SavedSettingsFile(path).load() == SavedSettings()
    assert [json.loads(each.read_text())["model"] for each in tmp_path.glob("*.broken-*")] == ["m"]
    assert 'an address belongs to one of the "providers"' in caplog.text


@pytest.mark.parametrize("entry", [7, {}, {"id": "p", "window": "x"}, {"id": "p", "price": [1]}])
async def test_a_file_with_a_provider_that_is_none_is_kept_beside(tmp_path: Path, entry: object) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"providers": [entry]}))
    assert await SavedSettingsFile(path).load() == SavedSettings()
    assert not path.exists()
