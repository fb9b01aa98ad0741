"""`contract/stream/*.sse` is what the encoder writes; the UI's tests read it with the `ai` package's own reader.

After a change of the stream or of a scenario: make contract.
"""

from __future__ import annotations

import json
import os

from .contract_streams import FOLDER, all_streams
from .reference_reader import read


async def test_the_committed_streams_are_what_the_encoder_writes() -> None:
    written = {name: stream async for name, stream in all_streams()}
    if os.environ.get("WRITE_CONTRACT"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        for old in FOLDER.glob("*.sse"):
            old.unlink()
        for name, stream in written.items():
            (FOLDER / name).write_bytes(stream)
    committed = {path.name: path.read_bytes() for path in FOLDER.glob("*.sse")}
    assert sorted(committed) == sorted(written)
    changed = [name for name in written if written[name] != committed[name]]
    assert changed == [], "run make contract and look at the difference"


def test_every_committed_stream_ends_well() -> None:
    for path in sorted(FOLDER.glob("*.sse")):
        frames = path.read_text("utf-8").split("\n\n")
        chunks = [json.loads(frame.removeprefix("data: ")) for frame in frames if frame.startswith("data: {")]
        read(chunks)
        assert chunks[-1]["type"] in ("finish", "error"), path.name
        assert frames[-2] == "data: [DONE]", path.name
