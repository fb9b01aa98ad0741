from __future__ import annotations

from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.comfy.downloads.host_list import HostList
from comfyui_assistant.engine.comfy.downloads.hosts import read_host
from comfyui_assistant.engine.store.saved_settings import SavedSettings


async def test_each_host_stands_once_and_what_cannot_be_read_is_left_out():
    async def saved():
        settings = SavedSettings(download_hosts=("b.example.org", "huggingface.co", "not a host"))
        return settings.with_key("https://b.example.org", Secret("key"))

    hosts = HostList(saved, [read_host("a.example.org"), read_host("b.example.org")])

    assert [(one["name"], one["source"]) for one in await hosts.as_json()] == [
        ("huggingface.co", "built-in"),
        ("civitai.com", "built-in"),
        ("a.example.org", "environment"),
        ("b.example.org", "environment"),
    ]
    assert (await hosts.token("https://b.example.org")).reveal() == "key"
    assert not await hosts.token("https://a.example.org")
    assert hosts.trust().allows_loopback is False
