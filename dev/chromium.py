"""The browser of the browser tests: one that is there, else Debian's, by apt."""

from __future__ import annotations

import os
import shutil

from dev.component import Component, Installation

NAMES = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def executable() -> str | None:
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def _install(installation: Installation) -> None:
    if not shutil.which("apt-get"):
        raise installation.failure("no Chromium was found, and no apt-get to install it with")
    as_root = () if os.geteuid() == 0 else ("sudo", "-n")
    environment = {"DEBIAN_FRONTEND": "noninteractive"}
    installation.step("apt-get")
    installation.run(*as_root, "apt-get", "update", environment=environment)
    installation.run(
        *(*as_root, "apt-get", "install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"),
        environment=environment,
    )


CHROMIUM = Component(
    name="chromium",
    title="Chromium",
    duration="about a minute",
    advice="install Chromium or Chrome, or set CHROMIUM to its path.",
    install=_install,
    is_present=lambda: executable() is not None,
)
