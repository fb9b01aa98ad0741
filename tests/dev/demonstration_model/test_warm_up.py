from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from dev.demonstration_model.service import warm_up


class _ComfyUI(ThreadingHTTPServer):
    asked: list[str]


class _Answers(BaseHTTPRequestHandler):
    server: _ComfyUI

    def do_GET(self) -> None:
        self.server.asked.append(f"GET {self.path}")
        self._answer(b"{}")

    def do_POST(self) -> None:
        self.server.asked.append(f"POST {self.path}")
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(b'data: {"type":"text-delta"}\n\n')

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def comfyui() -> Iterator[_ComfyUI]:
    with _ComfyUI(("127.0.0.1", 0), _Answers) as server:
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_what_is_installed_is_read_before_the_model_reads_the_message_that_tells_it(
    comfyui: _ComfyUI,
) -> None:
    warm_up(f"http://127.0.0.1:{comfyui.server_port}")
    assert comfyui.asked == ["GET /api/environment/summary", "POST /api/chat"]


def test_a_comfyui_that_is_gone_is_no_error() -> None:
    warm_up("http://127.0.0.1:9")
