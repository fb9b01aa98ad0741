"""Reads text files that users wrote, whatever they contain."""

from __future__ import annotations

from pathlib import Path

from ...base.files.regular_file import read_regular_file
from ...base.text.portable_text import decode_text, invisible_problem, normalize_newlines, reveal_invisible
from .diagnostic import Diagnostic


class UnreadableFile(Exception):
    """The error that a file has no readable text; `diagnostic` says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


def read_text_file(
    path: Path,
    *,
    inside: Path,
    label: str,
    max_bytes: int,
    marks_cut: bool = True,
    for_instructions: bool = True,
) -> tuple[str, list[Diagnostic]]:
    r"""Return a file's text with `\n` newlines, without byte order mark and lone surrogates, and its problems.

    `inside` is the folder that the real file must be in: a link that leads elsewhere is not followed. A file longer
    than `max_bytes` is cut at a line, with a marker for the missing rest if it `marks_cut`. With `for_instructions`,
    invisible letters are replaced; documents keep theirs. `label` is the file's name in messages.

    Raises:
        UnreadableFile: it is outside of the folder, or cannot be read.
    """
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(inside.resolve(strict=True)):
            raise UnreadableFile(
                Diagnostic(
                    label,
                    "It is a link to a place outside its folder.",
                    "Copy the file itself there.",
                    leaves_out=True,
                )
            )
        data, size = read_regular_file(real, max_bytes)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise UnreadableFile(
            Diagnostic(
                label,
                f"It cannot be read ({reason}).",
                "Check that it is a file ComfyUI may read.",
                leaves_out=True,
            )
        ) from error
    diagnostics = []
    text = decode_text(data, is_whole=size <= len(data))
    if "\N{REPLACEMENT CHARACTER}" in text:
        diagnostics.append(Diagnostic(label, "Some of it is not UTF-8 text.", "Save the file as UTF-8."))
    text = normalize_newlines(text).rstrip()
    if for_instructions:
        if problem := invisible_problem(text):
            diagnostics.append(Diagnostic(label, problem, "Take them out, or type the text anew."))
        text = reveal_invisible(text)
    text = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    if size > len(data):
        text, missing_bytes = text[: text.rfind("\n") + 1 or None].rstrip(), size - len(data)
        if marks_cut:
            text += f"\n\n[The file goes on: about {missing_bytes:,} of its {size:,} bytes are not shown.]"
        diagnostics.append(
            Diagnostic(label, f"It has {size:,} bytes; {max_bytes:,} are read.", "Shorten or split it.")
        )
    return text, diagnostics
