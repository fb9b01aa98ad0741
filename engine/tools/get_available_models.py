"""`getAvailableModels`: the installed model files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from heapq import nlargest
from typing import Any

from pydantic import BaseModel, Field

from ..base.text.amounts import pluralize, size_words
from ..comfy.spelling import Spelling
from ..comfy.words import squeeze, words
from ..context.results import ResultBudget
from .fitting import first_that_fit, how_many_fit
from .tool import ServerTool, ToolResult, ToolServices, failure, success

_MOST_OF_ALL_FOLDERS = 100
_MAX_QUERY = 200
_CLOSEST = 5
_FEW = 12
"""The number of files that are all named where none resembles the query."""
_OF_PICTURES = {"input", "inputs", "image", "images", "picture", "pictures", "output", "outputs"}
_PICTURES = 'Those of the input folder are choices of LoadImage: getNodeInfo {"types":["LoadImage"]}.'
_RENAMED = {"unet": "diffusion_models", "clip": "text_encoders"}


SizeOf = Callable[[str, str], int | None]
"""Returns a file's size in bytes by folder and file name, or None."""


class Input(BaseModel):
    folder: str | None = Field(default=None, description="Such as loras.")
    query: str | None = None


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    environment = await services.environment.snapshot()
    size_of = services.environment.model_size
    return await asyncio.to_thread(_answer, arguments, dict(environment.models), size_of, services.room)


def _answer(
    arguments: Input, models: dict[str, tuple[str, ...]], size_of: SizeOf, room: ResultBudget
) -> ToolResult:
    folder_name = (arguments.folder or "").strip()[:_MAX_QUERY]
    folder = _folder(folder_name, models) if folder_name else None
    if folder_name and folder is None:
        if squeeze(folder_name) in _OF_PICTURES:
            return failure(f'"{folder_name}" is no model folder.', _PICTURES)
        closest = get_close_matches(folder_name.casefold(), list(models), n=3, cutoff=0.4)
        suggestion = f"Closest: {', '.join(closest)}. " if closest else ""
        return failure(f'There is no model folder "{folder_name}".', f"{suggestion}All: {', '.join(models)}.")
    if folder is not None:
        models = {folder: models[folder]}
    if not any(models.values()):
        return _nothing(folder)
    query = (arguments.query or "").strip()[:_MAX_QUERY]
    matches = _matching_files(models, query)
    if not any(matches.values()):
        files = [file for names in models.values() for file in names]
        where = f"in {folder}" if folder else "in any model folder"
        return failure(f'No file {where} matches "{query}".', _closest_files(query, files))
    models = {name: files for name, files in matches.items() if files}
    return _list_files(models, size_of, folder=folder, query=query, room=room)


def _list_files(
    models: dict[str, tuple[str, ...]], size_of: SizeOf, *, folder: str | None, query: str, room: ResultBudget
) -> ToolResult:
    total = sum(map(len, models.values()))
    about = f' matching "{query}"' if query else ""
    if total > _MOST_OF_ALL_FOLDERS and folder is None:
        counts = {name: len(files) for name, files in models.items()}
        data: dict[str, Any] = {"folders": counts, "hint": "Name a folder or a query to see the files."}
        return success(f"{total:,} model files{about} in {len(models)} folders.", data)
    files = [(name, file) for name, names in models.items() for file in names]
    first = ", ".join(file for _, file in files[:3])
    ellipsis = ", …" if total > 3 else ""
    summary = f"{pluralize(total, 'model file')}{about} in {', '.join(models)}: {first}{ellipsis}"

    sizes: dict[tuple[str, str], int] = {}

    def result(shown: Sequence[tuple[str, str]]) -> ToolResult:
        by_folder: dict[str, list[tuple[str, str]]] = {}
        for name, file in shown:
            size = sizes.get((name, file))
            by_folder.setdefault(name, []).append((file, size_words(size) if size else ""))
        listed = {
            name: dict(entries) if any(size for _, size in entries) else [file for file, _ in entries]
            for name, entries in by_folder.items()
        }
        data: dict[str, Any] = {"models": listed}
        if total > len(shown):
            data |= {"more": total - len(shown), "hint": "Narrow it with query."}
        return success(summary, data)

    # Sizes are read from the disk only for the files that there may be room for.
    files = files[: how_many_fit(files, room, result)]
    sizes.update({each: size for each in files if (size := size_of(*each))})
    return first_that_fit(files, room, result)


def _nothing(folder: str | None) -> ToolResult:
    where = f"The model folder {folder} is empty" if folder else "No model file is installed"
    return success(
        f"{where}.",
        {
            "models": {},
            "hint": "findMissing fetches what the open workflow needs, downloadModel any other file.",
        },
    )


def _folder(folder_name: str, models: dict[str, tuple[str, ...]]) -> str | None:
    """Return the folder of this name in any case, in the singular, or by its former name."""
    plain = squeeze(folder_name)
    by_name = {squeeze(name): name for name in models}
    new_name = _RENAMED.get(plain)
    return by_name.get(plain) or by_name.get(f"{plain}s") or (new_name if new_name in models else None)


def _matching_files(models: Mapping[str, tuple[str, ...]], query: str) -> dict[str, tuple[str, ...]]:
    """Return the files that have every word in their name or folder; a word that no file has stands for the closest
    ones.
    """
    query_words = [squeeze(word) for word in query.split() if squeeze(word)]
    if query and not query_words:
        return {}
    names = {
        (folder, file): squeeze(f"{folder}/{file}") for folder, files in models.items() for file in files
    }
    alternatives = [(word,) if any(word in name for name in names.values()) else () for word in query_words]
    if not all(alternatives):
        spelling = Spelling.build(word for _, file in names for word in words(file))
        alternatives = [
            options or tuple(spelling.closest(word))
            for options, word in zip(alternatives, query_words, strict=True)
        ]
    return {
        folder: tuple(
            file
            for file in files
            if all(any(word in names[folder, file] for word in options) for options in alternatives)
        )
        for folder, files in models.items()
    }


def _closest_files(query: str, files: list[str]) -> str:
    """Name the files with some of the words, then those with a similar name."""
    query_words = [squeeze(word) for word in query.split()]
    shared_words = {file: sum(word in squeeze(file) for word in query_words) for file in files}
    some = nlargest(_CLOSEST, (file for file in files if shared_words[file]), key=shared_words.__getitem__)
    closest = list(dict.fromkeys((*some, *get_close_matches(query, files, n=_CLOSEST, cutoff=0.4))))[
        :_CLOSEST
    ]
    if closest:
        return f"Closest: {', '.join(closest)}."
    return (
        f"All: {', '.join(files)}." if len(files) <= _FEW else "Call it without query to see what is there."
    )


get_available_models = ServerTool(
    name="getAvailableModels",
    description="Installed model files with sizes: all, or counts by folder.",
    input=Input,
    run=run,
    label="List models {query|folder}",
)
