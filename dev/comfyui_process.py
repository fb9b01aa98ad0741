"""A running ComfyUI: pristine source from the cache, everything it writes in a base folder of its own."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dev.comfyui import CHOSEN, FRONTEND, OLDEST_FRONTEND
from dev.frontends import NODES_2, frontend_root
from dev.places import ROOT, VOCABULARY, venv_python
from dev.processes import ChildProcess, free_port

EXTENSION_NAME = "comfyui-assistant"
SECONDS_TO_START = 120

# Without these a first visit opens a dialog of templates over the whole page and leaves the graph empty.
FIRST_VISIT_IS_OVER = {"Comfy.TutorialCompleted": True, "Comfy.InstalledVersion": OLDEST_FRONTEND}
SHOWS_NODES_2 = {"Comfy.VueNodes.Enabled": True}


def prepare_base(
    base: Path,
    *,
    extension: Path | None = ROOT,
    frontend: str = FRONTEND,
    settings_of_page: Mapping[str, Any] | None = None,
) -> None:
    """Lay out a base folder, or complete one that is there; settings that somebody changed stay."""
    shows_nodes = SHOWS_NODES_2 if frontend == NODES_2 else {}
    first_settings = {**FIRST_VISIT_IS_OVER, **shows_nodes, **(settings_of_page or {})}
    custom_nodes = base / "custom_nodes"
    settings = base / "user" / "default" / "comfy.settings.json"
    for folder in (custom_nodes, settings.parent / "workflows", settings.parent / "subgraphs"):
        folder.mkdir(parents=True, exist_ok=True)
    if not settings.exists():
        settings.write_text(json.dumps(first_settings, indent=2))
    link = custom_nodes / EXTENSION_NAME
    if link.is_symlink():
        link.unlink()
    if extension:
        link.symlink_to(extension, target_is_directory=True)


class ComfyUIProcess(ChildProcess):
    def __init__(
        self,
        base: Path,
        *,
        port: int,
        log: Path,
        frontend: str = FRONTEND,
        cpu: bool = True,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.base = base
        self.url = f"http://127.0.0.1:{port}"
        super().__init__(
            "ComfyUI",
            [
                *(venv_python(CHOSEN.venv), "-u", ROOT / "dev" / "start_comfyui.py", CHOSEN.source),
                *("--listen", "127.0.0.1", "--port", str(port), "--disable-auto-launch"),
                *("--base-directory", base, "--database-url", f"sqlite:///{base / 'user' / 'comfyui.db'}"),
                *(("--cpu",) if cpu else ()),
                *(("--front-end-root", root) if (root := frontend_root(frontend)) else ()),
                *arguments,
            ],
            log=log,
            environment={"TIKTOKEN_CACHE_DIR": str(VOCABULARY), **(environment or {})},
        )

    def wait_until_ready(self) -> None:
        self.wait_until_it_answers(f"{self.url}/system_stats", seconds=SECONDS_TO_START)

    def save_assistant_settings(self, **settings: str) -> None:
        """What the panel's settings save: `baseUrl`, `model`, `apiKey`. Raises urllib.error.HTTPError if refused."""
        self._put("settings", settings)

    def trust_packages(self, *, trusted: bool = True) -> None:
        """All that lie in its `custom_nodes`: the assistant runs their nodes without asking, or no more."""
        names = [path.stem for path in (self.base / "custom_nodes").iterdir()]
        self._put("trusted-packages", {"packages": names, "trusted": trusted})

    def _put(self, route: str, body: Mapping[str, Any]) -> None:
        request = urllib.request.Request(
            f"{self.url}/api/assistant/{route}",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
            method="PUT",
        )
        urllib.request.urlopen(request, timeout=10).close()


@contextlib.contextmanager
def running_comfyui(
    base: Path,
    *,
    extension: Path | None = ROOT,
    frontend: str = FRONTEND,
    environment: Mapping[str, str] | None = None,
    settings_of_page: Mapping[str, Any] | None = None,
    has_api_nodes: bool = False,
    arguments: Sequence[str] = (),
    port: int | None = None,
) -> Iterator[ComfyUIProcess]:
    """A ComfyUI for tests and measurements: on a free port, usually without the nodes that call ComfyUI's service."""
    prepare_base(base, extension=extension, frontend=frontend, settings_of_page=settings_of_page)
    process = ComfyUIProcess(
        base,
        port=port or free_port(),
        log=base / "comfyui.log",
        frontend=frontend,
        arguments=(*(() if has_api_nodes else ("--disable-api-nodes",)), *arguments),
        environment=environment,
    )
    try:
        process.wait_until_ready()
        yield process
    finally:
        process.stop()
