from __future__ import annotations

import asyncio
import errno
import hashlib
import shutil
import threading

import pytest
from aiohttp import web
from comfyui_assistant.engine.base.errors import DownloadError
from comfyui_assistant.engine.comfy.downloads.part_file import PartFile

from .stand_in_host import breaking, rig, safetensors, whole

MODEL = safetensors()
LARGE = safetensors(3_000_000)
PICKLE = b"\x80\x02}q\x00."


async def test_a_file_that_was_allowed_comes_whole_into_its_folder(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        offer = await one.offer()
        assert one.files == []
        download = one.downloads.begin(offer.id, allows_pickle=False)
        await download.task

    assert offer.as_json() | {"id": "", "free": 0} == {
        "id": "",
        "file": "a.safetensors",
        "folder": "loras",
        "host": "127.0.0.1",
        "url": offer.source.url,
        "size": len(MODEL),
        "licence": "",
        "isChecked": False,
        "isPickle": False,
        "free": 0,
    }
    assert download.as_json()["state"] == "done"
    assert (tmp_path / "models/loras/a.safetensors").read_bytes() == MODEL
    assert one.files == ["models/loras/a.safetensors"]


async def test_nothing_is_fetched_that_was_not_offered_and_each_offer_counts_once(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        with pytest.raises(DownloadError, match="no such offer"):
            one.downloads.begin("made up", allows_pickle=True)
        offer = await one.offer()
        download = one.downloads.begin(offer.id, allows_pickle=False)
        with pytest.raises(DownloadError, match="no such offer"):
            one.downloads.begin(offer.id, allows_pickle=False)
        await download.task


async def test_a_break_in_the_middle_is_gone_over(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": breaking(LARGE, after=1_100_000, times=2)}) as one:
        download = await one.fetch()

    ranges = [request.headers.get("Range") for request in one.requests]
    assert download.state == "done"
    assert (tmp_path / "models/loras/a.safetensors").read_bytes() == LARGE
    assert ranges[0:2] == ["bytes=0-0", None]
    assert all(asked.startswith("bytes=") and asked != "bytes=0-" for asked in ranges[2:])


async def test_a_host_that_stays_away_leaves_a_part_that_is_gone_on_with_later(tmp_path):
    answers = {"/a.safetensors": breaking(LARGE, after=0, times=99)}
    async with rig(tmp_path, answers) as one:
        answers["/a.safetensors"] = breaking(LARGE, after=1_200_000, times=1)
        offer = await one.offer()
        normal = answers["/a.safetensors"]

        async def only_once(request):
            answers["/a.safetensors"] = breaking(LARGE, after=0, times=99)
            return await normal(request)

        answers["/a.safetensors"] = only_once
        download = one.downloads.begin(offer.id, allows_pickle=False)
        await download.task

        assert (download.state, download.error.code) == ("failed", "host_unreachable")
        [part] = one.files
        assert part.endswith(".assistant-part")

        answers["/a.safetensors"] = whole(LARGE)
        one.requests.clear()
        assert (await one.fetch()).state == "done"

    assert one.requests[-1].headers["Range"].startswith("bytes=1")
    assert one.files == ["models/loras/a.safetensors"]
    assert (tmp_path / "models/loras/a.safetensors").read_bytes() == LARGE


def endless(begun):
    """Two of three megabytes, then nothing."""

    async def answer(request):
        if request.headers.get("Range") == "bytes=0-0":
            return await whole(LARGE)(request)
        response = web.StreamResponse(headers={"ETag": '"one"'})
        response.content_length = len(LARGE)
        await response.prepare(request)
        await response.write(LARGE[:2_000_000])
        begun.set()
        await asyncio.sleep(30)
        return response

    return answer


async def begin_and_wait(one, begun):
    offer = await one.offer()
    download = one.downloads.begin(offer.id, allows_pickle=False)
    await begun.wait()
    while not download.received:
        await asyncio.sleep(0.01)
    return download


async def test_stop_leaves_nothing(tmp_path):
    begun = asyncio.Event()
    async with rig(tmp_path, {"/a.safetensors": endless(begun)}) as one:
        download = await begin_and_wait(one, begun)
        await one.downloads.stop(download.id)

    assert download.state == "stopped"
    assert one.files == []


async def test_the_end_of_comfyui_keeps_what_has_come_for_the_next_time(tmp_path):
    begun = asyncio.Event()
    answers = {"/a.safetensors": endless(begun)}
    async with rig(tmp_path, answers) as one:
        await begin_and_wait(one, begun)
        await one.downloads.close()
        [part] = one.files
        assert part.endswith(".assistant-part")


async def test_stop_before_its_turn_leaves_nothing(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        offer = await one.offer()
        download = one.downloads.begin(offer.id, allows_pickle=False)
        await one.downloads.stop(download.id)

    assert (download.state, one.files) == ("stopped", [])


class FullDisk(PartFile):
    def write(self, piece):
        raise OSError(errno.ENOSPC, "No space left on device")


async def test_a_full_disk_leaves_nothing(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}, part_file=FullDisk) as one:
        download = await one.fetch()

    assert (download.state, download.error.code) == ("failed", "disk_full")
    assert one.files == []


def free_bytes(monkeypatch, free):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**12, 0, free))


async def test_what_had_no_room_is_offered_and_fetched_once_there_is(tmp_path, monkeypatch):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        free_bytes(monkeypatch, 1_000)
        with pytest.raises(DownloadError, match="no room"):
            await one.offer()
        free_bytes(monkeypatch, 10**10)
        offer = await one.offer()
        free_bytes(monkeypatch, 1_000)
        refused = one.downloads.begin(offer.id, allows_pickle=False)
        await refused.task
        free_bytes(monkeypatch, 10**10)
        again = await one.fetch()

    assert (refused.state, refused.error.code, again.state) == ("failed", "disk_full", "done")


async def test_what_has_come_already_needs_no_room_again(tmp_path, monkeypatch):
    answers = {"/a.safetensors": breaking(LARGE, after=2_200_000, times=1)}
    async with rig(tmp_path, answers) as one:
        answers["/a.safetensors"] = breaking(LARGE, after=2_200_000, times=1)
        one.downloads._pauses = ()
        assert (await one.fetch()).state == "failed"
        kept = sum(path.stat().st_size for path in tmp_path.rglob("*.assistant-part"))
        assert kept > 1_000_000
        free_bytes(monkeypatch, 256 * 1024 * 1024 + len(LARGE) - kept)
        assert (await one.fetch()).state == "done"


async def _promising(request):
    """Ten bytes more than come."""
    response = web.StreamResponse(headers={"ETag": '"one"'})
    if request.headers.get("Range") == "bytes=0-0":
        response.set_status(206)
        response.headers["Content-Range"] = f"bytes 0-0/{len(MODEL) - 10}"
    await response.prepare(request)
    await response.write(MODEL)
    return response


async def _changed(request):
    return await whole(MODEL if request.headers.get("Range") == "bytes=0-0" else LARGE)(request)


async def _replaced(request):
    first = request.headers.get("Range") == "bytes=0-0"
    return await whole(MODEL, tag='"one"' if first else '"two"')(request)


async def _longer(request):
    """No length in its head, and more in its body than was offered."""
    if request.headers.get("Range") == "bytes=0-0":
        return await whole(MODEL)(request)
    response = web.StreamResponse(status=206, headers={"ETag": '"one"'})
    response.headers["Content-Range"] = f"bytes 0-{len(MODEL) - 1}/{len(MODEL)}"
    await response.prepare(request)
    await response.write(MODEL * 3)
    return response


@pytest.mark.parametrize("answer", [_promising, _changed, _replaced, _longer])
async def test_another_size_or_file_than_was_offered_leaves_nothing(tmp_path, answer):
    async with rig(tmp_path, {"/a.safetensors": answer}) as one:
        download = await one.fetch()

    assert (download.state, download.error.code) == ("failed", "wrong_file")
    assert one.files == []


async def _elsewhere_later(request):
    """Behaves while it is asked what the file is."""
    if request.headers.get("Range") == "bytes=0-0":
        return await whole(MODEL)(request)
    raise web.HTTPFound("https://evil.example/a.safetensors")


async def test_a_redirect_to_another_host_after_the_yes_leaves_nothing(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": _elsewhere_later}) as one:
        download = await one.fetch()

    assert (download.state, download.error.code) == ("failed", "address_refused")
    assert one.files == []


async def test_a_wrong_hash_leaves_nothing(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        download = await one.fetch(sha256="0" * 64)

    assert (download.state, download.error.code) == ("failed", "wrong_file")
    assert one.files == []


async def test_the_right_hash_is_told_before_and_checked(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        offer = await one.offer(sha256=hashlib.sha256(MODEL).hexdigest().upper())
        assert offer.as_json()["isChecked"] is True
        download = one.downloads.begin(offer.id, allows_pickle=False)
        await download.task

    assert download.state == "done"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(PICKLE * 10, id="a pickle"),
        pytest.param(b"PK\x03\x04" + bytes(60), id="a pickle in a zip"),
        pytest.param(MODEL + b"\x80\x02.", id="a pickle behind the tensors"),
        pytest.param(b"<html>not for you</html>" * 3, id="a page"),
        pytest.param((9).to_bytes(8, "little") + b"{nonsense" + bytes(30), id="no header"),
        pytest.param(b"", id="nothing"),
    ],
)
async def test_what_is_no_safetensors_file_is_not_kept(tmp_path, content):
    async with rig(tmp_path, {"/a.safetensors": whole(content)}) as one:
        download = await one.fetch()

    assert (download.state, download.error.code) == ("failed", "wrong_file")
    assert one.files == []


async def test_a_pickle_takes_a_yes_of_its_own(tmp_path):
    async with rig(tmp_path, {"/a.ckpt": whole(PICKLE)}) as one:
        offer = await one.offer("/a.ckpt")
        with pytest.raises(DownloadError) as refused:
            one.downloads.begin(offer.id, allows_pickle=False)
        assert (refused.value.code, one.files) == ("pickle_not_allowed", [])
        download = one.downloads.begin(offer.id, allows_pickle=True)
        await download.task

    assert (offer.is_pickle, download.state, one.files) == (True, "done", ["models/loras/a.ckpt"])


async def test_a_file_that_came_meanwhile_is_not_replaced(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        offer = await one.offer()
        offer.target.parent.mkdir(parents=True)
        offer.target.write_text("mine")
        download = one.downloads.begin(offer.id, allows_pickle=False)
        await download.task

    assert (download.state, download.error.code) == ("failed", "already_there")
    assert offer.target.read_text() == "mine"
    assert one.files == ["models/loras/a.safetensors"]


async def test_a_link_in_the_place_of_the_part_is_not_followed(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}) as one:
        offer = await one.offer()
        part = PartFile(offer.target, offer.identity)
        part.path.parent.mkdir(parents=True)
        outside = tmp_path / "outside"
        outside.write_text("mine")
        part.path.symlink_to(outside)
        download = one.downloads.begin(offer.id, allows_pickle=False)
        await download.task

    assert (download.state, download.error.code) == ("failed", "not_saved")
    assert outside.read_text() == "mine"


async def test_they_come_one_at_a_time(tmp_path):
    together, most = [0], [0]

    async def counted(request):
        together[0] += 1
        most[0] = max(most[0], together[0])
        await asyncio.sleep(0.02)
        together[0] -= 1
        return await whole(MODEL)(request)

    names = [f"{letter}.safetensors" for letter in "abcd"]
    async with rig(tmp_path, {f"/{name}": counted for name in names}) as one:
        offers = [await one.offer(f"/{name}") for name in names]
        most[0] = 0
        downloads = [one.downloads.begin(offer.id, allows_pickle=False) for offer in offers]
        await asyncio.gather(*(download.task for download in downloads))

    assert [download.state for download in downloads] == ["done"] * 4
    assert most == [1]


async def test_a_yes_is_to_no_other_file_that_is_coming_to_the_same_place(tmp_path):
    other = safetensors(2_000_000)
    async with rig(tmp_path, {"/a.safetensors": whole(LARGE), "/b.safetensors": whole(other)}) as one:
        offers = one.downloads.offers
        url = (await one.offer()).source.url
        first = await offers.make(url, "loras")
        again = await offers.make(url, "loras")
        different = await offers.make(url.replace("/a.", "/b."), "loras", name="a.safetensors")
        download = one.downloads.begin(first.id, allows_pickle=False)
        assert one.downloads.begin(again.id, allows_pickle=False) is download
        with pytest.raises(DownloadError, match="that is another file") as refused:
            one.downloads.begin(different.id, allows_pickle=False)
        await download.task

    assert refused.value.code == "already_there"
    assert (tmp_path / "models/loras/a.safetensors").read_bytes() == LARGE


async def test_nothing_on_the_disk_is_done_on_the_event_loop(tmp_path):
    threads = set()

    class Watched(PartFile):
        def open(self):
            threads.add(threading.get_ident())
            super().open()

        def write(self, piece):
            threads.add(threading.get_ident())
            super().write(piece)

        def finish(self):
            threads.add(threading.get_ident())
            super().finish()

    async with rig(tmp_path, {"/a.safetensors": whole(LARGE)}, part_file=Watched) as one:
        download = await one.fetch()

    assert download.state == "done"
    assert threads
    assert threading.get_ident() not in threads


async def _of_unknown_size(request):
    response = web.StreamResponse(headers={"ETag": '"one"'})
    await response.prepare(request)
    await response.write(MODEL)
    return response


async def test_a_file_whose_host_does_not_tell_its_size_leaves_room_on_the_disk(tmp_path, monkeypatch):
    async with rig(tmp_path, {"/a.safetensors": _of_unknown_size}) as one:
        assert (await one.fetch()).state == "done"
        (tmp_path / "models/loras/a.safetensors").unlink()
        offer = await one.offer()
        assert offer.as_json()["size"] is None
        monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 0))
        download = one.downloads.begin(offer.id, allows_pickle=False)
        await download.task

    assert (download.state, download.error.code, one.files) == ("failed", "disk_full", [])


async def test_a_file_whose_host_does_not_tell_its_size_has_a_limit(tmp_path):
    answers = {"/a.safetensors": _of_unknown_size}
    async with rig(tmp_path, answers, most_of_unknown_size=len(MODEL)) as one:
        assert (await one.fetch()).state == "done"
    (tmp_path / "models/loras/a.safetensors").unlink()
    async with rig(tmp_path, answers, most_of_unknown_size=len(MODEL) - 1) as one:
        download = await one.fetch()

    assert (download.state, download.error.code, one.files) == ("failed", "too_large", [])
    assert "did not tell how large a.safetensors is" in str(download.error)


async def test_a_size_that_was_told_and_allowed_has_no_other_limit(tmp_path):
    async with rig(tmp_path, {"/a.safetensors": whole(MODEL)}, most_of_unknown_size=10) as one:
        assert (await one.fetch()).state == "done"
