from __future__ import annotations

import io

import pytest

from dev.demonstration_model.progress import ProgressBar, progress_line


@pytest.mark.parametrize(
    ("done", "seconds_left", "line"),
    [
        (0, None, "Tiny ▕                            ▏ 0 of 200 MB"),
        (101_000_000, 61.0, "Tiny ▕██████████████▏             ▏ 101 of 200 MB  1:01 left"),
        (200_000_000, 0.0, "Tiny ▕████████████████████████████▏ 200 of 200 MB  0:00 left"),
    ],
)
def test_the_line_shows_how_much_is_there_and_how_long_it_takes(done, seconds_left, line):
    assert progress_line("Tiny", done, 200_000_000, seconds_left=seconds_left) == line


def test_a_log_gets_a_line_now_and_then_and_the_last_one():
    output = io.StringIO()
    times = iter(range(100))
    bar = ProgressBar("Tiny", 10_000_000, output, clock=lambda: float(next(times)))
    for megabytes in range(11):
        bar(megabytes * 1_000_000)
    bar.close()
    assert [line.split("▏")[-1] for line in output.getvalue().splitlines()] == [
        " 0 of 10 MB",
        " 5 of 10 MB  0:05 left",
        " 10 of 10 MB  0:00 left",
    ]
