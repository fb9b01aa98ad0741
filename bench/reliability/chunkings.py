"""Every scenario with its bytes in other reads, and with other line ends: the panel gets the same."""

from __future__ import annotations

import random
from typing import Any

from bench.report import Report, none_of
from dev.scripted.scenario import Scenario, Step
from dev.scripted.scenario_files import load_scenario
from tests.stream.contract_streams import scenarios, streams_of


async def measure(amount: int, dice: random.Random) -> Report:
    names = scenarios()
    different: list[str] = []
    tried = 0
    for name in names:
        expected = await streams_of(name)
        ways = [("whole", "lf"), ("bytes", "lf"), ("events", "crlf"), ("bytes", "crlf")]
        ways += [(f"random:{dice.randrange(10**6)}", dice.choice(["lf", "crlf"])) for _ in range(amount)]
        for chunking, newline in ways:
            tried += 1
            scenario = _with_newlines(load_scenario(name), newline)
            if await streams_of(name, scenario, chunking=chunking) != expected:
                different.append(f"{name}, {chunking}, {newline}")
    for line in different[:20]:
        print(line)
    return Report(
        name="chunkings",
        title="A stream in other pieces",
        how=(
            f"{len(names)} scenarios of the scripted model, their bytes in one read, one by one, and cut "
            f"{amount} times by "
            "chance, with line ends of LF and of CRLF; what the panel gets is compared byte for byte with "
            "what it gets of one "
            "read for each event."
        ),
        figures=[none_of("answers that are different", len(different), tried)],
    )


def _with_newlines(scenario: Scenario, newline: str) -> Scenario:
    """As it is, where the scenario has line ends of its own."""

    def changed(value: Any) -> Any:
        if isinstance(value, Step):
            return value.model_copy(update={"newline": newline}) if value.newline == "lf" else value
        if isinstance(value, list):
            return [changed(one) for one in value]
        for field in ("turns", "steps", "attempts", "either"):
            if hasattr(value, field):
                value = value.model_copy(update={field: changed(getattr(value, field))})
        return value

    return changed(scenario)
