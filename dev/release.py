"""What a release needs beside the sources: its tag checked, and the addresses that the registry asks for.

Where the repository lives is known to whoever publishes it, so its address is written into pyproject.toml only then.
"""

from __future__ import annotations

import tomllib

from dev.places import ROOT

_TABLE = "[tool.comfy]\n"


class WrongTag(Exception):
    """The tag does not name the version that would be published."""


def prepare_release(repository: str, tag: str) -> bool:
    """`python -m dev release <owner>/<name> <tag>`, as the publishing workflow calls it."""
    path = ROOT / "pyproject.toml"
    try:
        text = with_addresses(path.read_text("utf-8"), repository, tag)
    except WrongTag as problem:
        print(problem)
        return False
    path.write_text(text, "utf-8", newline="\n")
    return True


def with_addresses(pyproject: str, repository: str, tag: str) -> str:
    """The text of pyproject.toml for a release of this tag from `<owner>/<name>` on GitHub.

    Raises:
        WrongTag: where the version is another one.
    """
    version = tomllib.loads(pyproject)["project"]["version"]
    if tag != f"v{version}":
        raise WrongTag(f"The tag is {tag}, and pyproject.toml has version {version}; expected v{version}.")
    home = f"https://github.com/{repository}"
    files = f"https://raw.githubusercontent.com/{repository}/{tag}"
    urls = (
        "[project.urls]\n"
        f'Repository = "{home}"\n'
        f'Documentation = "{home}/blob/{tag}/README.md"\n'
        f'"Bug Tracker" = "{home}/issues"\n\n'
    )
    pictures = f'Icon = "{files}/docs/registry/icon.png"\nBanner = "{files}/docs/registry/banner.png"\n'
    return pyproject.replace(_TABLE, urls + _TABLE + pictures, 1)
