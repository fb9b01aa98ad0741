"""getAvailableModels: the model files that are installed."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, Field

from ..environment.words import squeezed
from .tool import ServerTool, ToolResult, ToolServices, failure, success

_MAX_NAMES = 60
_MAX_QUERY = 200
_RENAMED = {"unet": "diffusion_models", "clip": "text_encoders"}


class Input(BaseModel):
    folder: str | None = Field(default=None, description="Model folder, such as loras.")
    query: str | None = Field(default=None, description="Words in the file name.")


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    models = dict((await services.environment.snapshot()).models)
    asked = (arguments.folder or "").strip()[:_MAX_QUERY]
    folder = _folder(asked, models) if asked else None
    if asked and folder is None:
        closest = get_close_matches(asked.casefold(), list(models), n=3, cutoff=0.4)
        meant = f"Closest: {', '.join(closest)}. " if closest else ""
        return failure(f'There is no model folder "{asked}".', f"{meant}All: {', '.join(models)}.")
    if folder is not None:
        models = {folder: models[folder]}
    if not any(models.values()):
        return _nothing(folder)
    query = (arguments.query or "").strip()[:_MAX_QUERY]
    matches = {name: _matching(files, query) for name, files in models.items()} if query else models
    if not any(matches.values()):
        files = [file for names in models.values() for file in names]
        where = f"in {folder}" if folder else "in any model folder"
        return failure(f'No file {where} matches "{query}".', _closest_files(query, files))
    return _listed({name: files for name, files in matches.items() if files}, folder=folder, query=query)


def _listed(models: dict[str, tuple[str, ...]], *, folder: str | None, query: str) -> ToolResult:
    total = sum(map(len, models.values()))
    about = f' matching "{query}"' if query else ""
    if total > _MAX_NAMES and folder is None:
        counts = {name: len(files) for name, files in models.items()}
        data: dict[str, Any] = {"folders": counts, "hint": "Name a folder or a query to see the files."}
        return success(f"{total:,} model files{about} in {len(models)} folders.", data)
    shown = {name: list(files[:_MAX_NAMES]) for name, files in models.items()}
    data = {"models": shown}
    if total > _MAX_NAMES:
        data["more"] = total - _MAX_NAMES
        data["hint"] = "Narrow it with query."
    noun = "model file" if total == 1 else "model files"
    first = ", ".join([file for files in shown.values() for file in files][:3])
    ellipsis = ", …" if total > 3 else ""
    return success(f"{total:,} {noun}{about} in {', '.join(models)}: {first}{ellipsis}", data)


def _nothing(folder: str | None) -> ToolResult:
    where = f"The model folder {folder} is empty" if folder else "No model file is installed"
    return success(
        f"{where}.",
        {
            "models": {},
            "hint": "You cannot download models: tell the user which file goes into which folder.",
        },
    )


def _folder(asked: str, models: dict[str, tuple[str, ...]]) -> str | None:
    """By its name in any case, in the singular, or by the name it had before."""
    plain = squeezed(asked)
    by_name = {squeezed(name): name for name in models}
    renamed = _RENAMED.get(plain)
    return by_name.get(plain) or by_name.get(f"{plain}s") or (renamed if renamed in models else None)


def _matching(files: tuple[str, ...], query: str) -> tuple[str, ...]:
    words = [squeezed(word) for word in query.split()]
    return tuple(file for file in files if all(word in squeezed(file) for word in words))


def _closest_files(query: str, files: list[str]) -> str:
    closest = get_close_matches(query, files, n=5, cutoff=0.4)
    return f"Closest: {', '.join(closest)}." if closest else "Call it without query to see what is there."


get_available_models = ServerTool(
    name="getAvailableModels",
    description="Installed model files. Without arguments: all, or how many there are in each folder.",
    input=Input,
    run=run,
)
