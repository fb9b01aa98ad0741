from __future__ import annotations

import pytest
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.store.saved_settings import SavedProvider, SavedSettings, read_providers

HERE, CLOUD = "http://127.0.0.1:8000/v1", "https://api.example.com/v1"
AT_CLOUD = SavedProvider("p1", CLOUD)
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


def test_a_key_is_used_for_its_origin_alone_and_an_empty_one_takes_it_away() -> None:
    settings = SavedSettings().with_key(CLOUD, Secret("sesame"))
    assert settings.key_for("https://API.example.com/v2").reveal() == "sesame"
    assert not settings.key_for(HERE)
    assert settings.with_key(CLOUD, Secret("")) == SavedSettings()


def test_providers_at_one_origin_share_its_key_but_for_one_that_was_added_with_another() -> None:
    one, other, third = (SavedProvider(name, CLOUD, name) for name in ("one", "other", "third"))
    settings = SavedSettings()
    for provider, key in ((one, "first"), (other, ""), (third, "second")):
        settings = settings.with_provider(provider)
        if key:
            settings = settings.with_key_of(provider, Secret(key), is_new=True)
    assert [settings.key_of(each).reveal() for each in (one, other, third)] == ["first", "first", "second"]
    renewed = settings.with_key_of(other, Secret("renewed"))
    assert [renewed.key_of(each).reveal() for each in (one, other, third)] == ["renewed", "renewed", "second"]


def test_a_key_goes_with_the_last_provider_that_used_it() -> None:
    one, other = SavedProvider("one", CLOUD), SavedProvider("other", CLOUD)
    settings = SavedSettings((one, other)).with_key_of(one, Secret("key"))
    assert settings.without_provider("one").key_of(other).reveal() == "key"
    assert settings.without_provider("one").without_provider("other") == SavedSettings()
    moved = settings.without_provider("one").with_provider(SavedProvider("other", HERE))
    assert moved.keys == {}


def test_a_host_of_model_files_keeps_its_token_when_a_provider_there_is_deleted() -> None:
    settings = SavedSettings((AT_CLOUD,), download_hosts=("https://api.example.com",))
    assert settings.with_key_of(AT_CLOUD, Secret("key")).without_provider("p1").key_for(CLOUD)


def test_a_default_that_is_deleted_is_none_any_more() -> None:
    assert SavedSettings((AT_CLOUD,), "p1").without_provider("p1").default_provider == ""


def test_a_key_of_one_tenant_of_a_gateway_is_none_of_another_one() -> None:
    settings = SavedSettings().with_key("https://gateway.example/mine/v1", Secret("k"))
    assert settings.key_for("https://gateway.example/mine/v2").reveal() == "k"
    for other in ("theirs/v1", "v1", "", "api/theirs/v1"):
        assert not settings.key_for(f"https://gateway.example/{other}")
    shared = SavedSettings().with_key("https://one.example/v1", Secret("k"))
    assert shared.key_for("https://one.example/api/v1").reveal() == "k"
