"""A check's steps: what is shown, and what is tried a second time."""

from __future__ import annotations

import sys
import threading

import pytest

from dev import steps
from dev.steps import Step, failed_tests, run_steps, temporary_files

SUMMARY = """
=========================== short test summary info ============================
FAILED tests/host/test_chats.py::test_a_pinned_chat[1.32.9] - AssertionError: assert 1 - 2
FAILED tests/host/test_run.py::test_with_a_value[a - b]
ERROR tests/host/test_run.py::test_that_never_began[x] - RuntimeError: no ComfyUI
ERROR tests/host/test_run.py::test_with_a_value[a - b]
2 failed, 1 error, 245 passed in 538.42s (0:08:58)
"""


@pytest.fixture(autouse=True)
def own_logs(tmp_path, monkeypatch):
    monkeypatch.setattr(steps, "LOGS", tmp_path)


def printing(text: str, code: int) -> tuple[str, ...]:
    return (sys.executable, "-c", f"print({text!r}); raise SystemExit({code})")


def test_failed_tests_are_read_from_the_summary():
    assert failed_tests(SUMMARY) == [
        "tests/host/test_chats.py::test_a_pinned_chat[1.32.9]",
        "tests/host/test_run.py::test_with_a_value[a - b]",
        "tests/host/test_run.py::test_that_never_began[x]",
    ]


def test_a_test_that_passes_in_a_second_try_is_named(capsys):
    step = Step(
        "host", printing("FAILED tests/a.py::test_x - boo", 1), second_try=lambda _: printing("1 passed", 0)
    )

    assert run_steps([step])
    assert "UNSTEADY: tests/a.py::test_x" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("output", "second"),
    [
        ("FAILED tests/a.py::test_x - boo", 1),
        ("no summary at all", 0),
        ("\n".join(f"FAILED tests/a.py::test_{number} - boo" for number in range(4)), 0),
    ],
    ids=["fails again", "never came to a summary", "too many failed"],
)
def test_what_is_broken_stays_so(output, second, capsys):
    step = Step("host", printing(output, 1), second_try=lambda _: printing("passed", second))

    assert not run_steps([step])
    assert "UNSTEADY" not in capsys.readouterr().out


def test_a_step_without_a_second_try_has_none(capsys):
    assert not run_steps([Step("unit", printing("FAILED tests/a.py::test_x - boo", 1))])


def test_one_step_more_than_cores_runs_at_once(monkeypatch):
    monkeypatch.setattr(steps.os, "cpu_count", lambda: 2)
    all_three = threading.Barrier(3)

    def meet() -> str:
        all_three.wait(timeout=60)
        return ""

    assert run_steps([Step(str(number), meet) for number in range(3)])


def test_temporary_files_lie_in_memory_where_it_has_room_and_are_gone_afterwards(tmp_path):
    with temporary_files(tmp_path, room=0) as environment:
        (folder,) = tmp_path.iterdir()
        assert environment == {"TMPDIR": str(folder)}
        (folder / "left").write_text("behind")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("folder", "room"), [("none", 0), (".", 10**18)])
def test_temporary_files_lie_where_they_usually_do_where_memory_has_no_room(tmp_path, folder, room):
    with temporary_files(tmp_path / folder, room=room) as environment:
        assert environment == {}
