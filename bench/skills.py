"""How long the skills take that somebody has many of, and what of them small windows have no room for."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.report import Report, at_most
from engine.user.own_skills.import_record import contents_of, write_import_record
from engine.user.own_skills.states import SkillStates
from engine.user.skills.loader import SkillFolders

SKILLS, FOREIGN, UNACCEPTED, OFF, RULES = 500, 100, 20, 20, 40
WINDOWS = (8_192, 16_000, 32_000, 64_000, 128_000)
_TIMES, _LOOKS = 5, 9
_SETTLED_SECONDS = 2.2
_TEXT = "Mind the light, the frame and the time of day.\n" * 40
_MOST_NAMES = 6


def measure() -> Report:
    with tempfile.TemporaryDirectory() as place:
        data = Path(place) / "data"
        write_skills(data)
        time.sleep(_SETTLED_SECONDS)  # What was written just now is read again each time.
        cold, again = times(data)
        rows = asyncio.run(left_out(data))
    return Report(
        name="skills",
        title="Skills of the person",
        how=(
            f"A folder of {SKILLS} skills of {len(_TEXT):,} characters each, {FOREIGN} of them from elsewhere, of "
            f"which {UNACCEPTED} are not accepted and so held back, and {OFF} switched off: all read for the first "
            "time, and looked at again when nothing changed, as for each message. "
            f"Medians of {_TIMES} times, with {_LOOKS} looks each, in milliseconds of processor time. "
            f"Then a chat begun with them and {RULES} rules in each window: what its first request leaves out."
        ),
        figures=[
            at_most(f"{SKILLS} skills, read for the first time", cold, 150, "ms"),
            at_most("the same, when nothing changed", again, 5, "ms"),
        ],
        table="\n".join(["| window | form | left out |", "|---|---|---|", *rows]),
    )


def write_skills(data: Path) -> None:
    """The last ones are from elsewhere, the very last of them not accepted; the first ones are switched off."""
    for number in range(SKILLS):
        place = data / "skills" / f"skill-{number:03}"
        place.mkdir(parents=True)
        front_matter = (
            f"name: Skill {number}\ndescription: For tasks of kind {number}.\nmetadata:\n  version: 1.0"
        )
        (place / "SKILL.md").write_text(f"---\n{front_matter}\n---\n{_TEXT}", "utf-8")
        if number >= SKILLS - FOREIGN:
            write_import_record(place, "skills.zip")
            if number < SKILLS - UNACCEPTED:
                SkillStates(data).accept(place.name, contents_of(place))
    for number in range(OFF):
        SkillStates(data).switch(f"skill-{number:03}", is_on=False)
    (data / "rules.md").write_text(
        "".join(f"- Rule {number}: never touch my seeds in workflow {number}.\n" for number in range(RULES)),
        "utf-8",
    )


def times(data: Path) -> tuple[float, float]:
    """Milliseconds of the first reading, and of each look after it."""
    cold, again = [], []
    for _ in range(_TIMES):
        folders = SkillFolders((data / "skills",), (data / "rules.md",), sift=SkillStates(data).sift)
        cold.append(_time(folders))
        again += [_time(folders) for _ in range(_LOOKS)]
    return median(cold), median(again)


def _time(folders: SkillFolders) -> float:
    started = time.process_time()
    library = folders.load()
    took = 1_000 * (time.process_time() - started)
    assert len(library.skills) == SKILLS - UNACCEPTED - OFF
    return took


async def left_out(data: Path) -> list[str]:
    import tests.conftest  # noqa: F401 - loads the repository as `comfyui_assistant`
    from tests.talking import talking

    message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "hi"}]}
    rows: list[str] = []
    for window in WINDOWS:
        async with talking(data, environ={"COMFYUI_ASSISTANT_CONTEXT_WINDOW": str(window)}) as (assistant, _):
            thread = await assistant.new_thread()
            said = await assistant.call("POST", "/chat?debug=context", {"id": thread, "messages": [message]})
            told = said.one("data-context")["data"]
            rows.append(f"| {window:,} | {told['form']} | {_listed(told['leftOut'])} |")
    return rows


def _listed(entries: list[dict[str, object]]) -> str:
    names = [f"{entry['source']} ({entry['amount']:,} {entry['unit']})" for entry in entries]
    more = f", and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return (", ".join(names[:_MOST_NAMES]) or "nothing") + more
