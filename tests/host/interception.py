"""Requests of a page that a test holds, answers or lets go on, by Chromium's own `Fetch` domain.

Playwright's routes do the same, but the page is without its cache while there is one: each load of ComfyUI then asks
for and compiles its 324 files anew, which takes three times as long.
https://chromedevtools.github.io/devtools-protocol/tot/Fetch/
"""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession, Error, Page


@dataclass(frozen=True)
class Held:
    """A request that waits until one of the methods is called; without any it waits as long as its page is there."""

    session: CDPSession
    paused: dict[str, Any]

    @property
    def method(self) -> str:
        return self.paused["request"]["method"]

    @property
    def url(self) -> str:
        return self.paused["request"]["url"]

    @property
    def headers(self) -> dict[str, str]:
        return self.paused["request"]["headers"]

    @property
    def body(self) -> bytes:
        parts = self.paused["request"].get("postDataEntries", [])
        return b"".join(base64.b64decode(part["bytes"]) for part in parts)

    def go_on(self) -> None:
        self._say("Fetch.continueRequest")

    def fail(self) -> None:
        self._say("Fetch.failRequest", errorReason="Failed")

    def answer(self, status: int, content: object) -> None:
        """With `content` as JSON."""
        self._say(
            "Fetch.fulfillRequest",
            responseCode=status,
            responseHeaders=[{"name": "Content-Type", "value": "application/json"}],
            body=base64.b64encode(json.dumps(content).encode()).decode(),
        )

    def answered(self) -> Any:
        """The server's own answer, parsed. Only where answers are held."""
        got = self.session.send("Fetch.getResponseBody", {"requestId": self.paused["requestId"]})
        body = base64.b64decode(got["body"]) if got["base64Encoded"] else got["body"]
        return json.loads(body)

    def _say(self, command: str, **arguments: Any) -> None:
        # Its page may have given it up meanwhile.
        with contextlib.suppress(Error):
            self.session.send(command, {"requestId": self.paused["requestId"], **arguments})


@contextmanager
def held(
    page: Page,
    address: str,
    handle: Callable[[Held], object],
    *,
    answers: bool = False,
    is_cached: bool = False,
) -> Iterator[None]:
    """Requests for `address` (`*` stands for any text, `?` for one character), or their answers, go to `handle`.

    One for a file that `is_cached` is made only by a page without its cache.
    """
    session = page.context.new_cdp_session(page)
    session.send("Network.setCacheDisabled", {"cacheDisabled": is_cached})
    session.on("Fetch.requestPaused", lambda paused: handle(Held(session, paused)))
    stage = "Response" if answers else "Request"
    session.send("Fetch.enable", {"patterns": [{"urlPattern": address, "requestStage": stage}]})
    try:
        yield
    finally:
        session.send("Fetch.disable")
        session.detach()
