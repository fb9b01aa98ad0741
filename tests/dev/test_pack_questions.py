from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.host.pack_questions import Question, RunTwice, read_questions, wrong_questions

DEFINITIONS = {
    "Glitter": {"python_module": "custom_nodes.confetti"},
    "SaveImage": {"python_module": "nodes"},
}
ORIGINS = {"Glitter": "confetti", "SaveImage": None}


def about(*packages: str) -> Question:
    return Question("", "", ("package",), packages)


def run(first: Sequence[Question] = (), second: Sequence[Question] = (), **origins: str | None) -> RunTwice:
    return RunTwice("one.json", (first, second), origins or ORIGINS)


def test_one_question_about_a_package_and_none_later_is_right():
    assert wrong_questions([run([about("confetti")]), run()], DEFINITIONS) == []


@pytest.mark.parametrize(
    ("runs", "wrong"),
    [
        ([run([about("confetti")]), run([about("confetti")])], "asked about was ['confetti']"),
        ([run([about("confetti")], [about("confetti")])], "asked about confetti before the second run"),
        ([run([about("confetti"), about("confetti")])], "asked about was ['confetti', 'confetti']"),
        ([run()], "new are ['confetti'], asked about was []"),
        ([run([about("")], SaveImage="")], "SaveImage counts as of '', and is of None"),
        ([run([about("confetti"), about()])], "one.json"),
    ],
    ids=[
        "again later",
        "again at once",
        "twice before a run",
        "never",
        "ComfyUI's own",
        "of nobody knows what",
    ],
)
def test_any_other_question_about_a_package_is_told(runs, wrong):
    assert any(wrong in line for line in wrong_questions(runs, DEFINITIONS))


def test_a_question_is_of_each_kind_that_its_sentences_name():
    detail = 'Node 1 “a” (A from b) is paid: 3. Node 2 “c” names an address: url "x is paid".'
    asked = [
        {"title": "", "detail": detail, "isOfPackage": True, "packages": ["b"]},
        {
            "title": "",
            "detail": 'Node 2 “c” runs code: text "is paid".',
            "isOfPackage": False,
            "packages": [],
        },
    ]

    assert [each.kinds for each in read_questions(asked)] == [("package", "cost", "acts"), ("acts",)]
