from __future__ import annotations

import asyncio
import dataclasses
import errno
import json
import os
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.caller import acting_for
from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.store import settings_file
from comfyui_assistant.engine.store.saved_settings import SavedProvider, SavedSettings
from comfyui_assistant.engine.store.settings_file import SavedSettingsFile, UserSettings

HERE, CLOUD = "http://127.0.0.1:8000/v1", "https://api.example.com/v1"
AT_CLOUD = SavedProvider("p1", CLOUD)

ADDRESS = "https://models.example.org/v1"


async def test_changes_made_at_once_are_all_saved(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    file = SavedSettingsFile(path)
    await asyncio.gather(
        file.change(lambda saved: saved.with_provider(AT_CLOUD)),
        file.change(lambda saved: saved.with_key(CLOUD, Secret("sesame"))),
        file.change(lambda saved: saved.with_setting("max_steps", 3)),
    )
    assert await SavedSettingsFile(path).load() == SavedSettings(
        providers=(AT_CLOUD,), keys={"https://api.example.com": Secret("sesame")}, config={"max_steps": 3}
    )


@pytest.mark.parametrize("text", ['{"keys": ', "[" * 200_000, '{"keys": ' + "[" * 200_000])
async def test_a_file_that_cannot_be_read_is_kept_beside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text)
    assert await SavedSettingsFile(path).load() == SavedSettings()
    (aside,) = tmp_path.iterdir()
    assert aside.read_text() == text
    assert aside.name in caplog.text


async def test_of_a_file_with_limits_that_are_no_more_all_else_holds_and_the_log_names_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "settings.json"
    kept = SavedSettings(providers=(AT_CLOUD,), default_provider="p1", download_hosts=("http://192.168.1.5",))
    await SavedSettingsFile(path).change(lambda _: kept)
    gone = ("budget_turn_cents", "budget_chat_tokens", "budget_chat_cents", "budget_day_tokens")
    config = dict.fromkeys(gone, 500) | {"budget_turn_tokens": 9_000, "budget_day_cents": 70, "max_steps": 3}
    path.write_text(json.dumps(json.loads(path.read_text()) | {"config": config}))
    file = SavedSettingsFile(path)
    expected = {"budget_turn_tokens": 9_000, "budget_day_cents": 70, "max_steps": 3}
    assert await file.load() == dataclasses.replace(kept, config=expected)
    assert [record.getMessage() for record in caplog.records] == [
        f'{path}: There is no setting "{name}". It is left out.' for name in gone
    ]
    saved = await file.change(lambda saved: saved.with_setting("max_steps", 4))
    assert saved == dataclasses.replace(kept, config=expected | {"max_steps": 4})
    assert await SavedSettingsFile(path).load() == saved


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes and devices in folders")
@pytest.mark.parametrize("kind", ["pipe", "endless"])
async def test_what_is_no_file_is_not_waited_for_and_moved_aside(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "settings.json"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    file = SavedSettingsFile(path)
    assert await file.load() == SavedSettings()
    assert await file.change(lambda saved: saved.with_provider(AT_CLOUD)) == await file.load()
    assert len(list(tmp_path.glob("settings.json.broken*"))) == 1


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO])
async def test_a_file_that_cannot_be_read_for_a_moment_is_left_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = tmp_path / "settings.json"
    saved = await SavedSettingsFile(path).change(lambda saved: saved.with_provider(AT_CLOUD))
    file = SavedSettingsFile(path)

    def refuse(*_: object) -> bytes:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(settings_file, "read_whole_regular_file", refuse)
        with pytest.raises(StoreError) as caught:
            await file.load()
        with pytest.raises(StoreError):
            await file.change(lambda saved: saved.with_default_provider("p1"))
    assert caught.value.code == "unreadable"
    assert await file.load() == saved


async def test_what_cannot_be_written_is_told_and_not_taken_for_saved(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    file = SavedSettingsFile(tmp_path / "file" / "settings.json")
    with pytest.raises(StoreError) as caught:
        await file.change(lambda saved: saved.with_provider(AT_CLOUD))
    assert caught.value.code == "not_saved"


async def test_two_processes_on_one_file_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    one, other = SavedSettingsFile(path, fresh_seconds=0), SavedSettingsFile(path, fresh_seconds=0)
    assert await one.load() == await other.load() == SavedSettings()
    await one.change(lambda saved: saved.with_provider(AT_CLOUD).with_key(CLOUD, Secret("sesame")))
    await other.change(lambda saved: saved.with_setting("max_steps", 9))
    for file in (one, other, SavedSettingsFile(path)):
        saved = await file.load()
        assert (saved.providers, saved.key_for(CLOUD).reveal(), saved.config) == (
            (AT_CLOUD,),
            "sesame",
            {"max_steps": 9},
        )


async def test_for_a_moment_the_file_is_not_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    one, other = SavedSettingsFile(path, fresh_seconds=0.2), SavedSettingsFile(path)
    before = await one.load()
    assert await other.change(lambda saved: saved.with_setting("max_steps", 9)) != before
    assert await one.load() is before
    changed = await one.change(lambda saved: saved.with_setting("max_context_turns", 3))
    assert await one.load() is changed
    assert changed.config == {"max_steps": 9, "max_context_turns": 3}
    await other.change(lambda saved: saved.with_setting("max_steps", 10))
    await asyncio.sleep(0.25)
    assert (await one.load()).config["max_steps"] == 10


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
    saved = await file.change(lambda saved: saved.with_provider(AT_CLOUD))
    monkeypatch.setattr(settings_file, "read_whole_regular_file", lambda *_: pytest.fail("read again"))
    assert await file.load() is saved


async def test_a_key_that_an_older_file_has_at_the_origin_of_a_tenant_is_still_its_own(
    tmp_path: Path,
) -> None:
    path = tmp_path / "settings.json"
    provider = {"id": "p", "baseUrl": "https://gateway.example/mine/v1"}
    path.write_text(json.dumps({"providers": [provider], "keys": {"https://gateway.example": "k"}}))
    settings = await SavedSettingsFile(path).load()
    assert settings.key_of(settings.providers[0]).reveal() == "k"


async def test_a_key_is_there_for_the_user_who_entered_it_and_for_no_other(tmp_path: Path) -> None:
    settings = UserSettings(tmp_path)
    with acting_for("ann"):
        await settings.change(lambda saved: saved.with_key(ADDRESS, Secret("sk-canary-of-ann")))

    for user, is_there in (("ann", True), ("bob", False), ("default", False)):
        with acting_for(user):
            assert bool((await settings.load()).key_for(ADDRESS)) == is_there
    assert (tmp_path / "users" / "ann" / "settings.json").stat().st_mode & 0o777 == 0o600


async def test_the_default_users_settings_stay_where_they_were(tmp_path: Path) -> None:
    settings = UserSettings(tmp_path)
    with acting_for("default"):
        await settings.change(lambda saved: saved.with_setting("max_steps", 3))

    assert (tmp_path / "settings.json").exists()
    assert (await settings.load()).config == {"max_steps": 3}


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
