from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.base.caller import acting_for
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.store.user_settings import UserSettings

ADDRESS = "https://models.example.org/v1"


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
