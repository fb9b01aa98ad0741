from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from comfyui_assistant.engine.errors import StoreError
from comfyui_assistant.engine.secret import Secret
from comfyui_assistant.engine.store.saved_settings import SavedSettings, SavedSettingsFile

HERE, CLOUD = "http://127.0.0.1:8000/v1", "https://api.example.com/v1"


def test_a_key_is_used_for_its_origin_alone_and_an_empty_one_takes_it_away() -> None:
    settings = SavedSettings().with_key(CLOUD, Secret("sesame"))
    assert settings.key_for("https://API.example.com/v2").reveal() == "sesame"
    assert not settings.key_for(HERE)
    assert settings.with_key(CLOUD, Secret("")) == SavedSettings()


def test_another_server_has_other_models() -> None:
    settings = SavedSettings(base_url=HERE, model="small")
    assert settings.at("http://127.0.0.1:8000/other").model == "small"
    assert settings.at(CLOUD).model == ""


async def test_changes_made_at_once_are_all_saved(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    file = SavedSettingsFile(path)
    await asyncio.gather(
        file.change(lambda saved: saved.at(CLOUD)),
        file.change(lambda saved: saved.with_key(CLOUD, Secret("sesame"))),
        file.change(lambda saved: saved.with_setting("max_steps", 3)),
    )
    assert await SavedSettingsFile(path).load() == SavedSettings(
        base_url=CLOUD, keys={"https://api.example.com": Secret("sesame")}, config={"max_steps": 3}
    )


async def test_a_file_that_cannot_be_read_is_kept_beside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"keys": ')
    assert await SavedSettingsFile(path).load() == SavedSettings()
    (aside,) = tmp_path.iterdir()
    assert aside.read_text() == '{"keys": '
    assert aside.name in caplog.text


async def test_what_cannot_be_written_is_told_and_not_taken_for_saved(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    file = SavedSettingsFile(tmp_path / "file" / "settings.json")
    with pytest.raises(StoreError) as caught:
        await file.change(lambda saved: saved.at(CLOUD))
    assert caught.value.code == "settings_not_saved"


async def test_two_processes_on_one_file_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    one, other = SavedSettingsFile(path), SavedSettingsFile(path)
    assert await one.load() == await other.load() == SavedSettings()
    await one.change(lambda saved: saved.at(CLOUD).with_key(CLOUD, Secret("sesame")))
    await other.change(lambda saved: saved.with_setting("max_steps", 9))
    for file in (one, other, SavedSettingsFile(path)):
        saved = await file.load()
        assert (saved.base_url, saved.key_for(CLOUD).reveal(), saved.config) == (
            CLOUD,
            "sesame",
            {"max_steps": 9},
        )


async def test_processes_that_save_at_once_wait_for_each_other(tmp_path: Path) -> None:
    files = [SavedSettingsFile(tmp_path / "settings.json") for _ in range(8)]
    await asyncio.gather(
        *(
            file.change(lambda saved, n=number: saved.with_key(f"http://host{n}/v1", Secret("key")))
            for number, file in enumerate(files)
        )
    )
    assert len((await files[0].load()).keys) == 8


async def test_settings_are_not_read_again_while_nobody_saves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SavedSettingsFile(tmp_path / "settings.json")
    saved = await file.change(lambda saved: saved.at(CLOUD))
    monkeypatch.setattr(Path, "read_text", lambda *_: pytest.fail("read again"))
    assert await file.load() is saved
