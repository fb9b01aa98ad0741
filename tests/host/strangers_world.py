"""What a stranger's workflow is found with: a host of model files and a registry of packages, on this machine."""

from __future__ import annotations

import json
import struct
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FILES = {"colour.safetensors": 300, "shade.safetensors": 5_000_000}
PICKLE, SLOW = "pickle.safetensors", "slow.safetensors"
ELSEWHERE, SWAPPED, ENDLESS = "elsewhere.safetensors", "swapped.safetensors", "endless.safetensors"
HASH_OF_ANOTHER = "0" * 64
SECONDS_OF_SLOW = 20
MORE_THAN_ANY_DISK = 10**18
PACKAGE = {
    "id": "strangers-tint",
    "name": "Stranger's Tint",
    "publisher": {"name": "A. Stranger"},
    "repository": "https://github.com/stranger/tint",
    "latest_version": {"version": "1.0.0", "createdAt": "2026-01-02T03:04:05Z"},
    "downloads": 12,
}


def workflow(host: str, files: Iterable[str] = FILES) -> dict[str, Any]:
    """As its author saved it, who has own folders: with the sources of its models, and the package of its node."""
    names = list(files)
    models = [
        {"name": name, "directory": folder, "url": f"{host}/{name}"}
        | ({"hash": HASH_OF_ANOTHER, "hash_type": "SHA256"} if name == SWAPPED else {})
        for name, folder in zip(names, ("loras", "vae"), strict=True)
    ]
    image = {"name": "image", "type": "IMAGE"}
    return {
        "last_node_id": 3,
        "last_link_id": 2,
        "version": 0.4,
        "links": [[1, 1, 0, 2, 0, "IMAGE"], [2, 2, 0, 3, 0, "IMAGE"]],
        "nodes": [
            {
                "id": 1,
                "type": "PictureOfModels",
                "pos": [0, 0],
                "size": [270, 90],
                "mode": 0,
                "order": 0,
                "flags": {},
                "inputs": [],
                "outputs": [image | {"name": "IMAGE", "links": [1]}],
                "properties": {"models": models},
                "widgets_values": [names[0], f"theirs/{names[1]}"],
            },
            {
                "id": 2,
                "type": "StrangersTint",
                "pos": [320, 0],
                "size": [200, 60],
                "mode": 0,
                "order": 1,
                "flags": {},
                "inputs": [image | {"link": 1}],
                "outputs": [image | {"name": "IMAGE", "links": [2]}],
                "properties": {"cnr_id": PACKAGE["id"], "ver": "1.0.0"},
                "widgets_values": [],
            },
            {
                "id": 3,
                "type": "SaveImage",
                "pos": [560, 0],
                "size": [270, 270],
                "mode": 0,
                "order": 2,
                "flags": {},
                "inputs": [{"name": "images", "type": "IMAGE", "link": 2}],
                "outputs": [],
                "properties": {},
                "widgets_values": ["stranger"],
            },
        ],
    }


def with_many_models(host: str, count: int) -> dict[str, Any]:
    """The same with so many loaders more, whose files nobody knows a source of."""
    whole = workflow(host)
    whole["nodes"] += [
        {
            "id": 10 + number,
            "type": "VAELoader",
            "pos": [0, 200 + 100 * number],
            "size": [270, 60],
            "mode": 0,
            "order": 3 + number,
            "flags": {},
            "inputs": [],
            "outputs": [{"name": "VAE", "type": "VAE", "links": []}],
            "properties": {},
            "widgets_values": [f"large-{number}.safetensors"],
        }
        for number in range(count)
    ]
    return whole | {"last_node_id": 10 + count}


def with_dead_group_node() -> dict[str, Any]:
    """As the page saves a group node with a type that was not installed: the sign in its own type is gone."""
    plain = {"size": [270, 90], "mode": 0, "flags": {}, "properties": {}}
    image = {"name": "image", "type": "IMAGE"}
    invert = plain | {"type": "ImageInvert", "pos": [0, 0], "order": 0, "index": 0, "widgets_values": []}
    made = [image | {"name": "IMAGE", "links": [2]}]
    return {
        "last_node_id": 3,
        "last_link_id": 2,
        "version": 0.4,
        "links": [[1, 1, 0, 2, 0, "IMAGE"], [2, 2, 0, 3, 0, "IMAGE"]],
        "nodes": [
            plain
            | {
                "id": 1,
                "type": "EmptyImage",
                "pos": [0, 0],
                "order": 0,
                "inputs": [],
                "outputs": [image | {"name": "IMAGE", "links": [1]}],
                "widgets_values": [64, 64, 1, 0],
            },
            plain
            | {
                "id": 2,
                "type": "workflowTurned round",
                "pos": [320, 0],
                "order": 1,
                "inputs": [image | {"link": 1}],
                "outputs": made,
                "widgets_values": [],
            },
            plain
            | {
                "id": 3,
                "type": "SaveImage",
                "pos": [640, 0],
                "order": 2,
                "inputs": [{"name": "images", "type": "IMAGE", "link": 2}],
                "outputs": [],
                "widgets_values": ["group"],
            },
        ],
        "extra": {
            "groupNodes": {
                "Turned round": {
                    "nodes": [invert | {"inputs": [image | {"link": None}], "outputs": made}],
                    "links": [],
                    "external": [],
                }
            }
        },
    }


def model_file(size: int) -> bytes:
    header = json.dumps({"a": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
    return struct.pack("<Q", len(header)) + header + bytes(size)


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        asked: list[str] = self.server.asked  # type: ignore[attr-defined]
        asked.append(self.path)
        name = self.path.strip("/")
        if name == ELSEWHERE:
            self.send_response(302)
            self.send_header("Location", "https://elsewhere.example/other.safetensors")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif name == ENDLESS:
            self.send_response(200)
            self.send_header("Content-Length", str(MORE_THAN_ANY_DISK))
            self.end_headers()
        elif name == SWAPPED:
            self._answer(model_file(300))
        elif name in FILES:
            self._answer(model_file(FILES[name]))
        elif name == PICKLE:
            self._answer(b"\x80\x04" + bytes(200))
        elif name == SLOW:
            self._answer(model_file(5_000_000), seconds=SECONDS_OF_SLOW)
        elif name == f"nodes/{PACKAGE['id']}":
            self._answer(json.dumps(PACKAGE).encode())
        else:
            self.send_error(404)

    def _answer(self, body: bytes, *, seconds: float = 0) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"1"')
        self.end_headers()
        half = len(body) // 2
        try:
            self.wfile.write(body[:half])
            time.sleep(seconds)
            self.wfile.write(body[half:])
        except ConnectionError:
            self.close_connection = True

    def log_message(self, *_arguments: object) -> None:
        pass


@contextmanager
def strangers_world() -> Iterator[tuple[str, list[str]]]:
    """Its address, and the paths that it was asked for."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server.asked  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
