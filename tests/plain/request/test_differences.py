from __future__ import annotations

import pytest

from .test_orders_read import ordered
from .test_values_said import said


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        ("10 more steps", {"steps": "30"}),
        ("one more step", {"steps": "21"}),
        ("two steps less", {"steps": "18"}),
        ("dos pasos más", {"steps": "22"}),
        ("deux étapes de moins", {"steps": "18"}),
        ("lower the cfg by 2", {"cfg": "6"}),
        ("raise cfg by .5", {"cfg": "8.5"}),
        ("cfg + 1", {"cfg": "9"}),
        ("+5 steps", {"steps": "25"}),
        ("plus 10 steps", {"steps": "30"}),
        ("ten more steps", {"steps": "30"}),
        ("increase the cfg by 2", {"cfg": "10"}),
        ("erhöhe die Schritte um 10", {"steps": "30"}),
        ("5 mehr Schritte", {"steps": "25"}),
        ("augmente les étapes de 10", {"steps": "30"}),
        ("10 étapes de plus", {"steps": "30"}),
        ("aumenta los pasos en 10", {"steps": "30"}),
        ("cfg 5, 10 more steps", {"cfg": "5", "steps": "30"}),
        ("width 64 more", {"width": "576"}),
    ],
)
def test_a_number_of_more_or_less_changes_what_is_there(request_: str, values: dict[str, str]) -> None:
    assert ordered(request_) == (values, False)


@pytest.mark.parametrize(
    "request_",
    [
        "lower the cfg by 20",
        "increase the steps by 10%",
        "use 20 steps or more",
        "30 steps with more cfg",
        "10 steps more than before",
        "upscale by 2",
        "drop the steps by 5",
        "take 5 steps off",
        "remove 5 steps",
        "increase the steps by 10 to 35",
        "2 more seeds",
    ],
)
def test_what_is_no_clear_difference_changes_nothing(request_: str) -> None:
    assert said(request_) == {}


def test_what_is_to_be_reached_is_no_difference() -> None:
    assert ordered("sube el cfg a 9") == ({"cfg": "9"}, False)
    assert ordered("erhöhe die Schritte auf 35") == ({"steps": "35"}, False)
