"""getAvailableModels: the model files that are installed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from difflib import get_close_matches
from heapq import nlargest
from typing import Any

from pydantic import BaseModel, Field

from ..environment.spelling import Spelling
from ..environment.words import squeeze, words
from .tool import ServerTool, ToolResult, ToolServices, failure, success

_MAX_NAMES = 60
_MAX_QUERY = 200
_CLOSEST = 5
_RENAMED = {"unet": "diffusion_models", "clip": "text_encoders"}


class Input(BaseModel):
    folder: str | None = Field(default=None, description="Model folder, such as loras.")
    query: str | None = Field(default=None, description="Words in the file name.")


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    environment = await services.environment.snapshot()
    return await asyncio.to_thread(_answer, arguments, dict(environment.models))


def _answer(arguments: Input, models: dict[str, tuple[str, ...]]) -> ToolResult:
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
    matches = _matching(models, query)
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
    plain = squeeze(asked)
    by_name = {squeeze(name): name for name in models}
    renamed = _RENAMED.get(plain)
    return by_name.get(plain) or by_name.get(f"{plain}s") or (renamed if renamed in models else None)


def _matching(models: Mapping[str, tuple[str, ...]], query: str) -> dict[str, tuple[str, ...]]:
    """The files that have every word in their name or folder; a word that none has counts as the closest ones."""
    asked = [squeeze(word) for word in query.split() if squeeze(word)]
    if query and not asked:
        return {}
    names = {
        (folder, file): squeeze(f"{folder}/{file}") for folder, files in models.items() for file in files
    }
    alternatives = [(word,) if any(word in name for name in names.values()) else () for word in asked]
    if not all(alternatives):
        spelling = Spelling.of(word for _, file in names for word in words(file))
        alternatives = [
            found or tuple(spelling.closest(word)) for found, word in zip(alternatives, asked, strict=True)
        ]
    return {
        folder: tuple(
            file
            for file in files
            if all(any(word in names[folder, file] for word in found) for found in alternatives)
        )
        for folder, files in models.items()
    }


def _closest_files(query: str, files: list[str]) -> str:
    """Those with some of the words, then those whose whole name is spelled alike."""
    asked = [squeeze(word) for word in query.split()]
    shared = {file: sum(word in squeeze(file) for word in asked) for file in files}
    some = nlargest(_CLOSEST, (file for file in files if shared[file]), key=shared.__getitem__)
    closest = list(dict.fromkeys((*some, *get_close_matches(query, files, n=_CLOSEST, cutoff=0.4))))[
        :_CLOSEST
    ]
    return f"Closest: {', '.join(closest)}." if closest else "Call it without query to see what is there."


get_available_models = ServerTool(
    name="getAvailableModels",
    description="Installed model files. Without arguments: all, or how many there are in each folder.",
    input=Input,
    run=run,
    label="List models {query|folder}",
)
