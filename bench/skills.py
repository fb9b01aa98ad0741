"""How long the skills take that somebody has many of: read for the first time, and when nothing changed."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from bench.report import Report, at_most
from engine.skills.loader import SkillFolders

SKILLS = 500
_TIMES = 5
_SETTLED_SECONDS = 2.2
_TEXT = "Mind the light, the frame and the time of day.\n" * 40


def measure() -> Report:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "skills"
        write_skills(folder)
        time.sleep(_SETTLED_SECONDS)  # What was written just now is read again each time.
        cold, again = times(folder)
    return Report(
        name="skills",
        title="Skills of the person",
        how=(
            f"A folder of {SKILLS} skills of {len(_TEXT):,} characters each: all read for the first time, and looked "
            f"at again when nothing changed, as for each message. Medians of {_TIMES}, in milliseconds."
        ),
        figures=[
            at_most(f"{SKILLS} skills, read for the first time", cold, 150, "ms"),
            at_most("the same, when nothing changed", again, 5, "ms"),
        ],
    )


def write_skills(folder: Path) -> None:
    for number in range(SKILLS):
        place = folder / f"skill-{number:03}"
        place.mkdir(parents=True)
        front_matter = (
            f"name: Skill {number}\ndescription: For tasks of kind {number}.\nmetadata:\n  version: 1.0"
        )
        (place / "SKILL.md").write_text(f"---\n{front_matter}\n---\n{_TEXT}", "utf-8")


def times(folder: Path) -> tuple[float, float]:
    cold, again = [], []
    for _ in range(_TIMES):
        folders = SkillFolders((folder,))
        for found in (cold, again):
            started = time.perf_counter()
            library = folders.load()
            found.append(1_000 * (time.perf_counter() - started))
            assert len(library.skills) == SKILLS
    return median(cold), median(again)
