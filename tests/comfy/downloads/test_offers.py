from __future__ import annotations

import pytest
from aiohttp import web
from comfyui_assistant.engine.base.errors import DownloadError

from .stand_in_host import rig, safetensors, whole

MODEL = safetensors()
FILE = "/org/repo/resolve/main/split/a.safetensors"


def code_of(raised) -> str:
    return raised.value.code


async def _to_elsewhere(_request):
    raise web.HTTPFound("https://evil.example/a.safetensors")


async def _to_this_machine(_request):
    raise web.HTTPFound("http://127.0.0.1:1/a.safetensors")


async def _to_a_file(_request):
    raise web.HTTPFound("file:///etc/passwd")


async def _round_and_round(request):
    raise web.HTTPFound(str(request.url))


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (_to_elsewhere, "address_refused"),
        (_to_this_machine, "address_refused"),
        (_to_a_file, "address_refused"),
        (_round_and_round, "host_refused"),
    ],
)
async def test_a_redirect_leads_only_to_the_hosts_own(tmp_path, answer, code):
    async with rig(tmp_path, {"/a.safetensors": answer}) as one:
        with pytest.raises(DownloadError) as refused:
            await one.offer()

    assert code_of(refused) == code
    assert one.files == []


@pytest.mark.parametrize("is_listed_by_person", [False, True])
async def test_this_machine_is_no_host_unless_a_test_says_so(tmp_path, is_listed_by_person):
    options = {"allows_loopback": False, "is_listed_by_person": is_listed_by_person}
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}, **options) as one:
        with pytest.raises(DownloadError) as refused:
            await one.offer()

    assert (code_of(refused), one.requests) == ("address_refused", [])


async def test_a_token_goes_to_its_host_and_not_where_that_redirects(tmp_path):
    async with rig(tmp_path / "cdn", {"/a.safetensors": whole(MODEL)}) as cdn:

        async def redirect(_request):
            raise web.HTTPFound(f"{cdn.url}/a.safetensors")

        answers = {"/a.safetensors": redirect, "/b.safetensors": whole(MODEL)}
        async with rig(tmp_path, answers, token="hf_secret") as one:
            await one.offer("/b.safetensors")
            with pytest.raises(DownloadError):
                await one.offer()

    assert [request.headers.get("Authorization") for request in one.requests] == ["Bearer hf_secret"] * 2
    assert cdn.requests == []


@pytest.mark.parametrize(
    ("status", "code"),
    [(401, "token_needed"), (403, "token_needed"), (404, "not_found"), (500, "host_failed")],
)
async def test_a_refusal_has_a_code(tmp_path, status, code):
    async def refuse(_request):
        return web.Response(status=status)

    async with rig(tmp_path, {"/a.safetensors": refuse}) as one:
        with pytest.raises(DownloadError) as refused:
            await one.offer()

    assert code_of(refused) == code
    assert refused.value.hint


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": "../a.safetensors"}, "invalid_request"),
        ({"name": "..\\a.safetensors"}, "invalid_request"),
        ({"name": "/etc/a.safetensors"}, "invalid_request"),
        ({"name": "C:a.safetensors"}, "invalid_request"),
        ({"name": "a.py"}, "invalid_request"),
        ({"folder": "custom_nodes"}, "not_found"),
        ({"folder": "../custom_nodes"}, "not_found"),
        ({"folder": "/tmp"}, "not_found"),
        ({"sha256": "abc"}, "invalid_request"),
    ],
)
async def test_names_and_folders_lead_nowhere_else(tmp_path, changes, code):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        with pytest.raises(DownloadError) as refused:
            await one.offer(**changes)

    assert code_of(refused) == code
    assert one.files == []


async def test_a_file_that_is_there_is_not_offered(tmp_path):
    there = tmp_path / "models/loras/a.safetensors"
    there.parent.mkdir(parents=True)
    there.write_text("mine")
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        with pytest.raises(DownloadError) as refused:
            await one.offer()

    assert code_of(refused) == "already_there"


async def _card(_request):
    return web.json_response({"cardData": {"license": "apache-2.0"}})


async def test_a_repository_tells_licence_and_hash(tmp_path):
    answers = {FILE: whole(MODEL, **{"X-Linked-Etag": f'"{"a" * 64}"'}), "/api/models/org/repo": _card}
    async with rig(tmp_path, answers, kind="huggingface") as one:
        offer = await one.offer(f"{FILE}?download=true&secret=SECRET#x")

    assert (offer.target.name, offer.licence, offer.sha256) == ("a.safetensors", "apache-2.0", "a" * 64)
    assert not any("SECRET" in str(request.url) for request in one.requests)


async def test_a_host_that_has_another_file_than_the_workflow_means_is_refused(tmp_path):
    answers = {FILE: whole(MODEL, **{"X-Linked-Etag": f'"{"a" * 64}"'})}
    async with rig(tmp_path, answers, kind="huggingface") as one:
        with pytest.raises(DownloadError) as refused:
            await one.offer(FILE, sha256="b" * 64)

    assert code_of(refused) == "wrong_file"


async def _version(_request):
    file = {"name": "style.safetensors", "primary": True, "hashes": {"SHA256": "C" * 64}}
    return web.json_response({"files": [file]})


async def test_a_version_tells_name_and_hash(tmp_path):
    answers = {"/api/download/models/12": whole(MODEL), "/api/v1/model-versions/12": _version}
    async with rig(tmp_path, answers, kind="civitai") as one:
        offer = await one.offer("/api/download/models/12?token=SECRET")

    assert (offer.target.name, offer.sha256) == ("style.safetensors", "c" * 64)
    assert not any("SECRET" in str(request.url) for request in one.requests)


@pytest.mark.parametrize("name", ["../style.safetensors", "..\\style.safetensors", "/etc/style.safetensors"])
async def test_a_name_that_a_host_tells_leads_nowhere_else(tmp_path, name):
    async def version(_request):
        return web.json_response({"files": [{"name": name, "primary": True}]})

    answers = {"/api/download/models/12": whole(MODEL), "/api/v1/model-versions/12": version}
    async with rig(tmp_path, answers, kind="civitai") as one:
        with pytest.raises(DownloadError) as refused:
            await one.offer("/api/download/models/12")

    assert code_of(refused) == "invalid_request"


@pytest.mark.slow
async def test_the_first_of_all_that_one_card_names_is_offered_until_the_yes(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        first = await one.offer()
        for _ in range(240):
            await one.offer()

        assert one.downloads.begin(first.id, allows_pickle=False).offer == first


async def test_an_offer_does_not_last(tmp_path):
    now = [0.0]
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        one.downloads.offers._clock = lambda: now[0]
        offer = await one.offer()
        now[0] = 1_801.0
        with pytest.raises(DownloadError) as refused:
            one.downloads.begin(offer.id, allows_pickle=False)

    assert code_of(refused) == "not_found"


@pytest.mark.parametrize(
    ("folder", "hint"),
    [
        ("Lora", "Alike are loras. A node package may bring others."),
        ("ipadapter", "There are checkpoints, loras. A node package may bring others."),
    ],
)
async def test_a_folder_that_there_is_not_is_told_with_those_alike(tmp_path, folder, hint):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        with pytest.raises(DownloadError) as refused:
            await one.offer(folder=folder)

    assert refused.value.hint == hint
